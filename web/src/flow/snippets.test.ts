import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { callInputs, tweaksOf } from "./callInputs";
import { chat, component, edge, field, output } from "./fixtures/build";
import { FILE_SLOT, JAVASCRIPT, json, literal, PYTHON, shellWord } from "./literals";
import { parseFlow } from "./parse";
import { prettyJson } from "./prettyJson";
import { type Call, hasSnippet, snippet } from "./snippets";
import { stripSecrets } from "./stripSecrets";

const NASTY = [
  `it's "quoted"`,
  "two\nlines\r\nand a\ttab",
  "日本語 🦀 e\u0301",
  "$HOME ${HOME} $(id) `id`",
  "back\\slash \\n \\u0041",
  "</script><!-- %s !x",
  "\u2028\u2029\u0000\u001b",
  "BODY",
  "\nBODY\n",
  "FILE_PATH",
];

const CALL: Call = {
  door: "run",
  base: "http://127.0.0.1:7860",
  flowId: "7d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e01",
  endpoint: null,
  input: "Hello",
  session: "",
  tweaks: {},
  file: null,
  stream: false,
};

const place = { node: "File-1", title: "File", field: "path", label: "Files", list: true, withMessage: false };

describe("literals", () => {
  const value = { [NASTY.join(" ")]: [NASTY, 1.5, -3, true, false, null, {}, []] };

  it("are read back by JavaScript as what they were", () => {
    const source = literal(value, JAVASCRIPT);
    expect(Function(`return ${source}`)()).toEqual(value);
    expect(source).not.toMatch(/<[/!]|[\u2028\u2029]/);
  });

  it("are read back by JSON as what they were", () => {
    expect(JSON.parse(literal(value, json("")))).toEqual(value);
  });

  it("are read back by Python as what they were", () => {
    const program = `import json,sys\nsys.stdout.write(json.dumps(${literal(value, PYTHON)}))`;
    expect(JSON.parse(execFileSync("python3", ["-"], { input: program, encoding: "utf8" }))).toEqual(value);
  });

  it("leave room for the path of a file", () => {
    expect(literal([FILE_SLOT], PYTHON)).toBe("[\n  file_path\n]");
  });

  it.each(NASTY.filter((text) => !text.includes("\u0000")))("are one word for a shell: %j", (text) => {
    expect(execFileSync("bash", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).toBe(text);
  });
});

/** What a curl snippet would send: `curl` is replaced by something that tells. */
function sentByCurl(source: string): { args: string[]; body: string } {
  const fake = 'curl() { printf "%s\\0" "$@"; printf "\\0"; cat; }\n';
  const said = execFileSync("bash", ["-c", fake + source], {
    encoding: "utf8",
    env: { ...process.env, FERROFLOW_API_KEY: "sk-test" },
  });
  const [args = "", body = ""] = said.split("\0\0");
  return { args: args.split("\0"), body };
}

describe("the curl snippet", () => {
  it.each(NASTY.filter((text) => !text.includes("\u0000")))("sends %j as it is", (text) => {
    const { args, body } = sentByCurl(snippet("curl", { ...CALL, input: text, tweaks: { [text]: { [text]: text } } }));
    expect(JSON.parse(body)).toEqual({ input_value: text, tweaks: { [text]: { [text]: text } } });
    expect(args).toContain("x-api-key: sk-test");
  });

  it.each(["$HOME `id`", "BODY", "a\nBODY\nb", '{"a": 1}'])("sends the webhook's body %j as it is", (text) => {
    const { args, body } = sentByCurl(snippet("curl", { ...CALL, door: "webhook", input: text }));
    expect(body).toBe(`${text}\n`);
    expect(args).toContain(`content-type: ${text.startsWith("{") ? "application/json" : "text/plain"}`);
  });

  it("puts the path of the file where it goes and nowhere else", () => {
    const source = snippet("curl", { ...CALL, input: "FILE_PATH", file: { name: "it's.txt", place } });
    const fake = source.replace(/^file_path=\$\(curl[\s\S]*?\/p'\)/, "file_path=me/1");
    expect(fake).not.toBe(source);
    expect(JSON.parse(sentByCurl(fake).body)).toEqual({
      input_value: "FILE_PATH",
      tweaks: { "File-1": { path: ["me/1"] } },
    });
  });

  it("does not wait with a stream's lines", () => {
    expect(sentByCurl(snippet("curl", { ...CALL, stream: true })).args).toContain("-N");
  });
});

describe("every snippet", () => {
  it("takes the key from the environment and has none of its own", () => {
    for (const language of ["curl", "python", "javascript", "client"] as const) {
      expect(snippet(language, CALL)).toContain("FERROFLOW_API_KEY");
      expect(snippet(language, CALL)).not.toContain("sk-");
    }
  });

  it("calls a flow by its endpoint name where it has one", () => {
    expect(snippet("python", { ...CALL, endpoint: "my-flow" })).toContain("/api/v1/run/my-flow\"");
    expect(snippet("python", { ...CALL, endpoint: "my-flow", door: "workflows" })).toContain(CALL.flowId);
  });

  it("exists for every door but Langflow's client for the others", () => {
    expect(hasSnippet("client", "run")).toBe(true);
    expect(hasSnippet("client", "workflows")).toBe(false);
    expect(hasSnippet("curl", "webhook")).toBe(true);
  });
});

describe("what a caller can set", () => {
  it("leaves out wired fields, code and what the call itself says", () => {
    const found = callInputs(parseFlow(chat()));
    expect(found.chat).toBe(true);
    const fields = found.nodes.flatMap((node) => node.fields.map((item) => `${item.node}.${item.field}`));
    expect(fields).toContain("Model-1.system_message");
    expect(fields).not.toContain("ChatInput-1.input_value");
    expect(fields).not.toContain("ChatOutput-1.input_value");
  });

  it("names a secret by a variable and never writes it out", () => {
    const found = callInputs(parseFlow(chat()));
    const secret = found.nodes.flatMap((node) => node.fields).find((item) => item.field === "api_key");
    expect(secret).toMatchObject({ secret: true, value: { load_from_db: true, value: "API_KEY" } });
    expect(JSON.stringify(found)).not.toContain("sk-live-123");
  });

  it("finds text inputs, files and webhooks", () => {
    const flow = parseFlow({
      nodes: [
        component("TextInput-1", { template: { input_value: field("input_value", { value: "Text" }) }, outputs: [output("text", ["Message"])] }),
        component("TextInput-2", { template: { input_value: field("input_value", { input_types: ["Message"] }) } }),
        component("File-1", { template: { path: field("path", { type: "file", list: true }) } }),
        component("Webhook-1", { template: { data: field("data") } }),
      ],
      edges: [edge("TextInput-1", "text", "TextInput-2", "input_value")],
    });
    const found = callInputs(flow);
    expect(found).toMatchObject({ chat: false, webhook: true, files: [{ node: "File-1", field: "path", list: true }] });
    expect(found.texts.map(({ node, value }) => [node, value])).toEqual([["TextInput-1", "Text"]]);
    expect(tweaksOf(found.texts)).toEqual({ "TextInput-1": { input_value: "Text" } });
  });
});

describe("an export", () => {
  it("empties literal secrets and says which", () => {
    const flow = chat();
    const { document, removed } = stripSecrets(flow);
    expect(removed).toEqual([{ node: "Model-1", title: "Language Model", field: "api_key" }]);
    expect(JSON.stringify(document)).not.toContain("sk-live-123");
    expect(JSON.stringify(flow)).toContain("sk-live-123");
  });

  it("keeps the names of variables, and empties lists and numbers", () => {
    const template = {
      variable: field("variable", { password: true, load_from_db: true, value: "MY_KEY" }),
      list: field("list", { password: true, value: ["one", "", { deep: 7 }] }),
      none: field("none", { password: true, value: "" }),
    };
    const { document, removed } = stripSecrets({ nodes: [component("A-1", { template })], edges: [] });
    expect(JSON.stringify(document)).toContain("MY_KEY");
    expect(removed.map((item) => item.field)).toEqual(["list"]);
    expect(JSON.stringify(document)).toContain('["","",{"deep":""}]');
  });

  it("is laid out without changing a value", () => {
    const source = '{"a":[1,12345678901234567890,1.0,{}],"b":"x,:{}[]\\"","c":[],"d":null}';
    const pretty = prettyJson(source);
    expect(JSON.parse(pretty)).toEqual(JSON.parse(source));
    expect(pretty).toContain("12345678901234567890,\n");
    expect(pretty.replace(/\s+/g, "")).toBe(source.replace(/\s+/g, ""));
    expect(pretty).toBe(
      '{\n  "a": [\n    1,\n    12345678901234567890,\n    1.0,\n    {}\n  ],\n  "b": "x,:{}[]\\"",\n  "c": [],\n  "d": null\n}\n',
    );
  });
});

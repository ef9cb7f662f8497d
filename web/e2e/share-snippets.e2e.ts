import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callInputs, tweaksOf } from "../src/flow/callInputs";
import { edge } from "../src/flow/fixtures/build";
import { parseFlow } from "../src/flow/parse";
import { type Call, type Door, snippet, type SnippetLanguage } from "../src/flow/snippets";
import { startServer, type TestServer } from "./harness";

interface Example {
  name: string;
  data: { nodes: { id: string; data: { type: string } }[]; edges: unknown[] };
}

let server: TestServer;
let key: string;
let folder: string;
const flows = new Map<string, { id: string; data: Example["data"] }>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ferroflow-snippets-"));
  server = await startServer();
  const examples = (await server.call("GET", "/api/v1/flows/basic_examples/")) as Example[];
  for (const name of ["Echo", "Basic prompting", "Review table", "Webhook"]) {
    const example = examples.find((flow) => flow.name === name);
    if (!example) throw new Error(`There is no example ${name}.`);
    const made = (await server.call("POST", "/api/v1/flows/", { name, data: example.data })) as { id: string };
    flows.set(name, { id: made.id, data: example.data });
  }
  key = ((await server.call("POST", "/api/v1/api_key/", { name: "snippets" })) as { api_key: string }).api_key;
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ENDINGS: Record<SnippetLanguage, [command: string, ending: string]> = {
  curl: ["bash", "sh"],
  python: ["python3", "py"],
  javascript: ["node", "mjs"],
  client: ["node", "mjs"],
};

/** Runs a snippet as its reader would: saved to a file, with the key in the environment. */
function execute(language: SnippetLanguage, code: string, apiKey = key): Promise<{ said: string; failed: boolean }> {
  const [command, ending] = ENDINGS[language];
  // The client is found where the project has it.
  const home = language === "client" ? import.meta.dirname : folder;
  const path = join(home, `.snippet-${process.pid}.${ending}`);
  writeFileSync(path, code);
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, FERROFLOW_API_KEY: apiKey, PYTHONUTF8: "1" }, timeout: 60_000 };
    execFile(command, [path], options, (error, stdout, stderr) => {
      rmSync(path, { force: true });
      resolve({ said: error ? stdout + stderr : stdout, failed: error !== null });
    });
  });
}

/** The text of an answer that curl printed as it came. */
function textIn(door: Door, stream: boolean, answer: string): string {
  const events = stream
    ? answer.split("\n").flatMap((line) => (line.replace(/^data:/, "").trim().startsWith("{") ? [JSON.parse(line.replace(/^data:/, "")) as unknown] : []))
    : [];
  const found = stream
    ? door === "run"
      ? (events as { event: string; data: { result: unknown } }[]).find(({ event }) => event === "end")?.data.result
      : (events as { event: string; data: unknown }[]).find(({ event }) => event === "output")?.data
    : (JSON.parse(answer) as unknown);
  if (door === "run") {
    const { outputs } = found as { outputs: { outputs: { outputs: { message: { message: string } } }[] }[] };
    return outputs[0]?.outputs[0]?.outputs.message.message ?? "";
  }
  return stream ? (found as { content: string }).content : (found as { output: { text: string } }).output.text;
}

function callOf(name: string, more: Partial<Call> = {}): Call {
  const flow = flows.get(name);
  if (!flow) throw new Error(`There is no flow ${name}.`);
  return {
    door: "run",
    base: server.url,
    flowId: flow.id,
    endpoint: null,
    input: "Hello",
    session: "",
    tweaks: {},
    file: null,
    stream: false,
    ...more,
  };
}

async function answerOf(language: SnippetLanguage, call: Call): Promise<string> {
  const { said, failed } = await execute(language, snippet(language, call));
  expect(failed, said).toBe(false);
  return language === "curl" ? textIn(call.door, call.stream, said) : said.replace(/\n$/, "");
}

const NASTY = `it's "quoted" \\n $HOME \${HOME} $(id) \`id\` </script> 日本語 🦀\nsecond line\nBODY\nFILE_PATH`;

const ways: [SnippetLanguage, Door, boolean][] = (["curl", "python", "javascript"] as const).flatMap((language) =>
  (["run", "workflows"] as const).flatMap((door) => [false, true].map((stream): [SnippetLanguage, Door, boolean] => [language, door, stream])),
);

describe("the code of the API access dialog", () => {
  it.each([...ways, ["client", "run", false] as const, ["client", "run", true] as const])(
    "%s through %s (stream: %s) says every character and gets it back",
    async (language, door, stream) => {
      const call = callOf("Echo", { door, stream, input: NASTY, session: `s'"${language}` });
      expect(await answerOf(language, call)).toBe(NASTY);
    },
  );

  it("prints a streamed answer whole, in every language and through every door", async () => {
    const whole = await answerOf("curl", callOf("Basic prompting"));
    expect(whole).toContain("You wrote: “Hello”");
    for (const language of ["python", "javascript"] as const) {
      for (const door of ["run", "workflows"] as const) {
        expect(await answerOf(language, callOf("Basic prompting", { door, stream: true }))).toBe(whole);
      }
    }
    expect(await answerOf("client", callOf("Basic prompting", { stream: true }))).toBe(whole);
  });

  it("gives text inputs their texts", async () => {
    const { texts } = callInputs(parseFlow(flows.get("Review table")?.data));
    expect(texts).toHaveLength(1);
    const tweaks = tweaksOf(texts.map((text) => ({ ...text, value: "I love it." })));
    for (const [language, door, stream] of ways.filter(([, , streamed]) => !streamed)) {
      expect(await answerOf(language, callOf("Review table", { door, stream, input: null, tweaks }))).toBe("- I love it. → positive");
    }
  });

  it("sets the fields that were chosen", async () => {
    const output = flows.get("Echo")?.data.nodes.find((node) => node.data.type === "ChatOutput");
    const tweaks = { [output?.id ?? ""]: { sender_name: "Parrot 'n' \"co\"" } };
    for (const language of ["curl", "python", "javascript", "client"] as const) {
      await answerOf(language, callOf("Echo", { tweaks, session: `tweaked-${language}` }));
      const path = `/api/v1/monitor/messages?flow_id=${flows.get("Echo")?.id}&session_id=tweaked-${language}`;
      const messages = (await server.call("GET", path)) as { sender: string; sender_name: string }[];
      expect(messages.find(({ sender }) => sender === "Machine")?.sender_name).toBe("Parrot 'n' \"co\"");
    }
  });

  it("sends a file with the message", async () => {
    const name = "it's a $table.csv";
    writeFileSync(join(folder, name), "a,b\n1,2\n");
    const place = callInputs(parseFlow(flows.get("Echo")?.data)).files.find(({ withMessage }) => withMessage);
    if (!place) throw new Error("Chat Input takes no files.");
    for (const language of ["curl", "python", "javascript", "client"] as const) {
      const session = `file-${language}`;
      await answerOf(language, callOf("Echo", { session, input: "FILE_PATH", file: { name, place } }));
      const path = `/api/v1/monitor/messages?flow_id=${flows.get("Echo")?.id}&session_id=${session}`;
      const messages = (await server.call("GET", path)) as { sender: string; text: string; files: unknown }[];
      const mine = messages.find(({ sender }) => sender === "User");
      expect(mine?.text).toBe("FILE_PATH");
      expect(JSON.stringify(mine?.files), language).toMatch(/[0-9a-f-]{36}\/[0-9a-f-]{36}/);
    }
    const files = (await server.call("GET", "/api/v2/files")) as { name: string }[];
    expect(files.map((file) => file.name).every((stored) => stored.startsWith("it's a $table"))).toBe(true);
    expect(files).toHaveLength(4);
  });

  it("sends a file to the node that reads it", async () => {
    const { files_and_knowledge: files, input_output: ends } = (await server.call("GET", "/api/v1/all")) as Record<string, Record<string, unknown>>;
    const node = (id: string, type: string, component: unknown) => ({
      id,
      type: "genericNode",
      position: { x: 0, y: 0 },
      data: { id, type, node: component },
    });
    const data = {
      nodes: [node("File-1", "File", files?.File), node("ChatOutput-1", "ChatOutput", ends?.ChatOutput)],
      edges: [edge("File-1", "message", "ChatOutput-1", "input_value")],
    } as unknown as Example["data"];
    const made = (await server.call("POST", "/api/v1/flows/", { name: "Reader", data })) as { id: string };
    flows.set("Reader", { id: made.id, data });
    const [place] = callInputs(parseFlow(data)).files;
    if (!place) throw new Error("File takes no file.");
    writeFileSync(join(folder, "notes.txt"), "What the file says.");
    for (const language of ["curl", "python", "javascript", "client"] as const) {
      for (const door of language === "client" ? (["run"] as const) : (["run", "workflows"] as const)) {
        const call = callOf("Reader", { door, input: language === "client" ? "" : null, file: { name: "notes.txt", place } });
        expect(await answerOf(language, call), `${language} ${door}`).toContain("What the file says.");
      }
    }
  });

  it("starts a webhook", async () => {
    for (const language of ["curl", "python", "javascript"] as const) {
      const call = callOf("Webhook", { door: "webhook", input: `{"message": "it's $HOME from ${language}"}` });
      const { said, failed } = await execute(language, snippet(language, call));
      expect(failed, said).toBe(false);
      expect(JSON.parse(said)).toMatchObject({ status: "in progress" });
    }
  });

  it("says what the server said when a call is refused", async () => {
    for (const language of ["curl", "python", "javascript"] as const) {
      const { said, failed } = await execute(language, snippet(language, callOf("Echo")), "sk-wrong");
      expect(failed).toBe(true);
      expect(said).toContain("unauthenticated");
    }
  });
});

import { describe, expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { at, check, refused } from "../fixtures/check";
import { built } from "../fixtures/components";
import type { JsonRecord } from "../json";
import { parseFlow } from "../parse";
import { apply } from "./apply";
import { edgesOf } from "./document";
import type { Edit } from "./edits";

describe("fields", () => {
  it("take values, and no longer a variable", () => {
    const agent = built(["Agent"]);
    const set: Edit = {
      op: "configure",
      node: "Agent-00001",
      values: { api_key: "sk", input_value: "Hello" },
    };
    const document = check(agent, set, ["Agent-00001"]);
    expect(at(document, "Agent-00001", "data.node.template.api_key")).toMatchObject({
      value: "sk",
      load_from_db: false,
    });
    expect(at(document, "Agent-00001", "data.node.template.input_value")).not.toHaveProperty("load_from_db");
    expect(refused(agent, { ...set, values: { input_value: "x", nope: 1 } })).toBe(
      "`Agent-00001` has no field `nope`; it has `input_value`, `tools`, `model`, `api_key`",
    );
    expect(refused(agent, { ...set, values: { _type: 1 } })).toBe(
      "`_type` of `Agent-00001` is no field but something the editor keeps there; the fields are `input_value`, `tools`, `model`, `api_key`",
    );
    expect(refused(agent, { ...set, values: JSON.parse('{"__proto__": 1}') as JsonRecord })).toContain(
      "has no field",
    );
  });

  it("name a variable", () => {
    const document = check(
      built(["Agent"]),
      { op: "variable", node: "Agent-00001", field: "api_key", name: "KEY" },
      ["Agent-00001"],
    );
    const [agent] = parseFlow(document).nodes;
    expect(agent?.kind === "component" && agent.fields.find(({ name }) => name === "api_key")?.variable).toBe(
      "KEY",
    );
    expect(
      refused(built(["URLComponent"]), {
        op: "variable",
        node: "URLComponent-00001",
        field: "max_depth",
        name: "KEY",
      }),
    ).toBe("`URLComponent-00001.max_depth` cannot take its value from a variable; set a value instead");
  });

  it("hold a model in its one form", () => {
    const set: Edit = {
      op: "configure",
      node: "Agent-00001",
      values: { model: '{"name": "gpt-4o", "provider": "OpenAI"}' },
    };
    expect(
      at(check(built(["Agent"]), set, ["Agent-00001"]), "Agent-00001", "data.node.template.model.value"),
    ).toEqual([{ name: "gpt-4o", provider: "OpenAI" }]);
  });
});

describe("modes", () => {
  const tool = () =>
    built(
      ["ChatInput", "URLComponent", "ParserComponent"],
      [
        ["ChatInput-00001", "message", "URLComponent-00002", "urls"],
        ["URLComponent-00002", "page_results", "ParserComponent-00003", "input_data"],
      ],
    );
  const url = ["URLComponent-00002"];

  it("swap the outputs of a tool and give them back", () => {
    const on = check(tool(), { op: "tool_mode", node: "URLComponent-00002", on: true }, url);
    expect(edgesOf(on)).toEqual([]);
    expect(parseFlow(on).byId.get("URLComponent-00002")).toMatchObject({
      badges: { toolMode: true },
      outputs: [{ name: "component_as_tool", types: ["Tool"] }],
    });
    expect(at(on, "URLComponent-00002", "data.node.template.tools_metadata.type")).toBe("tools");
    expect(check(on, { op: "tool_mode", node: "URLComponent-00002", on: true })).toBe(on);
    const off = check(on, { op: "tool_mode", node: "URLComponent-00002", on: false }, url);
    expect(at(off, "URLComponent-00002", "data.node")).toEqual(at(tool(), "URLComponent-00002", "data.node"));
    expect(refused(tool(), { op: "tool_mode", node: "ChatInput-00001", on: true })).toBe(
      "`ChatInput-00001` cannot be a tool: none of its fields is a tool argument",
    );
    const strange = apply(on, { op: "tool_mode", node: "URLComponent-00002", on: false });
    expect(strange).toMatchObject({ ok: false, refusal: { code: "no_way_back" } });
  });

  it("wire a model in, or choose it", () => {
    const on = check(built(["Agent"]), { op: "connection_mode", node: "Agent-00001", on: true }, [
      "Agent-00001",
    ]);
    expect(at(on, "Agent-00001", "data._connectionMode")).toBe(true);
    expect(at(on, "Agent-00001", "data.node.template.model._connection_mode")).toBe(true);
    const wired = {
      ...on,
      edges: [
        { source: "x", target: "Agent-00001", targetHandle: "{œfieldNameœ:œmodelœ,œidœ:œAgent-00001œ}" },
      ],
    };
    expect(
      edgesOf(check(wired, { op: "connection_mode", node: "Agent-00001", on: false }, ["Agent-00001"])),
    ).toEqual([]);
    expect(refused(tool(), { op: "connection_mode", node: "ChatInput-00001", on: true })).toBe(
      "`ChatInput-00001` has no field that holds a model",
    );
  });

  it("choose an output, and wires from the others go", () => {
    const chosen = check(
      tool(),
      { op: "select_output", node: "URLComponent-00002", output: "raw_results" },
      url,
    );
    expect(edgesOf(chosen)).toHaveLength(1);
    expect(refused(tool(), { op: "select_output", node: "URLComponent-00002", output: "x" })).toBe(
      "`URLComponent-00002` has no output `x`; it has `page_results`, `raw_results`",
    );
  });

  it("take over what the server says a component looks like", () => {
    const before = tool();
    const component = structuredClone(at(before, "URLComponent-00002", "data.node")) as JsonRecord;
    component.outputs = [{ name: "other", types: ["Message"] }];
    component.template = {
      _type: "Component",
      urls: { name: "urls", type: "str", show: false, value: "" },
      fresh: { name: "fresh", type: "str", value: "" },
    };
    const after = check(before, { op: "refresh", node: "URLComponent-00002", component }, url);
    expect(at(after, "URLComponent-00002", "data.node")).toEqual(component);
    expect(edgesOf(after)).toEqual([]);
    const same = at(before, "URLComponent-00002", "data.node") as JsonRecord;
    expect(check(before, { op: "refresh", node: "URLComponent-00002", component: same })).toBe(before);
    expect(refused(chat(), { op: "refresh", node: "note-1", component })).toBe("`note-1` is not a component");
  });
});

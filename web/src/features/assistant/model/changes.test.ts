import { describe, expect, it } from "vitest";
import { flowLayouts } from "@/flow/card";
import { apply } from "@/flow/edit/apply";
import { edgesOf, type FlowDocument, nodesOf } from "@/flow/edit/document";
import { collides } from "@/flow/edit/place";
import { getAt } from "@/flow/edit/values";
import { chat, component, edge, field, output } from "@/flow/fixtures/build";
import { text, type JsonRecord } from "@/flow/json";
import { parseFlow } from "@/flow/parse";
import { editFor, fieldEdit } from "./changes";
import type { FieldEdit, FlowUpdate } from "./types";

/** The document after the update; a reason in words when it does not fit. */
function after(document: FlowDocument, update: unknown): FlowDocument | string {
  const made = editFor(document, update as FlowUpdate);
  if ("problem" in made) return made.problem;
  const outcome = apply(document, made.edit);
  if (!outcome.ok) throw new Error(`an edit was given that does not fit: ${outcome.refusal.message}`);
  return outcome.document;
}

function done(document: FlowDocument, update: unknown): FlowDocument {
  const result = after(document, update);
  if (typeof result === "string") throw new Error(result);
  return result;
}

const node = (document: FlowDocument, id: string): JsonRecord | undefined => nodesOf(document).find((one) => one.id === id);
const entry = (document: FlowDocument, id: string, name: string): unknown =>
  getAt(node(document, id), ["data", "node", "template", name]);
const wires = (document: FlowDocument): string[] => edgesOf(document).map((one) => text(one.id));

const tool = (): JsonRecord =>
  component("Search-1", {
    at: [0, 900],
    template: { query: field("query", { tool_mode: true, input_types: ["Message"] }) },
    outputs: [output("results", ["Data"]), output("text", ["Message"])],
  });
const prompt = (): JsonRecord =>
  component("Prompt-1", {
    at: [0, 1400],
    custom_fields: { template: ["old", "kept"] },
    template: {
      template: field("template", { type: "prompt", value: "{old} {kept}", real_time_refresh: true }),
      old: field("old"),
      kept: field("kept"),
      use_double_brackets: field("use_double_brackets", { type: "bool", value: false }),
    },
    outputs: [output("prompt", ["Message"])],
  });
const rich = (): FlowDocument => {
  const document = chat() as { nodes: JsonRecord[]; edges: JsonRecord[] };
  return { ...document, nodes: [...document.nodes, tool(), prompt()] };
};

describe("a component that is added", () => {
  const added = component("Agent-1", { at: [3000, 10], template: { system_prompt: field("system_prompt") } });

  it("comes exactly as it was sent", () => {
    const document = done(chat(), { action: "add_component", node: added });
    expect(nodesOf(document).at(-1)).toEqual(added);
    expect(nodesOf(document)).toHaveLength(5);
  });

  it("is the first of an empty flow", () => {
    expect(done({}, { action: "add_component", node: added })).toEqual({ nodes: [added], edges: [] });
  });

  it.each([[[480, 0]], [[300, 40]], [[0, 20]]] as [number, number][][])(
    "stands beside others when its place is taken: %j",
    (at) => {
      const flow = parseFlow(done(chat(), { action: "add_component", node: component("Agent-1", { at }) }));
      const layouts = flowLayouts(flow);
      const boxes = flow.nodes
        .filter(({ kind }) => kind !== "note")
        .map(({ id, position }) => ({ ...position, ...(layouts.get(id)?.size ?? { width: 0, height: 0 }) }));
      const own = boxes.pop();
      expect(own && boxes.some((box) => collides(own, box))).toBe(false);
    },
  );

  it("finds a place when it has none", () => {
    const { position: _position, ...nowhere } = added;
    const placed = nodesOf(done(chat(), { action: "add_component", node: nowhere })).at(-1);
    expect(placed?.position).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
  });

  it("is refused when its id is taken", () => {
    expect(after(chat(), { action: "add_component", node: component("Model-1") })).toContain("Model-1");
  });

  it.each([undefined, null, "Agent", [], {}, { id: 7, data: {} }, { id: "", data: {} }, { id: "Agent-1" }])(
    "is refused when it is no node: %j",
    (raw) => expect(after(chat(), { action: "add_component", node: raw })).toEqual(expect.any(String)),
  );
});

describe("a component that is removed", () => {
  it("goes with its wires", () => {
    const document = done(chat(), { action: "remove_component", component_id: "Model-1" });
    expect(node(document, "Model-1")).toBeUndefined();
    expect(edgesOf(document)).toEqual([]);
  });

  it.each([undefined, 7, "", "Model-2"])("is refused when it is not there: %j", (id) => {
    expect(after(chat(), { action: "remove_component", component_id: id })).toEqual(expect.any(String));
  });
});

describe("a wire", () => {
  const wire = edge("Search-1", "text", "Model-1", "system_message");

  it("comes exactly as it was sent", () => {
    expect(edgesOf(done(rich(), { action: "connect", edge: wire })).at(-1)).toEqual(wire);
  });

  it("is not drawn twice", () => {
    const once = done(rich(), { action: "connect", edge: wire });
    expect(done(once, { action: "connect", edge: { ...wire, id: "another" } })).toBe(once);
  });

  it("leaves the person's wire alone where an input takes one only", () => {
    const other = edge("Search-1", "text", "Model-1", "input_value");
    expect(after(rich(), { action: "connect", edge: other })).toContain("ChatInput-1");
  });

  it("joins others at an input that takes several", () => {
    const many = component("Many-1", { template: { tools: field("tools", { list: true, input_types: ["Message"] }) } });
    const document = { nodes: [...nodesOf(rich()), many], edges: [edge("ChatInput-1", "message", "Many-1", "tools")] };
    expect(edgesOf(done(document, { action: "connect", edge: edge("Model-1", "text_output", "Many-1", "tools") }))).toHaveLength(2);
  });

  it.each([undefined, null, {}, { source: "ChatInput-1" }, { source: 1, target: 2 }])(
    "is refused when it does not say what it joins: %j",
    (raw) => expect(after(chat(), { action: "connect", edge: raw })).toEqual(expect.any(String)),
  );

  it("is refused when a node is gone", () => {
    expect(after(chat(), { action: "connect", edge: wire })).toContain("Search-1");
  });

  it("goes by its ends and ports", () => {
    const cut = { action: "disconnect", source_id: "ChatInput-1", target_id: "Model-1" };
    expect(edgesOf(done(chat(), cut))).toHaveLength(1);
    expect(edgesOf(done(chat(), { ...cut, source_output: "message", target_input: "input_value" }))).toHaveLength(1);
    expect(edgesOf(done(chat(), { ...cut, target_input: "system_message" }))).toHaveLength(2);
  });

  it("may be gone already, with its node or alone", () => {
    const document = chat();
    expect(done(document, { action: "disconnect", source_id: "Model-1", target_id: "ChatInput-1" })).toBe(document);
    expect(done(document, { action: "disconnect", source_id: "No-1", target_id: "ChatInput-1" })).toBe(document);
    expect(after(document, { action: "disconnect", source_id: 1 })).toEqual(expect.any(String));
  });
});

describe("values", () => {
  it("are set as they came, and no longer come from a variable", () => {
    const from = field("key", { value: "OPENAI", load_from_db: true });
    const document = { nodes: [component("A-1", { template: { key: from, n: field("n") } })], edges: [] };
    const now = done(document, { action: "configure", component_id: "A-1", params: { key: "literal", n: { a: [1] } } });
    expect(entry(now, "A-1", "key")).toEqual({ ...from, value: "literal", load_from_db: false });
    expect(entry(now, "A-1", "n")).toEqual({ ...field("n"), value: { a: [1] } });
  });

  it("leave everything else of the field alone", () => {
    const before = entry(chat(), "Model-1", "model") as JsonRecord;
    const value = [{ name: "large", provider: "Acme" }];
    const now = done(chat(), { action: "configure", component_id: "Model-1", params: { model: value } });
    expect(entry(now, "Model-1", "model")).toEqual({ ...before, value });
  });

  it("give a prompt a field for each variable, and take those away that are no longer in it", () => {
    const now = done(rich(), { action: "configure", component_id: "Prompt-1", params: { template: "{kept} {fresh} {fresh}" } });
    expect(entry(now, "Prompt-1", "old")).toBeUndefined();
    expect(entry(now, "Prompt-1", "fresh")).toMatchObject({ name: "fresh", input_types: ["Message"], type: "str" });
    expect(getAt(node(now, "Prompt-1"), ["data", "node", "custom_fields"])).toEqual({ template: ["kept", "fresh"] });
  });

  it.each([
    ["an unknown node", "No-1", { x: 1 }],
    ["an unknown field", "Model-1", { nothing: 1 }],
    ["one unknown field among others", "Model-1", { system_message: "ok", nothing: 1 }],
    ["what is no field", "Model-1", { _type: "x" }],
    ["no values", "Model-1", null],
    ["no node", undefined, {}],
  ])("are refused as a whole for %s", (_, component_id, params) => {
    expect(after(chat(), { action: "configure", component_id, params })).toEqual(expect.any(String));
  });
});

describe("ports and modes", () => {
  it("select an output, and cut the wires of the others", () => {
    const now = done(chat(), { action: "select_output", component_id: "Model-1", output_name: "model_output" });
    expect(getAt(node(now, "Model-1"), ["data", "selected_output"])).toBe("model_output");
    expect(edgesOf(now)).toHaveLength(1);
    expect(after(chat(), { action: "select_output", component_id: "Model-1", output_name: "none" })).toContain("none");
    expect(after(chat(), { action: "select_output", component_id: "Model-1" })).toEqual(expect.any(String));
  });

  it("let a model come by wire and be chosen again", () => {
    const on = done(chat(), { action: "set_connection_mode", component_id: "Model-1", enabled: true });
    expect(getAt(node(on, "Model-1"), ["data", "_connectionMode"])).toBe(true);
    expect(entry(on, "Model-1", "model")).toMatchObject({ _connection_mode: true });
    const off = done(on, { action: "set_connection_mode", component_id: "Model-1", enabled: false });
    expect(getAt(node(off, "Model-1"), ["data", "_connectionMode"])).toBe(false);
    expect(after(chat(), { action: "set_connection_mode", component_id: "ChatInput-1", enabled: true })).toContain("model");
    expect(after(chat(), { action: "set_connection_mode", enabled: true })).toEqual(expect.any(String));
  });

  const toolset = [{ name: "component_as_tool", types: ["Tool"], display_name: "Tools of mine" }];

  it("make a node a tool, with the outputs that were sent", () => {
    const start = done(rich(), { action: "connect", edge: edge("Search-1", "text", "Model-1", "system_message") });
    const now = done(start, { action: "enable_tool_mode", component_id: "Search-1", outputs: toolset });
    expect(getAt(node(now, "Search-1"), ["data", "node", "tool_mode"])).toBe(true);
    expect(getAt(node(now, "Search-1"), ["data", "node", "outputs"])).toEqual(toolset);
    expect(wires(now)).toEqual(wires(rich()));
  });

  it("believe the server that a node can be a tool", () => {
    const now = done(chat(), { action: "enable_tool_mode", component_id: "ChatInput-1", outputs: toolset });
    expect(getAt(node(now, "ChatInput-1"), ["data", "node", "outputs"])).toEqual(toolset);
    expect(edgesOf(now)).toHaveLength(1);
  });

  it("make a node no tool again with other outputs", () => {
    const on = done(rich(), { action: "enable_tool_mode", component_id: "Search-1", outputs: toolset });
    const outputs = [output("results", ["Data"])];
    const off = done(on, { action: "update_outputs", component_id: "Search-1", outputs });
    expect(getAt(node(off, "Search-1"), ["data", "node"])).toMatchObject({ tool_mode: false, outputs });
    expect(entry(off, "Search-1", "tools_metadata")).toBeUndefined();
  });

  it("change outputs, and cut wires that begin nowhere then", () => {
    const outputs = [output("message", ["Message"]), output("more", ["Data"])];
    expect(edgesOf(done(chat(), { action: "update_outputs", component_id: "ChatInput-1", outputs }))).toHaveLength(2);
    const gone = done(chat(), { action: "update_outputs", component_id: "ChatInput-1", outputs: outputs.slice(1) });
    expect(edgesOf(gone)).toHaveLength(1);
  });

  it.each(["enable_tool_mode", "update_outputs"])("are refused when what was sent is no list of outputs: %s", (action) => {
    for (const outputs of [undefined, {}, ["x"], [{ types: [] }]])
      expect(after(rich(), { action, component_id: "Search-1", outputs })).toEqual(expect.any(String));
    expect(after(rich(), { action, component_id: "No-1", outputs: [] })).toContain("No-1");
  });
});

describe("names and fields", () => {
  it("rename a node", () => {
    const now = done(chat(), { action: "rename_component", component_id: "Model-1", name: "Brain" });
    expect(parseFlow(now).byId.get("Model-1")?.title).toBe("Brain");
    expect(after(chat(), { action: "rename_component", component_id: "note-1", name: "x" })).toEqual(expect.any(String));
    expect(after(chat(), { action: "rename_component", component_id: "Model-1" })).toEqual(expect.any(String));
    expect(after(chat(), { action: "rename_component", component_id: "No-1", name: "x" })).toContain("No-1");
  });

  it("merge what is new into fields, part by part", () => {
    const before = entry(chat(), "Model-1", "system_message") as JsonRecord;
    const now = done(chat(), {
      action: "update_fields",
      component_id: "Model-1",
      fields: { system_message: { show: false, info: "new", multiline: null }, temperature: { name: "temperature", options: null } },
    });
    const { multiline: _multiline, ...rest } = before;
    expect(entry(now, "Model-1", "system_message")).toEqual({ ...rest, show: false, info: "new" });
    expect(entry(now, "Model-1", "temperature")).toEqual({ name: "temperature", options: null });
  });

  it("take a field away with its wire, and out of the variables of its prompt", () => {
    const wired = done(rich(), { action: "connect", edge: edge("ChatInput-1", "message", "Prompt-1", "old") });
    const now = done(wired, { action: "update_fields", component_id: "Prompt-1", fields: { old: null, nothing: null } });
    expect(entry(now, "Prompt-1", "old")).toBeUndefined();
    expect(wires(now)).toEqual(wires(rich()));
    expect(getAt(node(now, "Prompt-1"), ["data", "node", "custom_fields", "template"])).toEqual(["kept"]);
  });

  it("change nothing that is so already", () => {
    const document = rich();
    const fields = { kept: { name: "kept", show: true } };
    expect(done(document, { action: "update_fields", component_id: "Prompt-1", fields })).toBe(document);
  });

  it.each([undefined, null, [], "x"])("are refused when there are none: %j", (fields) => {
    expect(after(chat(), { action: "update_fields", component_id: "Model-1", fields })).toEqual(expect.any(String));
    expect(after(chat(), { action: "update_fields", component_id: "No-1", fields: {} })).toContain("No-1");
  });
});

describe("a whole flow", () => {
  it.each([{ name: "New", description: "", data: { nodes: [tool()], edges: [] } }, { nodes: [tool()], edges: [] }])(
    "takes the place of everything",
    (flow) => expect(done(chat(), { action: "set_flow", flow, auto_apply: true })).toEqual({ nodes: [tool()], edges: [] }),
  );

  it.each([undefined, null, "x", {}, { data: {} }, { data: 7 }, { data: { nodes: {}, edges: [] } }, { data: { nodes: [{}], edges: [] } }])(
    "is refused when it is none: %j",
    (flow) => expect(after(chat(), { action: "set_flow", flow })).toEqual(expect.any(String)),
  );
});

describe("what is not for the canvas", () => {
  it.each(["edit_field", "propose_plan", "flow_ran", "something_new", undefined])("is refused: %s", (action) => {
    expect(after(chat(), { action })).toEqual(expect.any(String));
  });
});

describe("an edit that was agreed to", () => {
  const edit = (over: Partial<FieldEdit>): FieldEdit => ({
    id: "12345678",
    componentId: "Model-1",
    componentType: "Model",
    field: "system_message",
    oldValue: "Be brief.",
    newValue: "Be kind.",
    description: "",
    status: "pending",
    ...over,
  });
  const made = (document: FlowDocument, over: Partial<FieldEdit>): FlowDocument | string => {
    const result = fieldEdit(document, edit(over));
    if ("problem" in result) return result.problem;
    const outcome = apply(document, result.edit);
    return outcome.ok ? outcome.document : outcome.refusal.message;
  };

  it("sets the field, wherever its node is by now", () => {
    const { nodes, edges } = chat() as { nodes: JsonRecord[]; edges: JsonRecord[] };
    const now = made({ nodes: nodes.toReversed(), edges }, {}) as FlowDocument;
    expect(entry(now, "Model-1", "system_message")).toMatchObject({ value: "Be kind." });
  });

  it("brings a model into its one form", () => {
    const now = made(chat(), { field: "model", newValue: { name: "large", provider: "Acme" } }) as FlowDocument;
    expect(entry(now, "Model-1", "model")).toMatchObject({ value: [{ name: "large", provider: "Acme" }] });
  });

  it("gives a prompt the fields of its variables, and keeps one that is wired", () => {
    const wired = done(rich(), { action: "connect", edge: edge("ChatInput-1", "message", "Prompt-1", "old") });
    const now = made(wired, { componentId: "Prompt-1", field: "template", newValue: "{name}" }) as FlowDocument;
    expect(entry(now, "Prompt-1", "name")).toMatchObject({ _input_type: "DefaultPromptField" });
    expect(entry(now, "Prompt-1", "old")).toBeDefined();
    expect(entry(now, "Prompt-1", "kept")).toBeUndefined();
    expect(getAt(node(now, "Prompt-1"), ["data", "node", "custom_fields"])).toEqual({ template: ["name"] });
  });

  it("reads variables in double braces where the prompt has them so", () => {
    const document = done(rich(), { action: "configure", component_id: "Prompt-1", params: { use_double_brackets: true } });
    const now = made(document, { componentId: "Prompt-1", field: "template", newValue: "{{name}} {text}" }) as FlowDocument;
    expect(entry(now, "Prompt-1", "name")).toBeDefined();
    expect(entry(now, "Prompt-1", "text")).toBeUndefined();
  });

  it("says so when its node or field is gone", () => {
    expect(made(chat(), { componentId: "No-1" })).toContain("No-1");
    expect(made(chat(), { field: "nothing" })).toContain("nothing");
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import { chat, component, edge, field, output } from "@/flow/fixtures/build";
import { isRecord, type JsonRecord } from "@/flow/json";
import { NO_HISTORY } from "@/flow/edit/history";
import { getAt } from "@/flow/edit/values";
import { edit, onRefusal, undo } from "@/stores/editor/actions";
import { createEditor, type Editor } from "@/stores/editor/state";
import { keepTurn } from "@/stores/editor/turns";
import { useToasts } from "@/ui/toasts";
import { applyEdit, applyProposal, applyUpdate, fillTools, revertProposal, withTail } from "./applying";
import type { FieldEdit, FlowUpdate } from "./model/types";

function editorOf(data: unknown = chat()): Editor {
  return createEditor({ id: "f1", data, revision: 1, locked: false, updated_at: "" } as unknown as FlowRead);
}

const ids = (editor: Editor): string[] => editor.getState().flow.nodes.map(({ id }) => id);
const value = (editor: Editor, node: string, name: string): unknown =>
  getAt(editor.getState().flow.byId.get(node)?.raw, ["data", "node", "template", name, "value"]);
const agent = (id = "Agent-1"): JsonRecord =>
  component(id, { at: [100, 0], template: { input_value: field("input_value", { input_types: ["Message"] }) } });
const proposed = (): JsonRecord => ({
  name: "New",
  data: {
    nodes: [component("ChatInput-1", { outputs: [output("message", ["Message"])] }), agent()],
    edges: [edge("ChatInput-1", "message", "Agent-1", "input_value")],
  },
});
const tail: FlowUpdate[] = [
  { action: "configure", component_id: "ChatInput-1", params: { nothing: 1 } },
  { action: "configure", component_id: "Agent-1", params: { input_value: "later" } },
  { action: "add_component", node: component("Extra-1", { at: [900, 0] }) },
];
const fieldEdit = (over: Partial<FieldEdit> = {}): FieldEdit => ({
  id: "e1",
  componentId: "Model-1",
  componentType: "Model",
  field: "system_message",
  oldValue: "Be brief.",
  newValue: "Be kind.",
  description: "",
  status: "pending",
  ...over,
});

afterEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

describe("changes of a turn", () => {
  it("are one step of undo for each message", () => {
    const editor = editorOf();
    expect(applyUpdate(editor, "m1", { action: "add_component", node: agent() })).toEqual({ ok: true, nodes: ["Agent-1"] });
    applyUpdate(editor, "m1", { action: "configure", component_id: "Agent-1", params: { input_value: "x" } });
    applyUpdate(editor, "m2", { action: "remove_component", component_id: "Model-1" });
    undo(editor);
    expect(ids(editor)).toContain("Model-1");
    undo(editor);
    expect(ids(editor)).not.toContain("Agent-1");
  });

  it("say in words of the canvas why they do not fit", () => {
    const editor = editorOf();
    const made = applyUpdate(editor, "m1", { action: "configure", component_id: "Model-1", params: { heat: 1 } });
    expect(made).toMatchObject({ ok: false });
    expect(made.ok ? "" : made.problem).toContain("“Language Model”");
  });

  it("leave a locked flow alone and say so", () => {
    const editor = editorOf();
    editor.setState({ locked: true });
    for (const made of [
      applyUpdate(editor, "m1", { action: "remove_component", component_id: "Model-1" }),
      applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail: [] }),
      applyEdit(editor, "m1", fieldEdit()),
    ])
      expect(made).toMatchObject({ ok: false, problem: expect.stringMatching(/locked/) });
    expect(ids(editor)).toHaveLength(4);
  });

  it("show a whole flow as a whole once it is drawn", () => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    const fit = vi.fn();
    applyUpdate(editorOf(), "m1", { action: "set_flow", flow: proposed(), auto_apply: true }, { fit });
    while (frames.length > 0) {
      expect(fit).not.toHaveBeenCalled();
      frames.shift()?.(0);
    }
    expect(fit).toHaveBeenCalledTimes(1);
  });
});

describe("a proposal", () => {
  it("is added with what was done to it since, as one step", () => {
    const editor = editorOf();
    const made = applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail });
    expect(made.ok && made.nodes).toHaveLength(3);
    expect(ids(editor)).toHaveLength(7);
    expect(value(editor, "Agent-1", "input_value")).toBe("later");
    expect(editor.getState().flow.wires).toHaveLength(3);
    undo(editor);
    expect(ids(editor)).toHaveLength(4);
  });

  it("takes the place of everything, and undo brings it back", () => {
    const editor = editorOf();
    const before = structuredClone(editor.getState().document);
    applyProposal(editor, null, { message: "m1", mode: "replace", flow: proposed(), tail });
    expect(ids(editor)).toEqual(["ChatInput-1", "Agent-1", "Extra-1"]);
    undo(editor);
    expect(editor.getState().document).toEqual(before);
  });

  it("can be taken twice and taken back twice, the last time first", () => {
    const editor = editorOf();
    for (let round = 0; round < 2; round += 1)
      applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail: [] });
    expect(ids(editor)).toHaveLength(8);
    const [first] = ids(editor).slice(4);
    expect(revertProposal(editor, "m1")).toBe(true);
    expect(ids(editor)).toHaveLength(6);
    expect(ids(editor)).toContain(first);
    expect(revertProposal(editor, "m1")).toBe(true);
    expect(ids(editor)).toHaveLength(4);
    // Nothing of it is left, and nothing else goes.
    expect(revertProposal(editor, "m1")).toBe(true);
    expect(ids(editor)).toHaveLength(4);
  });

  it("is back already when the person has undone it", () => {
    const editor = editorOf();
    applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail: [] });
    undo(editor);
    expect(revertProposal(editor, "m1")).toBe(true);
  });

  it("that kept ids of the canvas is back when the person has undone it, whatever was done then", () => {
    const editor = editorOf();
    applyProposal(editor, null, { message: "m1", mode: "replace", flow: proposed(), tail: [] });
    undo(editor);
    edit(editor, { op: "configure", node: "ChatInput-1", values: { input_value: "mine" } });
    const said = vi.fn();
    const stop = onRefusal(said);
    expect(revertProposal(editor, "m1")).toBe(true);
    expect(said).not.toHaveBeenCalled();
    stop();
  });

  it("can be taken back in a later visit, and when it is no step any more that is said", () => {
    const editor = editorOf();
    applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail: [] });
    const { document, history } = editor.getState();
    const back = editorOf(document);
    back.setState({ history });
    expect(revertProposal(back, "m1")).toBe(true);
    expect(ids(back)).toHaveLength(4);
    expect(useToasts.getState().toasts).toEqual([]);
    expect(revertProposal(editorOf(document), "m1")).toBe(true);
    expect(useToasts.getState().toasts).toHaveLength(1);
  });

  it("stays when it is so long ago that it is no step any more", () => {
    const editor = editorOf();
    const said = vi.fn();
    const stop = onRefusal(({ code }) => said(code));
    applyProposal(editor, null, { message: "m1", mode: "replace", flow: proposed(), tail: [] });
    editor.setState({ history: NO_HISTORY });
    expect(revertProposal(editor, "m1")).toBe(false);
    expect(said).toHaveBeenCalledWith("built_on");
    stop();
  });

  it("stays when the person has built on it, and says so", () => {
    const editor = editorOf();
    const said = vi.fn();
    const stop = onRefusal(({ code }) => said(code));
    applyProposal(editor, null, { message: "m1", mode: "add", flow: proposed(), tail: [] });
    edit(editor, { op: "configure", node: "Agent-1", values: { input_value: "mine" } });
    expect(revertProposal(editor, "m1")).toBe(false);
    expect(said).toHaveBeenCalledWith("built_on");
    expect(ids(editor)).toContain("Agent-1");
    stop();
  });

  it("is refused when it is no flow", () => {
    const made = applyProposal(editorOf(), null, { message: "m1", mode: "add", flow: { data: { nodes: 1 } }, tail });
    expect(made).toMatchObject({ ok: false, problem: expect.stringContaining("nodes") });
  });

  it("with its tail is looked at without touching the canvas, and what does not fit is left out", () => {
    const whole = withTail(proposed(), tail);
    expect(isRecord(whole) && whole.nodes).toHaveLength(3);
    expect(withTail({ data: 7 }, tail)).toBeNull();
  });
});

describe("a node that became a tool", () => {
  const tools = { name: "tools_metadata", type: "tools", value: [{ name: "search" }] };
  const made = (): Editor => {
    const template = { query: field("query", { tool_mode: true }) };
    const editor = editorOf({ nodes: [component("Search-1", { template, outputs: [output("text", ["Message"])] })], edges: [] });
    applyUpdate(editor, "m1", { action: "enable_tool_mode", component_id: "Search-1", outputs: [] });
    return editor;
  };
  const answer = async (request: Request): Promise<Response> => {
    const { frontend_node: node } = (await request.json()) as { frontend_node: { template: JsonRecord } };
    return Response.json({ ...node, display_name: "Other", template: { ...node.template, tools_metadata: tools } });
  };

  it("gets its tools from the server, within the step of the turn, and nothing else", async () => {
    vi.stubGlobal("fetch", answer);
    const editor = made();
    await fillTools(editor, "m1");
    expect(value(editor, "Search-1", "tools_metadata")).toEqual(tools.value);
    expect(editor.getState().flow.byId.get("Search-1")?.title).toBe("Search");
    expect(editor.getState().history.done).toHaveLength(1);
    undo(editor);
    expect(value(editor, "Search-1", "tools_metadata")).toBeUndefined();
  });

  it("gets its tools also when the turn was kept meanwhile", async () => {
    vi.stubGlobal("fetch", answer);
    const editor = made();
    const filling = fillTools(editor, "m1");
    keepTurn(editor, "m1");
    await filling;
    expect(value(editor, "Search-1", "tools_metadata")).toEqual(tools.value);
    expect(editor.getState().history.done).toHaveLength(1);
  });

  it("gets none when the turn was undone meanwhile, or has them already", async () => {
    const fetch = vi.fn(answer);
    vi.stubGlobal("fetch", fetch);
    const editor = made();
    const filling = fillTools(editor, "m1");
    undo(editor);
    await filling;
    expect(value(editor, "Search-1", "tools_metadata")).toBeUndefined();
    const other = made();
    await fillTools(other, "m1");
    await fillTools(other, "m1");
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});

describe("edits that were agreed to", () => {
  it("are one step when it was done at one go, and else one each", async () => {
    const editor = editorOf();
    applyEdit(editor, "m1", fieldEdit());
    applyEdit(editor, "m1", fieldEdit({ id: "e2", componentId: "ChatInput-1", field: "input_value", newValue: "Hello" }));
    expect(editor.getState().history.done).toHaveLength(1);
    await Promise.resolve();
    applyEdit(editor, "m1", fieldEdit({ id: "e3", newValue: "Be quick." }));
    expect(editor.getState().history.done).toHaveLength(2);
    undo(editor);
    expect(value(editor, "Model-1", "system_message")).toBe("Be kind.");
    undo(editor);
    expect(value(editor, "ChatInput-1", "input_value")).toBe("Hi");
  });

  it("say so when there is nothing to set any more", () => {
    const editor = editorOf();
    edit(editor, { op: "remove", node: "Model-1" });
    expect(applyEdit(editor, "m1", fieldEdit())).toMatchObject({ ok: false });
  });

  it("have the server work out what follows from the value, within the same step", async () => {
    const asked: unknown[] = [];
    const template = { kind: field("kind", { real_time_refresh: true, value: "a" }), more: field("more", { show: false }) };
    const editor = editorOf({ nodes: [component("Shape-1", { template })], edges: [] });
    vi.stubGlobal("fetch", async (request: Request) => {
      const body = (await request.json()) as { frontend_node: { template: JsonRecord } };
      asked.push(body);
      const now = body.frontend_node;
      return Response.json({ ...now, template: { ...now.template, more: field("more", { show: true }) } });
    });
    applyEdit(editor, "m1", fieldEdit({ componentId: "Shape-1", field: "kind", newValue: "b" }));
    await vi.waitFor(() =>
      expect(getAt(editor.getState().flow.byId.get("Shape-1")?.raw, ["data", "node", "template", "more", "show"])).toBe(true),
    );
    expect(asked).toMatchObject([{ field: "kind", field_value: "b" }]);
    expect(editor.getState().history.done).toHaveLength(1);
    undo(editor);
    expect(value(editor, "Shape-1", "kind")).toBe("a");
  });
});

import { describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import { nodesOf } from "@/flow/edit/document";
import { chat, component } from "@/flow/fixtures/build";
import { undo } from "@/stores/editor/actions";
import { createEditor, type Editor } from "@/stores/editor/state";
import { keepTurn } from "@/stores/editor/turns";
import { applyUpdate } from "../applying";
import type { AssistantMessage, FieldEdit, Message, Proposal } from "../model/types";
import { derive, newestAnswer, type ReviewedAnswer } from "./derive";

const editorOf = (data: unknown = chat()): Editor =>
  createEditor({ id: "f1", data, revision: 1, locked: false, updated_at: "" } as unknown as FlowRead);

const answer = (over: Partial<ReviewedAnswer> = {}): ReviewedAnswer => ({
  id: "m1",
  status: "complete",
  proposal: null,
  edits: [],
  working: null,
  restore: null,
  ...over,
});

const proposal = (over: Partial<Proposal> = {}): Proposal => ({
  flow: { name: "New", data: { nodes: [component("ChatInput-1"), component("Agent-1", { at: [400, 0] })], edges: [] } },
  name: "New",
  nodes: 2,
  edges: 0,
  tail: [],
  status: "pending",
  mode: null,
  revertible: false,
  ...over,
});

const edit = (id: string, componentId: string, field: string, status: FieldEdit["status"] = "pending"): FieldEdit => ({
  id,
  componentId,
  componentType: "",
  field,
  oldValue: "",
  newValue: "x",
  description: "",
  status,
});

const working = { tool: "configure", label: "", componentType: null, nodes: ["Model-1", "the model"], field: null };

function look(
  editor: Editor,
  of: ReviewedAnswer | null,
  { hovered = null }: { hovered?: "add" | "replace" | null } = {},
  actions = { proposal: vi.fn(), edit: vi.fn() },
) {
  return derive(of, editor.getState(), { hovered, actions });
}

describe("what the canvas shows", () => {
  it("is nothing without an answer, or for one that changed nothing", () => {
    for (const of of [null, answer()]) {
      const { shown, summary } = look(editorOf(), of);
      expect(summary).toBeNull();
      expect([shown.marks.size, shown.working.size, shown.chips.size, shown.ghosts]).toEqual([0, 0, 0, null]);
    }
  });

  it("marks what the answer added and changed, and counts it", () => {
    const editor = editorOf();
    applyUpdate(editor, "m1", { action: "add_component", node: component("Agent-1", { at: [2000, 0] }) });
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" });
    applyUpdate(editor, "m1", { action: "remove_component", component_id: "note-1" });
    const { shown, summary } = look(editor, answer());
    expect(Object.fromEntries(shown.marks)).toEqual({ "Agent-1": "added", "Model-1": "changed" });
    expect(summary).toEqual({ message: "m1", proposed: 0, edits: 0, changes: 3 });
  });

  it("marks while the answer is still coming, but asks nothing before it is over", () => {
    const editor = editorOf();
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" });
    const coming = answer({ status: "streaming", working, proposal: proposal(), edits: [edit("e1", "Model-1", "model")] });
    const { shown, summary } = look(editor, coming);
    expect(shown.marks.get("Model-1")).toBe("changed");
    expect([...shown.working]).toEqual(["Model-1"]);
    expect(shown.ghosts).not.toBeNull();
    expect(shown.chips.size).toBe(0);
    expect(summary).toBeNull();
  });

  it("has nobody at work in an answer that is over", () => {
    expect(look(editorOf(), answer({ status: "error", working })).shown.working.size).toBe(0);
  });

  it("goes with undo, with keeping it, and with a restored version", () => {
    const editor = editorOf();
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" });
    expect(look(editor, answer({ restore: { version: "v", reverted: true } })).summary).toBeNull();
    expect(look(editor, answer({ id: "m2" })).shown.marks.size).toBe(0);
    undo(editor);
    expect(look(editor, answer()).shown.marks.size).toBe(0);
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" });
    keepTurn(editor, "m1");
    expect(look(editor, answer()).summary).toBeNull();
  });

  it("shows what the answer does after the person kept what it did before", () => {
    const editor = editorOf();
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "Model-1", name: "Brain" });
    keepTurn(editor, "m1");
    applyUpdate(editor, "m1", { action: "rename_component", component_id: "ChatInput-1", name: "Ear" });
    const { shown, summary } = look(editor, answer());
    expect(Object.fromEntries(shown.marks)).toEqual({ "ChatInput-1": "changed" });
    expect(summary).toMatchObject({ changes: 1 });
  });

  it("draws a proposal where adding would put it, and marks what replacing would take away", () => {
    const editor = editorOf();
    const { shown, summary } = look(editor, answer({ proposal: proposal() }));
    expect(summary).toMatchObject({ proposed: 2 });
    const ghosts = nodesOf(shown.ghosts ?? {});
    expect(ghosts.map(({ id }) => id)).toEqual(["ChatInput-ghost1", "Agent-1"]);
    expect(ghosts[0]?.position).toEqual({ x: 960 + 320 + 80, y: 0 });
    expect(shown.marks.size).toBe(0);

    const replacing = look(editor, answer({ proposal: proposal() }), { hovered: "replace" }).shown;
    expect([...replacing.marks.values()]).toEqual(["removed", "removed", "removed", "removed"]);
    expect(replacing.ghosts).toEqual(shown.ghosts);
  });

  it("draws one that was taken only while somebody points at taking it again", () => {
    const again = answer({ proposal: proposal({ revertible: true }) });
    expect(look(editorOf(), again)).toMatchObject({ shown: { ghosts: null }, summary: null });
    expect(look(editorOf(), again, { hovered: "add" }).shown.ghosts).not.toBeNull();
  });

  it.each(["applied", "dismissed"] as const)("draws none that was %s", (status) => {
    expect(look(editorOf(), answer({ proposal: proposal({ status }) }))).toMatchObject({ shown: { ghosts: null }, summary: null });
  });

  it("has no ghosts of what is no flow", () => {
    expect(look(editorOf(), answer({ proposal: proposal({ flow: { data: 1 } }) })).shown.ghosts).toBeNull();
  });

  it("offers edits at their nodes, by the names of their fields", () => {
    const actions = { proposal: vi.fn(), edit: vi.fn() };
    const edits = [
      edit("e1", "Model-1", "input_value"),
      edit("e2", "Model-1", "system_message"),
      edit("e3", "ChatInput-1", "input_value", "applied"),
      edit("e4", "Gone-1", "x"),
    ];
    const { shown, summary } = look(editorOf(), answer({ edits }), {}, actions);
    expect([...shown.chips.keys()]).toEqual(["Model-1"]);
    expect(shown.chips.get("Model-1")?.map(({ label }) => label)).toEqual(["Input", "System message"]);
    expect(Object.fromEntries(shown.marks)).toEqual({ "Model-1": "changed" });
    expect(summary).toMatchObject({ edits: 2 });
    shown.chips.get("Model-1")?.[0]?.accept();
    shown.chips.get("Model-1")?.[1]?.reject();
    expect(actions.edit.mock.calls).toEqual([["m1", "e1", "accept"], ["m1", "e2", "dismiss"]]);
  });
});

describe("the newest answer", () => {
  it("is the last that is shown, whatever was said after it", () => {
    const of = (id: string, hidden = false): Message => ({ id, role: "assistant", hidden }) as AssistantMessage;
    const person: Message = { id: "p", role: "user", text: "", at: 0 };
    expect(newestAnswer([of("a"), of("b"), of("c", true), person])?.id).toBe("b");
    expect(newestAnswer([person])).toBeNull();
  });
});

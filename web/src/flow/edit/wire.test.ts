import { describe, expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { built, counting, taken } from "../fixtures/components";
import { apply } from "./apply";
import type { FlowDocument } from "./document";
import type { Edit } from "./edits";
import { patchFromServer, toServer } from "./wire";

function sent(document: FlowDocument, edit: Edit) {
  return toServer(edit, taken(apply(document, edit, counting())).patch);
}

describe("what the server gets", () => {
  it.each<Edit>([
    { op: "add", type: "Agent", id: "Agent-mine1", x: 1, y: 2 },
    { op: "remove", node: "Model-1" },
    { op: "move", moves: [{ node: "Model-1", x: 1, y: 2 }] },
    { op: "configure", node: "Model-1", values: { system_message: "x" } },
    { op: "note", node: "note-1", text: "x" },
    { op: "disconnect", source: "ChatInput-1", target: "Model-1" },
  ])("is the edit itself where it knows it: $op", (edit) => {
    expect(sent(chat(), edit)).toEqual(edit);
  });

  it("is the steps where it does not, or where an id was chosen here", () => {
    expect(sent(chat(), { op: "freeze", node: "Model-1", on: true })).toEqual({
      op: "patch",
      changes: [{ change: "set", node: "Model-1", path: ["data", "node", "frozen"], to: "true" }],
    });
    expect(sent(chat(), { op: "rename", node: "Model-1", name: "X" })).toEqual({
      op: "patch",
      changes: [
        {
          change: "set",
          node: "Model-1",
          path: ["data", "node", "display_name"],
          from: '"Language Model"',
          to: '"X"',
        },
      ],
    });
    const note = sent(chat(), { op: "note", text: "Hi" });
    expect(note).toMatchObject({ op: "patch", changes: [{ change: "insert_node", index: 4 }] });
    expect(sent(chat(), { op: "add", type: "Agent", x: 0, y: 0 })).toMatchObject({ op: "patch" });
    expect(sent(chat(), { op: "batch", edits: [{ op: "set_flow", data: {} }] })).toMatchObject({
      changes: [{ change: "replace", to: "{}" }],
    });
  });

  it("says where a value stood that is taken out", () => {
    const on = taken(
      apply(built(["URLComponent"]), { op: "tool_mode", node: "URLComponent-00001", on: true }, counting()),
    ).document;
    const off: Edit = { op: "batch", edits: [{ op: "tool_mode", node: "URLComponent-00001", on: false }] };
    const { changes } = sent(on, off) as { changes: { cut?: { index: number; text: string } }[] };
    expect(changes.at(-1)).toMatchObject({ cut: { index: 3 } });
    expect(changes.at(-1)?.cut?.text).toMatch(/^,"tools_metadata":\{/);
  });

  it("comes back as it was", () => {
    const edits: Edit[] = [
      { op: "group", nodes: ["ChatInput-1", "Model-1"], name: "G" },
      { op: "batch", edits: [{ op: "set_flow", data: { nodes: [], edges: [] } }] },
      { op: "freeze", node: "Model-1", on: true },
    ];
    for (const edit of edits) {
      const { patch } = taken(apply(chat(), edit, counting()));
      expect(patchFromServer(toServer({ op: "patch", ...patch }, patch))).toEqual(patch);
      expect(patchFromServer(JSON.parse(JSON.stringify(sent(chat(), edit))))).toEqual(patch);
    }
  });

  it.each([
    null,
    {},
    { changes: [null] },
    { changes: [{ change: "x" }] },
    { changes: [{ change: "set", node: 1, path: [] }] },
    { changes: [{ change: "set", node: "a", path: ["x"], to: "{" }] },
    { changes: [{ change: "insert_node", index: 0, text: "1" }] },
    { changes: [{ change: "replace", from: "{}" }] },
  ])("is no patch: %j", (value) => {
    expect(patchFromServer(value)).toBeNull();
  });
});

import { expect, it } from "vitest";
import type { FlowDiff } from "@/api/types";
import { invertDiff } from "./invertDiff";

const diff: FlowDiff = {
  identical: false,
  summary: {
    nodes_added: 1,
    nodes_removed: 0,
    nodes_changed: 1,
    wires_added: 0,
    wires_removed: 1,
    flow_changed: 0,
  },
  text: "",
  nodes_added: [{ id: "a", name: "A", kind: "component", type: "T" }],
  nodes_removed: [],
  nodes_changed: [
    {
      node: { id: "b", name: "B", kind: "component", type: "T" },
      changes: [{ path: "p", label: "Prompt", old: 1, new: "two" }],
    },
  ],
  wires_added: [],
  wires_removed: [{ from: { node: "a", name: "A", port: "o" }, to: { node: "b", name: "B", port: "i" } }],
  flow_changes: [],
};

it("swaps the sides, and twice is once", () => {
  const inverted = invertDiff(diff);
  expect(inverted.nodes_removed).toEqual(diff.nodes_added);
  expect(inverted.summary).toMatchObject({
    nodes_added: 0,
    nodes_removed: 1,
    wires_added: 1,
    wires_removed: 0,
  });
  expect(inverted.nodes_changed[0]?.changes[0]).toMatchObject({ old: "two", new: 1 });
  expect(inverted.text).toBe('- A (T)\n~ B (T)\n    Prompt: "two" -> 1\n+ A.o -> B.i');
  expect({ ...invertDiff(inverted), text: "" }).toEqual(diff);
});

import { describe, expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { built, counting, done, frozen, taken } from "../fixtures/components";
import { apply } from "./apply";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import type { Edit } from "./edits";
import { mergeSteps, patchBetween, rebasePatch } from "./merge";
import { inversePatch, type Patch } from "./patch";

const LOOP = built(
  ["URLComponent", "LoopComponent", "ParserComponent", "ChatOutput"],
  [
    ["URLComponent-00001", "page_results", "LoopComponent-00002", "data"],
    ["LoopComponent-00002", "item", "ParserComponent-00003", "input_data"],
    ["ParserComponent-00003", "parsed_text", "LoopComponent-00002", "item"],
  ],
);

interface Step {
  name: string;
  patch: Patch;
}

/** Edits made one after the other, each as a step. */
function steps(base: FlowDocument, edits: Edit[], ids = 200): Step[] {
  const context = counting(ids);
  let document = base;
  return edits.map((edit) => {
    const outcome = taken(apply(document, edit, context));
    document = outcome.document;
    return { name: edit.op, patch: outcome.patch };
  });
}

/** Two people change the same flow; `mine` comes second. */
function meet(mine: Edit[], theirs: Edit[], base = LOOP) {
  const remote = frozen(done(base, theirs, counting(700)));
  return mergeSteps(base, remote, steps(base, mine));
}

function conflict(mine: Edit, theirs: Edit): string {
  const { conflicts, document } = meet([mine], [theirs]);
  expect(JSON.stringify(document)).toBe(JSON.stringify(done(LOOP, [theirs], counting(700))));
  return conflicts[0]?.refusal.message ?? "none";
}

const parser = "ParserComponent-00003";
const set = (pattern: string): Edit => ({ op: "configure", node: parser, values: { pattern } });
const moved: Edit = { op: "move", moves: [{ node: parser, x: 7, y: 8 }] };
const gone: Edit = { op: "remove", node: parser };

describe("two people", () => {
  it("who change different things both get what they want, in either order", () => {
    const add: Edit = { op: "add", type: "Agent", x: 0, y: 0 };
    const cut: Edit = { op: "disconnect", source: "URLComponent-00001", target: "LoopComponent-00002" };
    const one = meet([set("{a}"), add], [moved, cut, { ...add }]);
    expect(one.conflicts).toEqual([]);
    expect(one.steps.map(({ name }) => name)).toEqual(["configure", "add"]);
    const other = meet([moved, cut, add], [set("{a}"), { ...add }]);
    expect(other.conflicts).toEqual([]);
    const shown = (document: FlowDocument) => ({
      nodes: nodesOf(document).length,
      parser: nodesOf(document)[2],
      wires: edgesOf(document).length,
    });
    expect(shown(one.document)).toEqual(shown(other.document));
    expect(shown(one.document)).toMatchObject({ nodes: 6, wires: 2, parser: { position: { x: 7, y: 8 } } });
    // Undoing what is left of the steps gives exactly what the other person saved.
    const remote = done(LOOP, [moved, cut, { ...add }], counting(700));
    const back = one.steps
      .toReversed()
      .reduce(
        (document, { patch }) => taken(apply(document, { op: "patch", ...inversePatch(patch) })).document,
        one.document,
      );
    expect(JSON.stringify(back)).toBe(JSON.stringify(remote));
  });

  it("who do the same do it once", () => {
    const { conflicts, steps: left, document } = meet([set("{a}")], [set("{a}")]);
    expect([conflicts, left]).toEqual([[], []]);
    expect(nodesOf(document)[2]).toMatchObject({
      data: { node: { template: { pattern: { value: "{a}" } } } },
    });
    expect(meet([gone], [gone])).toMatchObject({ conflicts: [], steps: [] });
  });

  it("who change the same thing are told, in the server's words", () => {
    expect(conflict(set("{a}"), set("{b}"))).toBe(
      "`data.node.template.pattern.value` of `ParserComponent-00003` has been changed by someone else; reload the flow and do it again",
    );
    expect(conflict(set("{a}"), gone)).toBe(
      "the node `ParserComponent-00003` is no longer there; reload the flow and do it again",
    );
    expect(conflict(gone, set("{a}"))).toBe(
      "`data.node.template.pattern.value` of `ParserComponent-00003` has been changed by someone else; reload the flow and do it again",
    );
    const wire: Edit = {
      op: "connect",
      source: parser,
      output: "parsed_text",
      target: "ChatOutput-00004",
      input: "input_value",
    };
    expect(conflict(wire, gone)).toContain("the node `ParserComponent-00003` is no longer there");
    expect(conflict(gone, wire)).toContain("the node `ParserComponent-00003` is no longer there");
    expect(conflict({ op: "set_flow", data: {} }, set("{a}"))).toBe(
      "the flow has been replaced by someone else; reload it and do it again",
    );
    const named = (text: string): Edit => ({
      op: "batch",
      edits: [
        { op: "add", type: "Agent", id: "mine", x: 0, y: 0 },
        { op: "rename", node: "mine", name: text },
      ],
    });
    expect(conflict(named("a"), named("b"))).toBe(
      "there is a node `mine` already; reload the flow and do it again",
    );
  });

  it("lose what stands on something that is gone, and nothing else", () => {
    const add: Edit = { op: "add", type: "Agent", id: "mine", x: 0, y: 0 };
    const {
      conflicts,
      steps: left,
      document,
    } = meet(
      [add, { op: "configure", node: "mine", values: { input_value: "x" } }, moved],
      [{ ...add, x: 5 }],
    );
    // The second step would have changed the other person's node.
    expect(conflicts.map(({ step, refusal }) => [step.name, refusal.code])).toEqual([
      ["add", "node_taken"],
      ["configure", "node_gone"],
    ]);
    expect(left.map(({ name }) => name)).toEqual(["move"]);
    expect(nodesOf(document)).toHaveLength(5);
    const chain = meet([set("{a}"), { op: "duplicate", nodes: [parser], dx: 1, dy: 1 }, moved], [gone]);
    expect(chain.conflicts.map(({ step }) => step.name)).toEqual(["configure", "move"]);
  });

  it("are not disturbed by what the canvas keeps about a node", () => {
    const base = chat();
    const remote: FlowDocument = {
      ...base,
      nodes: nodesOf(base).map((node) => ({ ...node, selected: true, measured: { width: 1 } })),
      edges: edgesOf(base).map((edge) => ({ ...edge, animated: true })),
    };
    expect(patchBetween(base, remote)).toEqual({ changes: [] });
    const merged = mergeSteps(base, remote, steps(base, [{ op: "remove", node: "Model-1" }]));
    expect(merged.conflicts).toEqual([]);
    expect(nodesOf(merged.document)).toHaveLength(3);
    expect(edgesOf(merged.document)).toEqual([]);
  });
});

describe("patches", () => {
  const patch = (edit: Edit): Patch => steps(LOOP, [edit])[0]?.patch ?? { changes: [] };

  it("are rebased as the server does it", () => {
    expect(rebasePatch(patch(set("{a}")), patch(moved))).toEqual({ ok: true, patch: patch(set("{a}")) });
    expect(rebasePatch(patch(set("{a}")), patch(set("{a}")))).toEqual({ ok: true, patch: { changes: [] } });
    expect(rebasePatch(patch(set("{a}")), patch(gone))).toMatchObject({
      ok: false,
      refusal: { code: "node_gone" },
    });
    const flow = patch({ op: "set_flow", data: {} });
    expect(rebasePatch(flow, flow)).toEqual({ ok: true, patch: { changes: [] } });
  });

  it("lead from one document to another", () => {
    const edits: Edit[] = [
      set("{a}"),
      { op: "remove", node: "URLComponent-00001" },
      { op: "note", text: "Hi" },
    ];
    const to = done(LOOP, edits);
    const reached = taken(apply(LOOP, { op: "patch", ...patchBetween(LOOP, to) })).document;
    expect(reached).toEqual(to);
    expect(patchBetween(LOOP, LOOP)).toEqual({ changes: [] });
  });
});

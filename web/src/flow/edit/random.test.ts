import { describe, expect, it } from "vitest";
import { approval, chat } from "../fixtures/build";
import { built, counting, frozen, taken } from "../fixtures/components";
import { damaged, random, randomJson } from "../fixtures/random";
import type { JsonRecord } from "../json";
import { parseFlow } from "../parse";
import { apply } from "./apply";
import { copyText, readClipboard } from "./clipboard";
import { edgesOf, nodesOf, openDocument, type FlowDocument } from "./document";
import type { Edit } from "./edits";
import { fittingInputs } from "./fit";
import { NO_HISTORY, redo, remember, restoreHistory, saveHistory, undo, type History } from "./history";
import { mergeSteps } from "./merge";
import { inversePatch, joinPatches, type Patch } from "./patch";
import { patchFromServer, toServer } from "./wire";

const PORTS = [
  "message",
  "input_value",
  "component_as_tool",
  "tools",
  "urls",
  "topic",
  "prompt",
  "item",
  "data",
  "model",
  "text_output",
  "page_results",
  "response",
];

function anyValue(next: () => number): unknown {
  return JSON.parse(JSON.stringify(randomJson(next, 2)) ?? "null");
}

function anyEdit(next: () => number, document: FlowDocument): Edit {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const ids = [...nodesOf(document).map(({ id }) => String(id)), "gone"];
  const node = pick(ids);
  const on = next() < 0.5;
  const some = ids.filter(() => next() < 0.4 && ids.length < 40);
  const number = (): number => pick([0, 1.5, -3.25, 1000, Math.round(next() * 500), Number.NaN]);
  const wires = parseFlow(document).wires;
  const edits: (() => Edit)[] = [
    () => ({
      op: "add",
      type: pick(["ChatInput", "Agent", "URLComponent", "LoopComponent", "Nope"]),
      x: number(),
      y: 1,
    }),
    () => ({ op: "remove", node }),
    () => ({ op: "connect", source: node, output: pick(PORTS), target: pick(ids), input: pick(PORTS) }),
    () => ({ op: "connect", source: node, output: pick(PORTS), target: pick(ids), input: pick(PORTS) }),
    () => ({ op: "disconnect", source: node, target: pick(ids) }),
    () => ({ op: "cut", wire: wires.length > 0 ? pick(wires).id : "none" }),
    () => ({ op: "configure", node, values: { [pick(PORTS)]: anyValue(next) } }),
    () => ({ op: "variable", node, field: pick(PORTS), name: "KEY" }),
    () => ({ op: "select_output", node, output: pick(PORTS) }),
    () => ({ op: "connection_mode", node, on }),
    () => ({ op: "tool_mode", node, on }),
    () => ({
      op: "move",
      moves: [
        { node, x: number(), y: number() },
        { node: pick(ids), x: 4, y: number() },
      ],
    }),
    () => ({ op: "note", ...(on ? { node } : {}), text: pick(PORTS), x: 1, y: 1 }),
    () => ({ op: "rename", node, name: pick(PORTS) }),
    () => ({ op: "freeze", node, on }),
    () => ({ op: "minimise", node, on }),
    () => ({ op: "resize", node, width: number(), height: 300 }),
    () => ({ op: "duplicate", nodes: some, dx: 40, dy: 100 }),
    () => ({ op: "group", nodes: some, name: "Group" }),
    () => ({ op: "ungroup", node: ids.find((id) => id.startsWith("Group")) ?? node }),
    () => ({ op: "refresh", node, component: { template: {}, outputs: [], tool_mode: on } }),
    () => ({
      op: "batch",
      edits: [
        { op: "remove", node },
        { op: "note", text: "x" },
      ],
    }),
    () => ({ op: "set_flow", data: on ? {} : { nodes: [], edges: [], keep: 1 } }),
  ];
  // Replacing everything is the least interesting thing to do often.
  return next() < 0.98 ? pick(edits.slice(0, -1))() : pick(edits)();
}

const STARTS: (() => FlowDocument)[] = [
  () => ({}),
  chat,
  approval,
  () =>
    built(
      ["ChatInput", "URLComponent", "Agent", "LoopComponent", "Prompt Template"],
      [["ChatInput-00001", "message", "Agent-00003", "input_value"]],
    ),
];

/** Everything that must hold of one edit; gives the document after it. */
function exercise(document: FlowDocument, edit: Edit, context: ReturnType<typeof counting>) {
  const before = JSON.stringify(document);
  const outcome = apply(document, edit, context);
  expect(JSON.stringify(document)).toBe(before);
  if (!outcome.ok) {
    expect(outcome.refusal.message).not.toMatch(/undefined|\[object/);
    return null;
  }
  const { document: after, inverse, patch } = outcome;
  expect(openDocument(after).ok).toBe(true);
  // What no step speaks of is the same object.
  const spoken = new Set(
    patch.changes.flatMap((change) =>
      change.change === "set" ? [change.node] : "item" in change ? [change.item.id] : [],
    ),
  );
  if (!patch.changes.some(({ change }) => change === "replace")) {
    const now = new Map(nodesOf(after).map((node) => [node.id, node]));
    for (const node of nodesOf(document)) if (!spoken.has(node.id)) expect(now.get(node.id)).toBe(node);
  }
  if (patch.changes.length === 0) expect(after).toBe(document);
  // Deep equal and in the same order, also after a trip as text.
  const back = taken(apply(after, JSON.parse(JSON.stringify(inverse)) as Edit)).document;
  expect(JSON.stringify(back)).toBe(before);
  expect(JSON.stringify(taken(apply(back, { op: "patch", ...patch })).document)).toBe(JSON.stringify(after));
  const wire = patchFromServer(toServer({ op: "batch", edits: [] }, patch));
  if (!patch.changes.some((change) => "bare" in change)) expect(wire).toEqual(patch);
  return { after, patch };
}

describe("any edits", () => {
  it("undo, redo, survive a reload and join into one patch", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const next = random(seed);
      const start = frozen(STARTS[seed % STARTS.length]?.() ?? {});
      const context = counting();
      let document = start;
      let history: History = NO_HISTORY;
      let all: Patch = { changes: [] };
      const texts = [JSON.stringify(start)];
      for (let count = 0; count < 15; count += 1) {
        const edit = anyEdit(next, document);
        const result = exercise(document, edit, context);
        if (!result) continue;
        document = frozen(result.after);
        const length = history.done.length;
        history = remember(history, edit, result.patch, count * 300, { steps: 99, letters: 1e9, pause: 500 });
        if (history.done.length > length) texts.push("");
        else if (history.done.length < length) texts.pop();
        texts[texts.length - 1] = JSON.stringify(document);
        all = joinPatches(all, result.patch);
      }
      const end = JSON.stringify(document);
      expect(JSON.stringify(taken(apply(start, { op: "patch", ...all })).document)).toBe(end);
      expect(JSON.stringify(taken(apply(document, { op: "patch", ...inversePatch(all) })).document)).toBe(
        texts[0],
      );
      history = restoreHistory(saveHistory(history, "f", { steps: 99, letters: 1e9, pause: 0 }), "f");
      for (const text of texts.slice(0, -1).toReversed()) {
        const stepped = undo(history, document);
        if (!stepped?.ok) throw new Error(`seed ${seed}: ${stepped?.refusal.message ?? "nothing to undo"}`);
        ({ history, document } = stepped);
        expect(JSON.stringify(document)).toBe(text);
      }
      for (let stepped = redo(history, document); stepped; stepped = redo(history, document)) {
        if (!stepped.ok) throw new Error(`seed ${seed}: ${stepped.refusal.message}`);
        ({ history, document } = stepped);
      }
      expect(JSON.stringify(document)).toBe(end);
    }
  });

  it("of two people merge without an exception, and lose nothing of the other's", () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const next = random(seed);
      const base = frozen(STARTS[1 + (seed % 3)]?.() ?? {});
      const walk = (ids: number): { document: FlowDocument; steps: { patch: Patch }[] } => {
        const context = counting(ids);
        const steps: { patch: Patch }[] = [];
        let document = base;
        for (let count = 0; count < 6; count += 1) {
          const outcome = apply(document, anyEdit(next, document), context);
          if (!outcome.ok) continue;
          ({ document } = outcome);
          steps.push({ patch: outcome.patch });
        }
        return { document, steps };
      };
      const remote = frozen(walk(100).document);
      const local = walk(500);
      const merged = mergeSteps(base, remote, local.steps);
      expect(openDocument(merged.document).ok).toBe(true);
      const back = merged.steps
        .toReversed()
        .reduce(
          (document, { patch }) => taken(apply(document, { op: "patch", ...inversePatch(patch) })).document,
          merged.document,
        );
      expect(JSON.stringify(back)).toBe(JSON.stringify(remote));
      // Nobody else was there: everything goes on top.
      const alone = mergeSteps(base, base, local.steps);
      expect(alone.conflicts).toEqual([]);
      expect(JSON.stringify(alone.document)).toBe(JSON.stringify(local.document));
    }
  });
});

describe("damaged documents", () => {
  it("are edited or refused, never with an exception", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = random(seed);
      const text = JSON.stringify(damaged(next, seed % 2 ? chat() : approval()));
      const document = JSON.parse(text ?? "null") as FlowDocument;
      if (!openDocument(document).ok) continue;
      frozen(document);
      const context = counting();
      for (let count = 0; count < 8; count += 1) exercise(document, anyEdit(next, document), context);
      for (const { id } of nodesOf(document).slice(0, 2))
        fittingInputs(document, context.registry, { node: String(id), output: "message" });
      copyText(
        document,
        nodesOf(document).map(({ id }) => String(id)),
      );
    }
  });

  it("on the clipboard are read or refused, and what is read can be pasted", () => {
    let pasted = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = random(seed);
      const value = seed % 3 ? damaged(next, chat(), 0.02) : randomJson(next);
      const read = readClipboard(JSON.stringify(value) ?? "");
      if (!read.ok) continue;
      pasted += 1;
      const edit: Edit = { op: "paste", nodes: read.nodes, edges: read.edges, dx: 1, dy: 1 };
      const outcome = taken(apply(chat(), edit, counting()));
      expect(nodesOf(outcome.document)).toHaveLength(4 + read.nodes.length);
      const known = new Set<unknown>(nodesOf(outcome.document).map((node: JsonRecord) => node.id));
      for (const { source, target } of edgesOf(outcome.document)) {
        expect(known.has(source)).toBe(true);
        expect(known.has(target)).toBe(true);
      }
    }
    expect(pasted).toBeGreaterThan(20);
  });
});

import { describe, expect, it } from "vitest";
import { apply } from "./edit/apply";
import type { Edit } from "./edit/edits";
import { chat } from "./fixtures/build";
import { keepSame, keptLayouts } from "./keepSame";
import type { Flow } from "./model";
import { parseFlow } from "./parse";

const document = chat();

function after(before: Flow, edit: Edit, open?: ReadonlySet<string>): Flow {
  const outcome = apply(document, edit);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  return keepSame(before, parseFlow(outcome.document, open));
}

function changed(before: Flow, now: Flow): string[] {
  return now.nodes.filter((node) => before.byId.get(node.id) !== node).map((node) => node.id);
}

describe("a flow that is read again", () => {
  it("is made of the same objects when nothing changed", () => {
    const before = parseFlow(document);
    const now = keepSame(before, parseFlow(document));
    expect(now.nodes).toBe(before.nodes);
    expect(now.wires).toBe(before.wires);
    expect(now.wiresOf).toBe(before.wiresOf);
  });

  it("has one new node after one field was set", () => {
    const before = parseFlow(document);
    const now = after(before, { op: "configure", node: "ChatInput-1", values: { input_value: "hello" } });
    expect(changed(before, now)).toEqual(["ChatInput-1"]);
    expect(now.wires).toBe(before.wires);
  });

  it("has one new node after one was moved", () => {
    const before = parseFlow(document);
    const now = after(before, { op: "move", moves: [{ node: "ChatInput-1", x: 7, y: 9 }] });
    expect(changed(before, now)).toEqual(["ChatInput-1"]);
  });

  it("has new nodes at both ends of a wire that went, because their ports look different", () => {
    const before = parseFlow(document);
    const [wire] = before.wires;
    const now = after(before, { op: "cut", wire: wire?.id ?? "" });
    expect(now.wires).toHaveLength(before.wires.length - 1);
    expect(now.wiresOf.get(wire?.target ?? "")).not.toBe(before.wiresOf.get(wire?.target ?? ""));
    expect(changed(before, now)).not.toContain("unrelated");
    expect(changed(before, now).every((id) => id === wire?.source || id === wire?.target)).toBe(true);
  });

  it("lays out only the cards that changed", () => {
    const before = parseFlow(document);
    const layouts = keptLayouts(null, before);
    const now = after(before, { op: "configure", node: "ChatInput-1", values: { input_value: "hello" } });
    const next = keptLayouts({ flow: before, layouts }, now);
    const fresh = [...next].filter(([id, layout]) => layouts.get(id) !== layout).map(([id]) => id);
    expect(fresh).toEqual(["ChatInput-1"]);
    expect(keptLayouts({ flow: now, layouts: next }, now)).toBe(next);
  });

  it("shows all fields of a card that was opened, and only of that", () => {
    const before = parseFlow(document);
    const now = keepSame(before, parseFlow(document, new Set(["ChatInput-1"])));
    expect(changed(before, now)).toEqual(["ChatInput-1"]);
  });
});

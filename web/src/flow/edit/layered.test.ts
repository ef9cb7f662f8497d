import { describe, expect, it } from "vitest";
import type { LayoutTask } from "./arrange";
import { layered } from "./layered";
import { collides } from "./place";

const size = { width: 100, height: 60 };

async function laid(ids: string[], wires: [string, string][]) {
  const task: LayoutTask = {
    nodes: ids.map((id) => ({ id, ...size })),
    wires: wires.map(([source, target]) => ({ source, target })),
  };
  return layered(task);
}

describe("arranging", () => {
  it("puts every node right of what leads to it", async () => {
    const wires: [string, string][] = [
      ["a", "b"],
      ["b", "c"],
      ["a", "c"],
      ["d", "c"],
    ];
    const places = await laid(["c", "b", "a", "d"], wires);
    for (const [source, target] of wires)
      expect(places.get(source)?.x ?? Infinity).toBeLessThan(places.get(target)?.x ?? -Infinity);
  });

  it("lets no two cards share ground", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const wires = ids.slice(1).map((id, index): [string, string] => [ids[Math.floor(index / 3)] ?? "n0", id]);
    const places = await laid([...ids, "alone"], wires);
    const rects = [...places.values()].map((place) => ({ ...place, ...size }));
    expect(rects).toHaveLength(41);
    for (const [index, one] of rects.entries())
      for (const other of rects.slice(index + 1)) expect(collides(one, other)).toBe(false);
  });

  it("does not stumble over a loop", async () => {
    const places = await laid(["a", "b", "c"], [
      ["a", "b"],
      ["b", "c"],
      ["c", "b"],
    ]);
    expect(places.get("a")?.x).toBeLessThan(places.get("b")?.x ?? 0);
    expect(places.get("b")?.x).toBeLessThan(places.get("c")?.x ?? 0);
  });

  it("gives the same places for the same flow", async () => {
    const wires: [string, string][] = [["a", "b"]];
    expect(await laid(["a", "b"], wires)).toEqual(await laid(["a", "b"], wires));
  });
});

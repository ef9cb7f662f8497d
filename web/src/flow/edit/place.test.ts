import { describe, expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { frozen } from "../fixtures/components";
import { random } from "../fixtures/random";
import { alignEdit, distributeEdit, layoutEdit, type Box } from "./arrange";
import { collides, placeAll, placeFree } from "./place";

const box = (x: number, y: number, width = 320, height = 200) => ({ x, y, width, height });

describe("placement", () => {
  it("leaves a free place alone; touching is free", () => {
    expect(placeFree(box(0, 0), [])).toEqual({ x: 0, y: 0, free: true });
    expect(placeFree(box(320, 0), [box(0, 0)])).toEqual({ x: 320, y: 0, free: true });
    expect(collides(box(0, 0), box(0, 200))).toBe(false);
    expect(collides(box(0, 0), box(319, 199))).toBe(true);
  });

  it("goes right by 40, then down by 100, in turn", () => {
    expect(placeFree(box(0, 0, 10, 10), [box(0, 0, 20, 20)])).toEqual({ x: 40, y: 0, free: true });
    expect(placeFree(box(0, 0, 10, 10), [box(0, 0, 60, 20)])).toEqual({ x: 40, y: 100, free: true });
    expect(placeFree(box(0, 0), [box(0, 0)])).toEqual({ x: 80, y: 200, free: true });
  });

  it("gives up after 50 tries", () => {
    expect(placeFree(box(0, 0), [box(-1e6, -1e6, 2e6, 2e6)])).toEqual({ x: 1000, y: 2500, free: false });
  });

  it("moves several boxes alike", () => {
    const others = [box(300, 0, 100, 100)];
    expect(placeAll([box(0, 0, 100, 100), box(300, 50, 100, 100)], others)).toEqual({
      x: 40,
      y: 100,
      free: true,
    });
    expect(placeAll([], others)).toEqual({ x: 0, y: 0, free: true });
  });

  it("never says free of a place that is not", () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = random(seed);
      const others = Array.from({ length: 20 }, () => box(next() * 1500, next() * 1500));
      const { x, y, free } = placeFree(box(next() * 500, next() * 500), others);
      expect(others.some((other) => collides(box(x, y), other))).toBe(!free);
    }
  });
});

const boxes: Box[] = [
  { id: "a", ...box(0, 0, 100, 50) },
  { id: "b", ...box(30, 200, 200, 100) },
  { id: "c", ...box(500, 90, 100, 20) },
];

describe("alignment", () => {
  it.each([
    [
      "left",
      [
        ["b", 0, 200],
        ["c", 0, 90],
      ],
    ],
    [
      "centre",
      [
        ["a", 250, 0],
        ["b", 200, 200],
        ["c", 250, 90],
      ],
    ],
    [
      "right",
      [
        ["a", 500, 0],
        ["b", 400, 200],
      ],
    ],
    [
      "top",
      [
        ["b", 30, 0],
        ["c", 500, 0],
      ],
    ],
    [
      "middle",
      [
        ["a", 0, 125],
        ["b", 30, 100],
        ["c", 500, 140],
      ],
    ],
    [
      "bottom",
      [
        ["a", 0, 250],
        ["c", 500, 280],
      ],
    ],
  ] as const)("%s", (how, expected) => {
    const moves = expected.map(([node, x, y]) => ({ node, x, y }));
    expect(alignEdit(frozen(boxes), how)).toEqual({ op: "move", moves });
  });

  it("has nothing to do for one box, or for boxes in line", () => {
    expect(alignEdit(boxes.slice(0, 1), "left")).toBeNull();
    expect(
      alignEdit(
        [boxes[0], boxes[0]].filter((one) => one !== undefined),
        "top",
      ),
    ).toBeNull();
  });
});

describe("distribution", () => {
  it("makes the gaps equal", () => {
    expect(distributeEdit(boxes, "horizontal")).toEqual({
      op: "move",
      moves: [{ node: "b", x: 200, y: 200 }],
    });
    expect(distributeEdit(boxes, "vertical")).toEqual({ op: "move", moves: [{ node: "c", x: 500, y: 115 }] });
    expect(distributeEdit(boxes.slice(0, 2), "vertical")).toBeNull();
  });
});

describe("layout", () => {
  const all = ["ChatInput-1", "Model-1", "ChatOutput-1", "note-1"].map((id, index): Box => ({
    id,
    ...box(index * 10, 40),
  }));

  it("asks for places and keeps the corner of the flow and the notes", async () => {
    const edit = await layoutEdit(chat(), all, ({ nodes, wires }) => {
      expect(nodes.map(({ id }) => id)).toEqual(["ChatInput-1", "Model-1", "ChatOutput-1"]);
      expect(wires).toEqual([
        { source: "ChatInput-1", target: "Model-1" },
        { source: "Model-1", target: "ChatOutput-1" },
      ]);
      return Promise.resolve(new Map(nodes.map(({ id }, layer) => [id, { x: 1000 + layer * 480, y: 500 }])));
    });
    expect(edit).toEqual({
      op: "move",
      moves: [
        { node: "Model-1", x: 480, y: 40 },
        { node: "ChatOutput-1", x: 960, y: 40 },
      ],
    });
  });

  it("does nothing without places", async () => {
    expect(await layoutEdit(chat(), all, () => new Map([["Model-1", { x: Number.NaN, y: 0 }]]))).toBeNull();
    expect(await layoutEdit({}, [], () => new Map())).toBeNull();
  });
});

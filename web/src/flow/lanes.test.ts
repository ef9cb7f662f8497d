import { expect, it } from "vitest";
import { flowLayouts } from "./card";
import { component, edge, field, output } from "./fixtures/build";
import { backLanes } from "./lanes";
import { parseFlow } from "./parse";

const part = {
  template: { f: field("f", { input_types: ["Message"] }) },
  outputs: [output("o", ["Message"])],
};

it("gives a lane only to wires that lead back, and around the cards in between", () => {
  const flow = parseFlow({
    nodes: [
      component("A-1", { ...part }),
      component("B-1", { ...part, at: [500, 0] }),
      component("C-1", { ...part, at: [1000, 0] }),
    ],
    edges: [edge("A-1", "o", "B-1", "f"), edge("B-1", "o", "C-1", "f"), edge("C-1", "o", "A-1", "f")],
  });
  const layouts = flowLayouts(flow);
  const lanes = backLanes(flow, layouts);
  expect([...lanes.keys()]).toEqual(["edge-C-1-o-A-1-f"]);
  const height = layouts.get("A-1")?.size.height ?? 0;
  const [lane = 0] = lanes.values();
  expect(lane > height || lane < 0).toBe(true);
});

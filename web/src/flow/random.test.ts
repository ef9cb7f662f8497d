import { describe, expect, it } from "vitest";
import { boundsOf } from "./bounds";
import { flowLayouts } from "./card";
import { compareFlows } from "./diff";
import { approval, chat } from "./fixtures/build";
import { damaged, random, randomJson } from "./fixtures/random";
import type { Flow } from "./model";
import { outline } from "./outline";
import { parseFlow } from "./parse";
import { previewField, previewText } from "./preview";
import { searchFlow } from "./search";
import { redact } from "./secrets";
import { step } from "./walk";

function exercise(flow: Flow): void {
  const layouts = flowLayouts(flow);
  for (const node of flow.nodes) {
    const layout = layouts.get(node.id);
    expect(layout && Number.isFinite(layout.size.height) && layout.size.height > 0).toBe(true);
    expect(new Set(node.ports.map((port) => port.id)).size).toBe(node.ports.length);
    if (node.kind === "component")
      for (const field of node.fields) expect(typeof previewText(previewField(field))).toBe("string");
    for (const direction of ["left", "right", "up", "down"] as const) step(flow, node.id, direction);
    redact(node.raw);
  }
  for (const wire of flow.wires) {
    expect(layouts.get(wire.source)?.ports.has(wire.sourcePort)).toBe(true);
    expect(layouts.get(wire.target)?.ports.has(wire.targetPort)).toBe(true);
  }
  const { steps, notes } = outline(flow);
  expect(steps.length + notes.length).toBe(flow.nodes.length);
  searchFlow(flow, "a m");
  boundsOf(flow.nodes.map((node) => ({ position: node.position, size: { width: 1, height: 1 } })));
}

describe("any JSON", () => {
  it("is read without an exception, and every wire it draws ends at a port", () => {
    for (let seed = 1; seed <= 1500; seed += 1) exercise(parseFlow(randomJson(random(seed))));
  });

  it("damaged flows are read too, and compared", () => {
    const documents = [chat(), approval()];
    let before = parseFlow(chat());
    for (let seed = 1; seed <= 600; seed += 1) {
      const flow = parseFlow(damaged(random(seed), documents[seed % 2]));
      exercise(flow);
      exercise(compareFlows(before, flow, []).flow);
      before = flow;
    }
  }, 30_000);
});

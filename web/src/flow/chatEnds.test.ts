import { expect, it } from "vitest";
import { chatEnds } from "./chatEnds";

const node = (type: string, more: object = {}) => ({ data: { type, ...more } });

it("finds a flow's Chat Input and Chat Output, also inside a group", () => {
  expect(chatEnds({ nodes: [node("ChatInput"), node("Agent")] })).toEqual({ input: true, output: false });
  const group = node("GroupNode", { node: { flow: { data: { nodes: [node("ChatOutput")] } } } });
  expect(chatEnds({ nodes: [group] })).toEqual({ input: false, output: true });
});

it("finds none in what is no flow, and comes back from one that holds itself", () => {
  for (const document of [null, 3, {}, { nodes: "?" }, { nodes: [null, {}, 3] }]) {
    expect(chatEnds(document)).toEqual({ input: false, output: false });
  }
  const loop: { nodes: unknown[] } = { nodes: [] };
  loop.nodes.push(node("GroupNode", { node: { flow: { data: loop } } }));
  expect(chatEnds(loop)).toEqual({ input: false, output: false });
});

import { expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { parseFlow } from "../parse";
import { refusal } from "./refusal";
import { spoken } from "./spoken";

const flow = parseFlow(chat());

it("names nodes as their cards do", () => {
  expect(spoken(refusal("not_a_note", { node: "ChatInput-1" }), flow)).toBe("“Chat Input” is not a note");
});

it("names both ends of a wire that does not fit", () => {
  const wire = "ChatInput-1.message -> ChatOutput-1.input_value";
  const text = spoken(refusal("types", { wire, outputs: ["Message"], inputs: ["Tool"] }), flow);
  expect(text).toContain("Chat Input");
  expect(text).toContain("→");
  expect(text).not.toContain("ChatInput-1");
});

it("names the way of a cycle", () => {
  const text = spoken(refusal("cycle", { path: ["ChatInput-1", "ChatOutput-1", "ChatInput-1"] }), flow);
  expect(text).not.toContain("ChatInput-1");
  expect(text).toContain("Chat Input → ");
});

it("leaves alone what it does not know", () => {
  expect(spoken(refusal("unknown_node", { node: "gone-1" }), flow)).toContain("“gone-1”");
});

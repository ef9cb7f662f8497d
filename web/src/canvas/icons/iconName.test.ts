import { expect, it } from "vitest";
import { iconName } from "./iconName";

it.each([
  ["MessagesSquare", "MessagesSquare"],
  ["brain-circuit", "BrainCircuit"],
  ["file_text", "FileText"],
  ["prompts", "Braces"],
  ["arXiv", "BookOpen"],
  ["constructor", "Constructor"],
  ["", ""],
])("%s is %s", (name, expected) => {
  expect(iconName(name)).toBe(expected);
});

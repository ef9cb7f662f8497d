import { expect, it } from "vitest";
import { lineIn, placeIn } from "./nodeCode";

it("finds the line that a message speaks of", () => {
  expect(lineIn("ValueError: too loud (line 15)")).toBe(15);
  expect(lineIn("Line 3: this is not Python")).toBe(3);
  expect(lineIn("The deadline 4 was missed, line 0")).toBeNull();
});

it("finds the first node and line that a refused run names, and nothing in other words", () => {
  const refused = "Refused to run: unsafe component code detected — Shout (loud) (Shout-a1b2c), line 12: `eval` is out; B (B-1), line 2: x";
  expect(placeIn(refused)).toEqual({ node: "Shout-a1b2c", line: 12 });
  expect(placeIn("ValueError: too loud (line 15)")).toBeNull();
  expect(placeIn("Agent (Agent-1) has no model.")).toBeNull();
});

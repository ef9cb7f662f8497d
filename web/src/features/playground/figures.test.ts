import { expect, it } from "vitest";
import { compact, costText, durationText } from "./figures";

const usage = (cost: number | null) => ({ input: 1, output: 1, cached: 0, reasoning: 0, cost });

it.each([
  [0, "0ms"],
  [593, "593ms"],
  [3140, "3.1s"],
  [125_000, "2m 5s"],
])("%i milliseconds are %s", (milliseconds, text) => {
  expect(durationText(milliseconds, "en")).toBe(text);
});

it("money is shown as small as it is", () => {
  expect(costText(usage(0.0015), "en")).toBe("$0.0015");
  expect(costText(usage(1.5), "en")).toBe("$1.50");
  expect(costText(usage(null), "en")).toBeNull();
});

it("large counts are short", () => {
  expect(compact(1234, "en")).toBe("1.2K");
});

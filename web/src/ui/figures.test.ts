import { expect, it } from "vitest";
import { costText, durationText, fineDuration, tokensText } from "./figures";

it.each([
  [0, "0ms"],
  [0.06, "<1ms"],
  [593.4, "593ms"],
  [3140, "3.1s"],
  [125_000, "2m 5s"],
  [3_725_000, "1h 2m"],
])("writes %d ms as %s", (milliseconds, expected) => {
  expect(durationText(milliseconds, "en")).toBe(expected);
});

it("tells short times apart where it matters", () => {
  expect([0, 0.04, 0.43, 9.96, 42.4].map((time) => fineDuration(time, "en"))).toEqual([
    "0ms",
    "<0.1ms",
    "0.4ms",
    "10ms",
    "42ms",
  ]);
});

it("writes money as small as it is", () => {
  expect(costText(0.00151, "en")).toBe("$0.0015");
  expect(costText(0, "en")).toBe("$0");
  expect(costText(12.345, "en")).toBe("$12.35");
});

it("writes tokens short", () => {
  expect(tokensText({ input: 1234, output: 56 }, "en")).toBe("1.2K→56");
});

import { expect, it } from "vitest";
import { nextZoom, zoomText } from "./zoom";

it("goes from stop to stop", () => {
  expect(nextZoom(1, 1)).toBe(1.25);
  expect(nextZoom(1, -1)).toBe(0.8);
  expect(nextZoom(0.9, 1)).toBe(1);
  expect(nextZoom(0.995, 1)).toBe(1.25);
  expect(nextZoom(2, 1)).toBe(2);
  expect(nextZoom(0.05, -1)).toBe(0.05);
  expect(zoomText(0.328)).toBe("33%");
});

import { expect, it } from "vitest";
import { keyLabels } from "./keys";

it("names keys as they are printed", () => {
  expect(keyLabels("mod+shift+k")).toEqual(["Ctrl", "Shift", "K"]);
  expect(keyLabels("f2")).toEqual(["F2"]);
  expect(keyLabels("+")).toEqual(["+"]);
  expect(keyLabels("alt++")).toEqual(["Alt", "+"]);
  expect(keyLabels("arrowdown")).toEqual(["↓"]);
});

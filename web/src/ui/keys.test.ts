import { expect, it } from "vitest";
import { isTyping, keyLabels, matchesKeys } from "./keys";

const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "shiftKey" | "altKey", boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

it.each([
  ["mod+k", press("k", { ctrlKey: true }), true],
  ["mod+k", press("K", { metaKey: true }), true],
  ["mod+k", press("k"), false],
  ["mod+k", press("k", { ctrlKey: true, shiftKey: true }), false],
  ["?", press("?", { shiftKey: true }), true],
  ["?", press("?"), true],
  ["/", press("/"), true],
  ["n", press("n", { ctrlKey: true }), false],
  ["arrowdown", press("ArrowDown"), true],
])("%s", (keys, event, fits) => {
  expect(matchesKeys(event, keys)).toBe(fits);
});

it("names keys as they are printed", () => {
  expect(keyLabels("mod+shift+k")).toEqual(["Ctrl", "Shift", "K"]);
  expect(keyLabels("f2")).toEqual(["F2"]);
});

it("knows when somebody is typing", () => {
  const input = document.createElement("input");
  const box = document.createElement("input");
  box.type = "checkbox";
  expect(isTyping(input)).toBe(true);
  expect(isTyping(box)).toBe(false);
  expect(isTyping(document.body)).toBe(false);
  expect(isTyping(null)).toBe(false);
});

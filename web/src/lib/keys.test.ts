import { describe, expect, it } from "vitest";
import { actWhileTyping, ariaKeys, isTyping, type KeyPress, keysOfPress, matchesKeys, refuseKeys, sameSpelling } from "./keys";

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
});

it.each<[string, KeyPress, boolean]>([
  ["mod+k", press("k", { ctrlKey: true }), true],
  ["mod+k", press("K", { ctrlKey: true }), true],
  ["mod+k", press("k", { metaKey: true }), false],
  ["mod+k", press("k"), false],
  ["mod+k", press("k", { ctrlKey: true, shiftKey: true }), false],
  ["mod+shift+z", press("Z", { ctrlKey: true, shiftKey: true }), true],
  ["?", press("?", { shiftKey: true }), true],
  ["?", press("?"), true],
  ["+", press("+", { shiftKey: true }), true],
  ["1", press("1", { shiftKey: true, code: "Digit1" }), true],
  ["shift+p", press("P", { shiftKey: true }), true],
  ["p", press("P", { shiftKey: true }), false],
  ["p", press("P"), true],
  ["/", press("/"), true],
  ["n", press("n", { ctrlKey: true }), false],
  ["n", press("n", { isComposing: true }), false],
  ["arrowdown", press("ArrowDown"), true],
  ["space", press(" "), true],
  ["shift+space", press(" ", { shiftKey: true }), true],
])("%s %o", (keys, event, fits) => {
  expect(matchesKeys(event, keys, false)).toBe(fits);
});

it.each<[string, KeyPress, boolean]>([
  ["mod+k", press("k", { metaKey: true }), true],
  // Control moves the cursor in texts on a Mac.
  ["mod+k", press("k", { ctrlKey: true }), false],
  ["ctrl+k", press("k", { ctrlKey: true }), true],
  ["alt+n", press("Dead", { altKey: true, code: "KeyN" }), true],
  ["alt+d", press("∂", { altKey: true, code: "KeyD" }), true],
])("on a Mac %s %o", (keys, event, fits) => {
  expect(matchesKeys(event, keys, true)).toBe(fits);
});

it.each<[string, KeyPress, boolean]>([
  ["mod+z", press("я", { ctrlKey: true, code: "KeyZ" }), true],
  ["n", press("т", { code: "KeyN" }), true],
  ["n", press("ㅜ", { code: "KeyN" }), true],
  ["n", press("Process", { code: "KeyN" }), true],
  ["i", press("ı", { code: "KeyI" }), true],
  // Keys of their own on Latin keyboards.
  ["0", press("à", { code: "Digit0" }), false],
  ["a", press("q", { code: "KeyA" }), false],
])("on other keyboards %s %o", (keys, event, fits) => {
  expect(matchesKeys(event, keys, false)).toBe(fits);
});

it("writes down what was pressed", () => {
  expect(keysOfPress(press("Z", { ctrlKey: true, shiftKey: true }), false)).toBe("mod+shift+z");
  expect(keysOfPress(press("?", { shiftKey: true }), false)).toBe("?");
  expect(keysOfPress(press("+", { altKey: true }), false)).toBe("alt++");
  expect(keysOfPress(press("Shift", { shiftKey: true }), false)).toBeNull();
  expect(keysOfPress(press("k", { metaKey: true, ctrlKey: true }), true)).toBe("mod+ctrl+k");
  expect(keysOfPress(press("ъ", { code: "BracketRight" }), false)).toBe("]");
});

it("matches what it wrote down", () => {
  for (const event of [
    press("?", { shiftKey: true }),
    press("+", { ctrlKey: true, shiftKey: true }),
    press(" ", { altKey: true }),
    press("F3", { shiftKey: true }),
    press("ü"),
  ]) {
    expect(matchesKeys(event, keysOfPress(event, false) ?? "", false)).toBe(true);
  }
});

describe("refuses", () => {
  it.each([
    ["mod+w", "browser"],
    ["mod+shift+n", "browser"],
    ["mod+t", "browser"],
    ["mod+1", "browser"],
    ["mod+shift+i", "browser"],
    ["alt+arrowleft", "browser"],
    ["f5", "browser"],
    ["tab", "walk"],
    ["shift+tab", "walk"],
    ["alt+f4", "system"],
    ["mod+i", null],
    ["n", null],
    ["f2", null],
    ["1", null],
  ])("%s: %s", (keys, reason) => expect(refuseKeys(keys, false)).toBe(reason));

  it("what a Mac keeps", () => {
    expect(refuseKeys("mod+q", true)).toBe("system");
    expect(refuseKeys("mod+q", false)).toBeNull();
  });
});

it("brings spellings together and drops what is no combination", () => {
  expect(sameSpelling("Shift+Mod+K")).toBe("mod+shift+k");
  expect(sameSpelling("+")).toBe("+");
  expect(sameSpelling("shift")).toBeNull();
  expect(sameSpelling("")).toBeNull();
});

it("knows which keys are text", () => {
  expect([actWhileTyping("mod+s"), actWhileTyping("f2"), actWhileTyping("escape")]).toEqual([true, true, true]);
  expect([actWhileTyping("n"), actWhileTyping("shift+p"), actWhileTyping("alt+n")]).toEqual([false, false, false]);
});

it("names keys for screen readers", () => {
  expect(ariaKeys("mod+k", false)).toBe("Control+K");
  expect(ariaKeys("mod+shift+z", true)).toBe("Meta+Shift+Z");
  expect(ariaKeys("+", false)).toBe("Plus");
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

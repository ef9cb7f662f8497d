import { expect, it } from "vitest";
import { checkImportFile } from "./imports";

it.each([
  ["flow.json", '{"name":"x"}', null],
  ["FLOW.JSON", "[]", null],
  ["many.zip", "PK", null],
  ["photo.png", "x", "kind"],
  ["broken.json", "{oops", "json"],
  ["empty.json", "", "empty"],
  ["large.zip", "x".repeat(200), "large"],
])("%s: %s → %s", async (name, text, problem) => {
  expect(await checkImportFile(new File([text], name), 100)).toBe(problem);
});

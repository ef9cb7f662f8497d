import { expect, it } from "vitest";
import { fileNameFrom } from "./transfer";

it.each([
  [null, "flow.json"],
  ['attachment; filename="My flow.json"', "My flow.json"],
  ["attachment; filename=plain.zip", "plain.zip"],
  [`attachment; filename="x.json"; filename*=UTF-8''caf%C3%A9.json`, "café.json"],
  [`attachment; filename*=UTF-8''%E0%A4%A`, "flow.json"],
  ["inline", "flow.json"],
])("reads the file name of %j", (header, name) => {
  expect(fileNameFrom(header, "flow.json")).toBe(name);
});

import { expect, it } from "vitest";
import { safeNext } from "./SessionPages";

it.each([
  ["/flow/1?x=2", "/flow/1?x=2"],
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["https://evil.example", "/"],
  ["javascript:alert(1)", "/"],
  [undefined, "/"],
])("after a sign-in, %s leads to %s", (next, path) => {
  expect(safeNext(next)).toBe(path);
});

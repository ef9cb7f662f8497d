// @vitest-environment node
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, it } from "vitest";

it("the generated types are those of the committed OpenAPI document", { timeout: 60_000 }, async () => {
  const document = JSON.parse(readFileSync(resolve("../docs/openapi.json"), "utf8"));
  const made = COMMENT_HEADER + astToString(await openapiTS(document, { emptyObjectsUnknown: true }));
  const kept = readFileSync(resolve("src/api/__generated__/schema.d.ts"), "utf8");
  expect(kept.trim() === made.trim(), "stale types: run cargo xtask generate").toBe(true);
});

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { component } from "./fixtures/build";
import { stripSecrets } from "./stripSecrets";

interface Case {
  about: string;
  fields: Record<string, never>;
  stripped?: Record<string, never>;
  removed: string[];
}

const file = resolve(import.meta.dirname, "../../../crates/ferro-model/tests/secrets.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as Case[];

describe("secrets in an export", () => {
  it.each(cases)("are taken out as the server does it: $about", ({ fields, stripped, removed }) => {
    const found = stripSecrets({ nodes: [component("A-1", { template: fields })], edges: [] });
    const kept = { nodes: [component("A-1", { template: stripped ?? fields })], edges: [] };
    expect(found.document).toEqual(kept);
    expect(found.removed.map((item) => item.field)).toEqual(removed);
    expect(stripSecrets(found.document)).toEqual({ document: kept, removed: [] });
  });
});

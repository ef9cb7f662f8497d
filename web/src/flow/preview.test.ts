import { describe, expect, it } from "vitest";
import { field } from "./fixtures/build";
import { readFields } from "./fields";
import { previewField, previewText, promptParts, type Preview } from "./preview";

function preview(init: Record<string, unknown>, name = "f"): Preview {
  const [read] = readFields({ template: { [name]: field(name, init) } });
  if (!read) throw new Error("no field");
  return previewField(read);
}

describe("previewField", () => {
  it("never shows a literal secret", () => {
    expect(preview({ password: true, value: "sk-live" })).toEqual({ kind: "secret" });
    expect(previewText(preview({ password: true, value: "sk-live" }))).not.toContain("sk-live");
    expect(preview({ value: "abc" }, "auth_token")).toEqual({ kind: "secret" });
    expect(preview({ type: "dict", value: { Authorization: "Bearer abc", Accept: "text" } })).toEqual({
      kind: "pairs",
      pairs: [
        { key: "Authorization", text: "••••••" },
        { key: "Accept", text: "text" },
      ],
    });
    expect(previewText(preview({ type: "table", value: [{ key: "api_key", value: "abc" }] }))).not.toContain(
      "abc",
    );
  });

  it("shows the name of a variable instead of its value", () => {
    expect(preview({ password: true, load_from_db: true, value: "OPENAI_API_KEY" })).toEqual({
      kind: "variable",
      name: "OPENAI_API_KEY",
      secret: true,
    });
  });

  it.each<[Record<string, unknown>, Preview]>([
    [{ value: "" }, { kind: "empty" }],
    [{ value: "hello" }, { kind: "text", text: "hello", long: false }],
    [
      { multiline: true, value: "a\nb" },
      { kind: "text", text: "a\nb", long: true },
    ],
    [
      { type: "int", value: 0 },
      { kind: "text", text: "0", long: false },
    ],
    [
      { type: "slider", value: 0.25, range_spec: { min: 0, max: 1 } },
      { kind: "slider", text: "0.25", ratio: 0.25 },
    ],
    [
      { type: "slider", value: 9, range_spec: { min: 0, max: 1 } },
      { kind: "slider", text: "9", ratio: 1 },
    ],
    [
      { type: "bool", value: false },
      { kind: "bool", on: false },
    ],
    [
      { options: ["a", "b"], value: "b" },
      { kind: "choice", text: "b" },
    ],
    [
      { type: "tab", options: ["a", "b"], value: "b" },
      { kind: "tabs", options: ["a", "b"], selected: "b" },
    ],
    [
      { list: true, value: ["x", "", "y"] },
      { kind: "chips", items: ["x", "y"] },
    ],
    [
      { type: "sortableList", value: [{ name: "Local", icon: "hard-drive" }] },
      { kind: "chips", items: ["Local"] },
    ],
    [
      { type: "file", file_path: "/tmp/u/report.pdf", value: "" },
      { kind: "files", names: ["report.pdf"] },
    ],
    [
      { type: "code", value: "a = 1\nb = 2" },
      { kind: "code", lines: 2, text: "a = 1\nb = 2" },
    ],
    [
      { type: "model", value: [{ name: "m1", provider: "Acme" }] },
      { kind: "model", provider: "Acme", name: "m1" },
    ],
    [
      { type: "model", value: "m1" },
      { kind: "model", provider: "", name: "m1" },
    ],
    [
      { type: "link", value: "javascript:alert(1)" },
      { kind: "link", text: "javascript:alert(1)", href: null },
    ],
    [
      { type: "link", value: "https://example.org/a" },
      { kind: "link", text: "https://example.org/a", href: "https://example.org/a" },
    ],
    [
      {
        type: "tools",
        value: [
          { name: "a", status: true },
          { name: "b", status: false },
        ],
      },
      { kind: "tools", on: ["a"], off: ["b"] },
    ],
    [
      { type: "duration", value: { value: 5, unit: "minutes" } },
      { kind: "text", text: "5 minutes", long: false },
    ],
    [
      { type: "table", value: [{ a: 1, b: null }] },
      { kind: "table", rows: 1, columns: ["a", "b"], cells: [["1", ""]] },
    ],
    [
      { type: "int", value: { odd: true } },
      { kind: "json", text: '{"odd":true}' },
    ],
  ])("previews %j", (init, expected) => {
    expect(preview(init)).toEqual(expected);
  });
});

describe("promptParts", () => {
  it("finds variables in each syntax and leaves escaped braces alone", () => {
    expect(
      promptParts('Hi {name}, {{ city }} and ${role}! {"json": 1} {{{odd}}}').filter(
        (part) => part.kind === "variable",
      ),
    ).toEqual([
      { kind: "variable", name: "name" },
      { kind: "variable", name: "city" },
      { kind: "variable", name: "role" },
      { kind: "variable", name: "odd" },
    ]);
  });

  it("keeps every other character", () => {
    expect(promptParts("a {b} c")).toEqual([
      { kind: "text", text: "a " },
      { kind: "variable", name: "b" },
      { kind: "text", text: " c" },
    ]);
    expect(promptParts("")).toEqual([]);
  });
});

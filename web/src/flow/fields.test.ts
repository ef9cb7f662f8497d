import { describe, expect, it } from "vitest";
import { component, field } from "./fixtures/build";
import { cardFields, isBasic, readFields } from "./fields";
import { recordOr } from "./json";

function fieldsOf(template: Record<string, unknown>, extra: Record<string, unknown> = {}) {
  return readFields(recordOr(recordOr(component("X-1", { template, ...extra }).data).node));
}

const names = (items: { name: string }[]) => items.map((item) => item.name);

describe("readFields", () => {
  it("follows field_order, then the document", () => {
    expect(
      names(fieldsOf({ b: field("b"), a: field("a"), z: field("z") }, { field_order: ["z", "a"] })),
    ).toEqual(["z", "a", "b"]);
  });

  it("skips what is no field", () => {
    expect(
      names(
        fieldsOf({
          is_refresh: false,
          _frontend_node_flow_id: { value: "x" },
          junk: { value: 1 },
          ok: field("ok"),
        }),
      ),
    ).toEqual(["ok"]);
  });

  it.each([
    [{ type: "int" }, "number"],
    [{ type: "float" }, "number"],
    [{ type: "slider" }, "slider"],
    [{ type: "bool" }, "bool"],
    [{ options: ["a"] }, "dropdown"],
    [{ options: ["a"], list: true }, "multiselect"],
    [{ list: true }, "list"],
    [{ multiline: true }, "multiline"],
    [{ type: "tab", options: ["a"] }, "tab"],
    [{ type: "NestedDict" }, "dict"],
    [{ type: "table" }, "table"],
    [{ type: "file" }, "file"],
    [{ type: "mustache" }, "prompt"],
    [{ type: "code" }, "code"],
    [{ type: "model" }, "model"],
    [{ type: "link" }, "link"],
    [{ type: "tools" }, "tools"],
    [{ type: "other", input_types: ["Tool"] }, "port"],
    [{ type: "other" }, "other"],
    [{ type: "toString" }, "other"],
    [{ password: true }, "secret"],
    [{ _input_type: "SecretStrInput" }, "secret"],
  ])("reads %j as %s", (init, kind) => {
    expect(fieldsOf({ f: field("f", init) })[0]?.kind).toBe(kind);
  });

  it("treats a text field named like a key as secret, but not a number of tokens", () => {
    const kinds = Object.fromEntries(
      fieldsOf({
        openai_api_key: field("openai_api_key"),
        max_tokens: field("max_tokens", { type: "int" }),
        tokens: field("tokens"),
      }).map((item) => [item.name, item.kind]),
    );
    expect(kinds).toEqual({ openai_api_key: "secret", max_tokens: "number", tokens: "text" });
  });

  it("survives values of the wrong type", () => {
    const [read] = fieldsOf({
      f: {
        name: 3,
        type: 7,
        display_name: null,
        options: "x",
        input_types: "Message",
        range_spec: [],
        table_schema: 4,
        show: "no",
      },
    });
    expect(read).toMatchObject({ name: "f", label: "F", kind: "text", options: [], types: [], range: null });
  });
});

describe("cardFields", () => {
  const many = fieldsOf({
    plain1: field("plain1"),
    plain2: field("plain2"),
    plain3: field("plain3"),
    port: field("port", { input_types: ["Message"] }),
    needed: field("needed", { required: true }),
    hidden: field("hidden", { show: false }),
    deep: field("deep", { advanced: true }),
    code: field("code", { type: "code" }),
  });

  it("shows four: required and ports first, in field order", () => {
    const { shown, more } = cardFields(many, new Set(), false);
    expect(names(shown)).toEqual(["plain1", "plain2", "port", "needed"]);
    expect(more).toBe(1);
  });

  it("always shows what a wire feeds, even advanced or hidden fields", () => {
    const { shown } = cardFields(many, new Set(["deep", "hidden"]), false);
    expect(names(shown)).toContain("deep");
    expect(names(shown)).toContain("hidden");
  });

  it("leaves out what the agent supplies in tool mode", () => {
    const [query] = fieldsOf({ query: field("query", { tool_mode: true }) });
    expect(query && isBasic(query, true)).toBe(false);
    expect(query && isBasic(query, false)).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { cellProblem, cellText, newRow, pasteSheet, readSheet, setCell, tableColumns, tableRows } from "./tables";

const schema = {
  columns: [
    { name: "name", display_name: "Name", type: "str", default: "field" },
    { name: "count", type: "int" },
    { name: "kind", options: ["str", "int"], default: "str" },
    { name: "many", type: "boolean", default: "False" },
    { name: "hidden", hidden: true },
    { name: "more", type: "dict" },
  ],
};
const columns = tableColumns(schema, []);

describe("a table", () => {
  it("has the columns of its schema, then those that only its rows have", () => {
    expect(columns.map(({ name, kind }) => `${name}:${kind}`)).toEqual(["name:text", "count:number", "kind:choice", "many:bool", "more:json"]);
    expect(tableColumns(schema.columns, [{ name: "a", extra: 1 }]).map(({ name }) => name)).toContain("extra");
    expect(tableColumns(undefined, [{ a: 1 }])).toMatchObject([{ name: "a", readOnly: false }]);
    expect(tableRows([{ a: 1 }, "x"])).toEqual([{ a: 1 }]);
  });

  it("starts rows with what the schema says", () => {
    expect(newRow(columns)).toEqual({ name: "field", count: "", kind: "str", many: false, more: "" });
  });

  it("keeps values in the kind of their column, and texts that do not fit as they are", () => {
    const [, count, , many, more] = columns;
    if (!count || !many || !more) throw new Error("columns");
    const set = (column: typeof count, typed: unknown) => setCell([{}], 0, column, typed)[0]?.[column.name];
    expect([set(count, " 12 "), set(count, "a dozen"), set(many, "yes"), set(many, "no"), set(more, "[1]"), set(more, "[1")]).toEqual([
      12, "a dozen", true, false, [1], "[1",
    ]);
    expect([cellProblem("a dozen", count), cellProblem(1.5, count), cellProblem("[1", more), cellProblem("", count)]).toEqual([
      "not_a_number", "not_whole", "not_json", null,
    ]);
    expect(cellText({ a: 1 })).toBe('{"a":1}');
  });
});

describe("cells from a spreadsheet", () => {
  const check = (pasted: string, wanted: string[][] | null) => expect(readSheet(pasted)).toEqual(wanted);

  it("are told from plain text", () => {
    check("plain", null);
    check("a\tb", [["a", "b"]]);
    check("a\r\nb\r\n", [["a"], ["b"]]);
    check('"two\nlines"\t"say ""hi"""\n\tx', [["two\nlines", 'say "hi"'], ["", "x"]]);
    check('5" pipe\t"open', [['5" pipe', '"open']]);
  });

  it("fill the table from a cell on and add rows", () => {
    const cells = readSheet("a\t1\tint\ttrue\textra\tlost\nb\t2") ?? [];
    expect(pasteSheet([{ name: "x", keep: 1 }], columns, { row: 0, column: 0 }, cells)).toEqual([
      { name: "a", count: 1, kind: "int", many: true, more: "extra", keep: 1 },
      { name: "b", count: 2, kind: "str", many: false, more: "" },
    ]);
    expect(pasteSheet([], columns, { row: 1, column: 1 }, [["7"]])).toMatchObject([{ name: "field" }, { count: 7 }]);
  });
});

import { describe, expect, it } from "vitest";
import { cellText, findInTree, gridOf, pathId, pathText, sortedRows, treeRows } from "./jsonTree";

const value = { name: "Ada", items: [{ id: 1 }, { id: 2 }], "odd key": null };

it("lists what is open and nothing of what is closed", () => {
  expect(treeRows(value, () => false).map((row) => row.label)).toEqual(["name", "items", "odd key"]);
  const open = treeRows(value, (id) => id === pathId(["items"]));
  expect(open.map((row) => `${row.level} ${row.label}`)).toEqual([
    "1 name",
    "1 items",
    "2 0",
    "2 1",
    "1 odd key",
  ]);
  expect(treeRows("text", () => true)).toMatchObject([{ label: "", value: "text", count: null }]);
});

it.each([
  [["items", 0, "id"], "items[0].id"],
  [[0, "a"], "[0].a"],
  [["odd key", "x"], '["odd key"].x'],
  [[], ""],
])("writes the path %j", (path, expected) => {
  expect(pathText(path)).toBe(expected);
});

it("finds names and texts, and says where they stand", () => {
  const { hits, within } = findInTree(value, "ID");
  expect(hits).toEqual(new Set([pathId(["items", 0, "id"]), pathId(["items", 1, "id"])]));
  expect(within).toContain(pathId(["items"]));
  expect(within).toContain(pathId(["items", 1]));
  expect(findInTree(value, "ada").hits).toEqual(new Set([pathId(["name"])]));
  expect(findInTree(value, " ").hits.size).toBe(0);
});

describe("a table", () => {
  const grid = gridOf([{ a: 10, b: "x" }, { a: 9 }, { b: "y", c: { d: 1 } }]);

  it("has every column that any row has", () => {
    expect(grid?.columns).toEqual(["a", "b", "c"]);
    expect(grid?.rows[2]?.map(cellText)).toEqual(["", "y", '{"d":1}']);
  });

  it("is sorted by size, with the empty last both ways", () => {
    if (!grid) throw new Error("no grid");
    expect(sortedRows(grid, 0, false, "en")).toEqual([1, 0, 2]);
    expect(sortedRows(grid, 0, true, "en")).toEqual([0, 1, 2]);
  });

  it.each([[[]], [[1, 2]], [{ a: 1 }], ["text"], [[{}]]])("is not made of %j", (other) => {
    expect(gridOf(other)).toBeNull();
  });
});

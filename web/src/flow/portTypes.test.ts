import { describe, expect, it } from "vitest";
import { canonicalTypes, compatible, portLook } from "./portTypes";

describe("port types", () => {
  it("treats Data as JSON and DataFrame as Table", () => {
    expect(canonicalTypes(["Data", "JSON", "DataFrame"])).toEqual(["JSON", "Table"]);
    expect(compatible(["Data"], ["JSON"])).toBe(true);
    expect(compatible(["Table"], ["DataFrame"])).toBe(true);
  });

  it("knows no other relation between types", () => {
    expect(compatible(["Message"], ["Data"])).toBe(false);
    expect(compatible(["Message"], [])).toBe(false);
  });

  it("gives every type a letter, also those it has never seen", () => {
    expect(portLook("DataFrame")).toEqual({ key: "table", letter: "T" });
    expect(portLook("Retriever")).toEqual({ key: "unknown", letter: "R" });
    expect(portLook("constructor")).toEqual({ key: "unknown", letter: "C" });
    expect(portLook("…")).toEqual({ key: "unknown", letter: "?" });
    expect(portLook(null)).toEqual({ key: "unknown", letter: "?" });
  });
});

import { describe, expect, it } from "vitest";
import { parseHandle } from "./handles";

describe("parseHandle", () => {
  it("reads keys in any order and spacing", () => {
    const expected = { kind: "output", node: "A-1", name: "message", types: ["Message"] };
    expect(parseHandle("{œdataTypeœ:œAœ,œidœ:œA-1œ,œnameœ:œmessageœ,œoutput_typesœ:[œMessageœ]}")).toEqual(
      expected,
    );
    expect(
      parseHandle("{ œoutput_typesœ: [œMessageœ], œnameœ : œmessageœ, œidœ: œA-1œ, œdataTypeœ: œAœ }"),
    ).toEqual(expected);
    expect(parseHandle('{"name":"message","id":"A-1","output_types":["Message"]}')).toEqual(expected);
    expect(parseHandle({ name: "message", id: "A-1", output_types: ["Message"] })).toEqual(expected);
  });

  it("tells fields, loops and group inputs apart", () => {
    expect(parseHandle({ fieldName: "input", id: "B", inputTypes: null })).toEqual({
      kind: "field",
      node: "B",
      field: "input",
      types: [],
      proxy: null,
    });
    expect(parseHandle({ fieldName: "x", id: "G", proxy: { id: "inner", field: "q" } })).toMatchObject({
      proxy: { id: "inner", field: "q" },
    });
    expect(parseHandle({ name: "item", id: "Loop", output_types: ["Data"] })).toMatchObject({
      kind: "output",
      name: "item",
    });
  });

  it("reads the legacy form and control names", () => {
    expect(parseHandle({ baseClasses: ["Message"], id: "A" })).toEqual({
      kind: "output",
      node: "A",
      name: "",
      types: ["Message"],
    });
    expect(parseHandle("approve")).toEqual({ kind: "named", name: "approve" });
  });

  it.each([null, undefined, 4, "", "{", "{œ", "{}", [], "{œidœ:1}", "null"])(
    "gives no port for %j",
    (value) => {
      const handle = parseHandle(value);
      expect(handle === null || handle.kind === "named").toBe(true);
    },
  );
});

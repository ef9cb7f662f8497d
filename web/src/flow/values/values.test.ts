import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../json";
import { readFields } from "../fields";
import { changeTool, chosenNames, dialogForm, readChoices, sortableValue, toolNameFits, toolRows } from "./choices";
import { dictProblem, dictRows, dictShape, dictValue, readJson, withText } from "./dicts";
import { acceptedEndings, chosenFiles, fileEntry, isAccepted } from "./files";
import { actionId, insertAt, itemText, listItems, moveItem, pastedLines, readActions, writeActions } from "./lists";
import { chosenModel, mcpServerName, modelFieldValue, readModelOptions, sameModel } from "./models";
import { numberRules, readDuration, readNumber, stepNumber } from "./numbers";
import { canUseVariable, suggestedVariable, variableFits } from "./variables";

const fieldOf = (raw: JsonRecord, name = "thing") => {
  const [field] = readFields({ template: { [name]: { name, type: "str", ...raw } } });
  if (!field) throw new Error("no field");
  return field;
};

describe("numbers", () => {
  const whole = numberRules({ type: "int", range_spec: { min: 0, max: 100, step: 5 } });
  const any = numberRules({ type: "float" });
  const check = (typed: string, rules: typeof whole, wanted: unknown) => {
    const read = readNumber(typed, rules);
    expect([typed, read.kind === "number" ? read.value : read.kind === "problem" ? read.problem : "empty"]).toEqual([typed, wanted]);
  };

  it("are read as typed, and only numbers are", () => {
    check(" 42 ", whole, 42);
    check("", whole, "empty");
    check("4.5", whole, "not_whole");
    check("101", whole, "too_large");
    check("-1", whole, "too_small");
    check("1e2", whole, 100);
    check("12px", any, "not_a_number");
    check("0x10", any, "not_a_number");
    check("Infinity", any, "not_a_number");
    check("1,5", any, "not_a_number");
    check(".5", any, 0.5);
    check("1.", any, 1);
  });

  it("step without binary dust and stay in their range", () => {
    expect(stepNumber("0.2", any, 1)).toBe(0.3);
    expect(stepNumber("0.25", any, -1)).toBe(0.15);
    expect(stepNumber("98", whole, 1)).toBe(100);
    expect(stepNumber("", whole, 1)).toBe(5);
    expect(stepNumber("rubbish", whole, 1)).toBe(5);
  });

  it("may come with a unit", () => {
    expect(readDuration({ value: 3, unit: "Days" }, ["Hours"])).toEqual({ value: 3, unit: "Days" });
    expect(readDuration(null, ["Minutes", "Hours"])).toEqual({ value: null, unit: "Minutes" });
  });
});

describe("lists", () => {
  it("are read from whatever way they were saved", () => {
    expect(listItems("one")).toEqual(["one"]);
    expect(listItems("")).toEqual([]);
    expect(listItems(null)).toEqual([]);
    expect(listItems([1, "b"]).map(itemText)).toEqual(["1", "b"]);
    expect(itemText({ text: "said" })).toBe("said");
  });

  it("move and insert without touching the original", () => {
    const items = ["a", "b", "c"];
    expect(moveItem(items, 0, 2)).toEqual(["b", "c", "a"]);
    expect(moveItem(items, 2, 5)).toEqual(items);
    expect(insertAt(items, 1, "x", "y")).toEqual(["a", "x", "y", "b", "c"]);
    expect(items).toEqual(["a", "b", "c"]);
  });

  it("take several pasted lines as several items", () => {
    expect(pastedLines("a\r\n\n b ")).toEqual(["a", "b"]);
    expect(pastedLines("one line\n")).toBeNull();
  });

  it("of decisions keep ids that wires hold on to, and all that was saved with them", () => {
    const saved = [{ id: "go", label: "Go on", colour: "green" }, "Stop it!"];
    expect(writeActions(readActions(saved))).toEqual([
      { id: "go", label: "Go on", colour: "green" },
      { id: "stop_it", label: "Stop it!" },
    ]);
    expect(actionId("Go", ["go", "go_2"])).toBe("go_3");
    expect(actionId("…", [])).toBe("action");
  });
});

describe("keys and values", () => {
  const round = (value: unknown) => dictValue(dictRows(value) ?? [], dictShape(value));

  it("come back in the shape they were saved in", () => {
    for (const value of [
      { a: "1", b: { deep: [1] }, c: null, __proto__x: 2 },
      [{ key: "a", value: "1" }, { key: "a", value: "2" }],
      [{ a: "1" }, { b: "2" }],
    ])
      expect(round(value)).toEqual(value);
    expect(round('{"a": 1}')).toEqual({ a: 1 });
    expect(dictRows("not json")).toBeNull();
    expect(dictRows([1])).toBeNull();
    expect(Object.keys(round(JSON.parse('{"__proto__": "x"}')) as object)).toEqual(["__proto__"]);
  });

  it("stay numbers and objects as long as what is typed is JSON", () => {
    const [row] = dictRows({ a: 1 }) ?? [];
    if (!row) throw new Error("no row");
    expect(withText(row, "12").value).toBe(12);
    expect(withText(withText(row, "twelve"), "12").value).toBe("12");
  });

  it("say which key is there twice or missing", () => {
    const rows = [
      { key: "a", text: "1", value: "1" },
      { key: "a", text: "2", value: "2" },
      { key: "", text: "3", value: "3" },
      { key: "", text: "", value: "" },
    ];
    expect(rows.map((_, index) => dictProblem(rows, index))).toEqual(["duplicate_key", "duplicate_key", "empty_key", null]);
    expect(dictValue(rows, "object")).toEqual({ a: "1" });
  });

  it("as JSON say where they are wrong", () => {
    expect(readJson("[1]")).toEqual({ kind: "value", value: [1] });
    const wrong = (source: string) => {
      const read = readJson(source);
      return read.kind === "problem" ? [read.line, read.column] : null;
    };
    expect(wrong('{\n  "a": x')).toEqual([2, 8]);
    expect(wrong("[1, 2")).toEqual([1, 6]);
    expect(wrong('{"a": 1,}')).toEqual([1, 9]);
    expect(wrong('{"a" 1}')).toEqual([1, 6]);
    expect(wrong("[1] 2")).toEqual([1, 5]);
    expect(wrong("[1}")).toEqual([1, 3]);
    expect(wrong('["open')).toEqual([1, 2]);
    expect(wrong('{"a": {"b": []}, "c": [{}, -1.5e3, null]}')).toBeNull();
  });
});

describe("choices", () => {
  it("are texts or objects, with what is known about them", () => {
    const raw = { options: ["a", { name: "b", display_name: "Bee" }, ""], options_metadata: [{ icon: "x", org: "Acme", size: 3 }] };
    expect(readChoices(raw).map(({ value, label, hint }) => [value, label, hint])).toEqual([
      ["a", "a", "Acme · size: 3"],
      ["b", "Bee", ""],
    ]);
    expect(chosenNames([{ name: "a", icon: "x" }, "b"])).toEqual(["a", "b"]);
  });

  it("of sortable lists are saved as they were offered, and lost ones as they were", () => {
    const choices = readChoices({ options: [{ name: "Local", icon: "disk" }] });
    expect(sortableValue(["Gone", "Local"], choices, [{ name: "Gone", icon: "old" }])).toEqual([
      { name: "Gone", icon: "old" },
      { name: "Local", icon: "disk" },
    ]);
  });

  it("may bring a form for a new one", () => {
    expect(dialogForm({ dialog_inputs: { fields: { data: { node: { template: { a: {} } } } } } })).toEqual({ template: { a: {} } });
    expect(dialogForm({ dialog_inputs: {} })).toBeNull();
  });
});

describe("tools", () => {
  const rows = [{ name: "get", display_name: "fetch", tags: ["fetch"], args: { url: 1 } }, "strange", { name: "b", status: false }];

  it("are read and changed without losing what is not shown", () => {
    expect(toolRows(rows).map(({ index, name, usualName, on }) => [index, name, usualName, on])).toEqual([
      [0, "get", "fetch", true],
      [2, "b", "b", false],
    ]);
    const asked = changeTool(rows, 0, { approval: true, name: "take" });
    expect(asked[0]).toEqual({ name: "take", display_name: "fetch", tags: ["fetch"], args: { url: 1 }, approval: true, approval_actions: ["approve", "reject"] });
    expect(asked[1]).toBe("strange");
    expect(toolRows(changeTool(asked, 0, { approval: false }))[0]?.approval).toBe(false);
    expect(toolRows(changeTool(rows, 2, { on: true }))[1]?.on).toBe(true);
  });

  it("have names that models take", () => {
    expect([toolNameFits("get_page-2"), toolNameFits("get page"), toolNameFits("")]).toEqual([true, false, false]);
  });
});

describe("models", () => {
  const options = [
    { name: "m1", provider: "A", icon: "i", metadata: { tool_calling: true, context_length: 1000 }, extra: 1 },
    { name: "m2", provider: "B", metadata: {} },
    { provider: "nameless" },
  ];

  it("are offered by what a field asks of them", () => {
    expect(readModelOptions(options, null).map(({ name }) => name)).toEqual(["m1", "m2"]);
    expect(readModelOptions(options, { tool_calling: true }).map(({ name }) => name)).toEqual(["m1"]);
  });

  it("are saved with provider and name, and found again", () => {
    const [first] = readModelOptions(options, {});
    if (!first) throw new Error("no option");
    expect(modelFieldValue(first)).toEqual([
      { name: "m1", provider: "A", icon: "i", metadata: { tool_calling: true, context_length: 1000 } },
    ]);
    expect(sameModel(chosenModel(modelFieldValue(first)), first)).toBe(true);
    expect(sameModel(chosenModel("m1"), first)).toBe(true);
    expect(sameModel(chosenModel([{ name: "m1", provider: "B" }]), first)).toBe(false);
    expect(chosenModel("connect_other_models")).toBeNull();
    expect(chosenModel([])).toBeNull();
  });

  it("are not MCP servers, which are known by name", () => {
    expect([mcpServerName({ name: "files" }), mcpServerName("plain"), mcpServerName({})]).toEqual(["files", "plain", ""]);
  });
});

describe("files", () => {
  it("have a path beside the name people see", () => {
    expect(chosenFiles({ value: ["a.txt", "b.txt"], file_path: ["u/1", "u/2"] })).toEqual([
      { path: "u/1", name: "a.txt" },
      { path: "u/2", name: "b.txt" },
    ]);
    expect(chosenFiles({ value: "", file_path: ["u/a.txt"] })).toEqual([{ path: "u/a.txt", name: "a.txt" }]);
    expect(chosenFiles({ value: "u/old.csv", file_path: "" })).toEqual([{ path: "u/old.csv", name: "old.csv" }]);
    expect(chosenFiles({ value: "", file_path: "" })).toEqual([]);
  });

  it("are saved as one or several, as the field has it", () => {
    const files = [{ path: "u/1", name: "a" }, { path: "u/2", name: "b" }];
    expect(fileEntry(files, true)).toEqual({ value: ["a", "b"], file_path: ["u/1", "u/2"] });
    expect(fileEntry(files, false)).toEqual({ value: "a", file_path: "u/1" });
    expect(fileEntry([], false)).toEqual({ value: "", file_path: "" });
    expect(fileEntry([], true)).toEqual({ value: [], file_path: [] });
  });

  it("are taken by their endings", () => {
    const endings = acceptedEndings({ fileTypes: [".CSV", "txt"] });
    expect([isAccepted("A.csv", endings), isAccepted("a.exe", endings), isAccepted("csv", endings)]).toEqual([true, false, false]);
    expect(isAccepted("anything", [])).toBe(true);
  });
});

describe("variables", () => {
  it("fit single texts, and credentials only secret ones", () => {
    const plain = fieldOf({});
    const secret = fieldOf({ password: true });
    expect(canUseVariable(plain, { type: "str" })).toBe(true);
    expect(canUseVariable(fieldOf({ list: true }), { type: "str" })).toBe(false);
    expect(canUseVariable(fieldOf({ type: "prompt" }), { type: "prompt", load_from_db: false })).toBe(false);
    expect(variableFits("Credential", plain)).toBe(false);
    expect(variableFits("Credential", secret)).toBe(true);
    expect(variableFits("Generic", secret)).toBe(true);
  });

  it("get a name that is free", () => {
    const field = fieldOf({}, "api_key");
    expect(suggestedVariable(field, "WebSearch", [])).toBe("API_KEY");
    expect(suggestedVariable(field, "WebSearch", ["API_KEY"])).toBe("WEB_SEARCH_API_KEY");
  });
});

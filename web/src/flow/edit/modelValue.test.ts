import { describe, expect, it } from "vitest";
import { BY_WIRE, modelValue } from "./modelValue";

const MODEL = [{ name: "gpt-4o", provider: "OpenAI" }];

describe("a model", () => {
  it.each([
    [MODEL],
    [MODEL[0]],
    [JSON.stringify(MODEL)],
    [JSON.stringify(JSON.stringify(MODEL))],
    [JSON.stringify(MODEL[0])],
    [[JSON.stringify(MODEL[0])]],
    [[{ name: JSON.stringify(MODEL), provider: "Unknown" }]],
    [[{ name: '[{"name":"gpt-4o"}]', provider: "OpenAI" }]],
    [[{ name: '["gpt-4o"]', provider: "OpenAI" }]],
  ])("is known in the disguise %j", (value) => {
    expect(modelValue(value)).toEqual(MODEL);
  });

  it.each([
    ["gpt-4o"],
    [BY_WIRE],
    [null],
    [""],
    [4],
    [true],
    ["{not json"],
    ['{"no": "name"}'],
    [[]],
    ["[1]"],
  ])("%j stays as it is", (value) => {
    expect(modelValue(value)).toEqual(value);
  });

  it("wrapped too often stays as it is, and takes no time", () => {
    let name = "gpt-4o";
    for (let round = 0; round < 8; round += 1) name = JSON.stringify({ name });
    expect(modelValue([{ name }])).toEqual([{ name }]);
  });
});

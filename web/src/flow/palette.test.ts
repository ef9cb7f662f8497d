import { describe, expect, it } from "vitest";
import { readRegistry } from "./edit/registry";
import type { JsonRecord } from "./json";
import { byCategory, fitsWire, isShown, paletteItems, remembered, spelledCategory } from "./palette";
import { searchPalette, suggestComponents } from "./paletteSearch";

function component(name: string, init: JsonRecord = {}): JsonRecord {
  return { display_name: name, description: "", template: {}, outputs: [], ...init };
}

const message = { name: "message", display_name: "Text", types: ["Message"] };

const registry = readRegistry({
  utilities: { CurrentDate: component("Current Date", { outputs: [message], description: "The date of today." }) },
  input_output: {
    ChatOutput: component("Chat Output", {
      template: {
        input_value: { type: "str", display_name: "Inputs", input_types: ["Data", "Message"], required: true },
        hidden: { type: "str", input_types: ["Table"], show: false },
      },
    }),
    ChatInput: component("Chat Input", { outputs: [message], documentation: "https://example.com/chat" }),
  },
  zebra_tools: { Zebra: component("Zebra", { beta: true, documentation: "javascript:alert(1)" }) },
  models_and_agents: {
    LanguageModelComponent: component("Language Model", {
      template: { temperature: { type: "slider", display_name: "Temperature" } },
      outputs: [message],
    }),
    Agent: component("Agent", { description: "Uses tools to answer.", add_tool_output: true }),
  },
  processing: { ParseJSONData: component("Parse JSON", { legacy: true }) },
});
const items = paletteItems(registry);
const item = (type: string) => {
  const found = items.find((each) => each.type === type);
  if (!found) throw new Error(type);
  return found;
};
const find = (query: string) => searchPalette(items, query, spelledCategory).map((match) => match.item.type);

describe("the list", () => {
  it("has the known categories in their order, the others after them", () => {
    expect(byCategory(items).map((group) => [group.category, group.items.map((each) => each.name)])).toEqual([
      ["input_output", ["Chat Input", "Chat Output"]],
      ["models_and_agents", ["Agent", "Language Model"]],
      ["processing", ["Parse JSON"]],
      ["utilities", ["Current Date"]],
      ["zebra_tools", ["Zebra"]],
    ]);
    expect(spelledCategory("zebra_tools")).toBe("Zebra tools");
  });

  it("names what can be wired, with today's names of the types", () => {
    expect(item("ChatOutput").inputs).toEqual([
      { name: "input_value", label: "Inputs", types: ["JSON", "Message"], required: true },
    ]);
    expect(item("ChatInput").outputs.map(({ label, types }) => [label, types])).toEqual([["Text", ["Message"]]]);
  });

  it("links only to documentation on the web", () => {
    expect(item("ChatInput").documentation).toBe("https://example.com/chat");
    expect(item("Zebra").documentation).toBe("");
  });

  it("hides legacy and beta until they are asked for", () => {
    expect(isShown(item("ParseJSONData"), { legacy: false, beta: true })).toBe(false);
    expect(isShown(item("ParseJSONData"), { legacy: true, beta: false })).toBe(true);
    expect(isShown(item("Zebra"), { legacy: true, beta: false })).toBe(false);
    expect(isShown(item("Agent"), { legacy: false, beta: false })).toBe(true);
  });
});

describe("the search", () => {
  it.each([
    ["", items.map((each) => each.type)],
    ["chat", ["ChatInput", "ChatOutput"]],
    ["CHAT  out", ["ChatOutput", "ChatInput"]],
    ["output chat", ["ChatOutput", "ChatInput"]],
    ["chtin", ["ChatInput"]],
    ["lm", ["LanguageModelComponent"]],
    ["temperature", ["LanguageModelComponent"]],
    ["today", ["CurrentDate"]],
    ["zebra tools", ["Zebra"]],
    ["parsejson", ["ParseJSONData"]],
    ["Ágent", ["Agent", "LanguageModelComponent"]],
    ["chat zebra", []],
    ["qqq", []],
    ["(.*", []],
  ])("for “%s”", (query, types) => {
    expect(find(query)).toEqual(types);
  });

  it("puts a name before a mention", () => {
    expect(find("input")).toEqual(["ChatInput", "ChatOutput"]);
    expect(find("tools")[0]).toBe("Zebra");
    expect(find("tools")).toContain("Agent");
  });

  it("says in which field it was found", () => {
    const [match] = searchPalette(items, "model temper", spelledCategory);
    expect(match).toMatchObject({ where: "field", label: "Temperature" });
    expect(searchPalette(items, "agent", spelledCategory)[0]).toMatchObject({ where: "name" });
  });

  it("takes less than a frame for some hundred components", () => {
    const many = readRegistry({
      processing: Object.fromEntries(
        Array.from({ length: 500 }, (_, index) => [
          `Component${index}`,
          component(`Component number ${index}`, {
            description: "Takes something and gives something else back.",
            template: Object.fromEntries(
              Array.from({ length: 15 }, (__, field) => [`field_${field}`, { display_name: `Field ${field}` }]),
            ),
          }),
        ]),
      ),
    });
    const all = paletteItems(many);
    searchPalette(all, "warm up", spelledCategory);
    // The best of many: other work on the machine is not what is measured.
    const times = ["c", "comp 4", "number 49", "else back", "nothing at all"].map((query) =>
      Math.min(
        ...Array.from({ length: 20 }, () => {
          const start = performance.now();
          searchPalette(all, query, spelledCategory);
          return performance.now() - start;
        }),
      ),
    );
    expect(Math.max(...times)).toBeLessThan(16);
  });
});

describe("what fits a wire", () => {
  it.each([
    [{ types: ["Data"], side: "out" as const }, ["ChatOutput"]],
    [{ types: ["Table"], side: "out" as const }, []],
    [{ types: ["Message"], side: "in" as const }, ["ChatInput", "CurrentDate", "LanguageModelComponent"]],
    [{ types: ["Tool"], side: "in" as const }, ["Agent"]],
  ])("%o", (filter, types) => {
    expect(items.filter((each) => fitsWire(each, filter)).map((each) => each.type)).toEqual(types);
  });
});

it.each([
  ["an agent with tools, please", ["Agent"]],
  ["what is today's date", ["CurrentDate"]],
  ["make me a flow", []],
])("proposes components for “%s”", (description, types) => {
  expect(suggestComponents(items, description).map((each) => each.type)).toEqual(types);
});

it("remembers the last ones, each once", () => {
  expect(remembered(["a", "b", "c"], "b", 3)).toEqual(["b", "a", "c"]);
  expect(remembered(["a", "b", "c"], "d", 3)).toEqual(["d", "a", "b"]);
});

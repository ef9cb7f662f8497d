import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { english } from "./english";
import { englishOfAssistant } from "./englishOfAssistant";
import { englishOfCode } from "./englishOfCode";
import { englishOfFlows } from "./englishOfFlows";
import korean from "./korean";
import portuguese from "./portuguese";

const src = resolve(import.meta.dirname, "..");

/** Keys made at run time from these beginnings. */
const madeAtRunTime = ["shell.shortcut.", "shell.shortcutGroup.", "flow.shortcuts."];

const plural = /_(zero|one|two|few|many|other)$/;

function flatten(tree: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [name, text] of flatten(value, `${prefix}${key}.`)) found.set(name, text);
  }
  return found;
}

const texts = { en: flatten({ ...english, ...englishOfFlows, ...englishOfCode, ...englishOfAssistant }), pt: flatten(portuguese), ko: flatten(korean) };
const base = (key: string) => key.replace(plural, "");
const bases = (language: keyof typeof texts) => new Set([...texts[language].keys()].map(base));

const source = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => readFileSync(join(src, file), "utf8"))
  .join("\n");

describe.each(["pt", "ko"] as const)("%s", (language) => {
  it("has every text of English and no other", () => {
    const missing = [...bases("en")].filter((key) => !bases(language).has(key));
    const extra = [...bases(language)].filter((key) => !bases("en").has(key));
    expect({ missing, extra }).toEqual({ missing: [], extra: [] });
  });

  it("fills in the same values", () => {
    const values = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();
    const differing = [...texts[language]].flatMap(([key, text]) => {
      const original = texts.en.get(key) ?? texts.en.get(`${base(key)}_other`) ?? "";
      const wanted = values(original).filter((value) => value !== "{{count}}");
      const given = values(text).filter((value) => value !== "{{count}}");
      // A singular may name the one thing where the plural counts them.
      const subset = plural.test(key) ? given.every((value) => source.includes(value.slice(2, -2))) : false;
      return subset || String(wanted) === String(given) ? [] : [key];
    });
    expect(differing).toEqual([]);
  });

  it("has the plural forms its language needs", () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const needed = forms.filter((form) => form !== "many");
    const counted = [...texts.en.keys()].filter((key) => key.endsWith("_other")).map(base);
    const lacking = counted.flatMap((key) =>
      needed.filter((form) => !texts[language].has(`${key}_${form}`)).map((form) => `${key}_${form}`),
    );
    expect(lacking).toEqual([]);
  });

  it("leaves no text empty", () => {
    expect([...texts[language]].filter(([, text]) => !text.trim()).map(([key]) => key)).toEqual([]);
  });
});

it("every text is used", () => {
  const unused = [...bases("en")].filter(
    (key) => !source.includes(`"${key}"`) && !madeAtRunTime.some((start) => key.startsWith(start)),
  );
  expect(unused).toEqual([]);
});

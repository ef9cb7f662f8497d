import { isRecord, text, toJson } from "@/flow/json";

/** Words for values that have none of their own. */
export interface ValueWords {
  yes: string;
  no: string;
}

/**
 * A value as a person would write it: text as text with its lines, a model by its name, a list a line for each. Only
 * what has parts of its own becomes indented JSON. Empty for what is empty.
 */
export function valueText(value: unknown, words: ValueWords): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return modelIn(value) ?? value.replaceAll("\r\n", "\n");
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const model = modelName(value);
  if (model !== null) return model;
  if (Array.isArray(value)) {
    if (value.every((item) => !isRecord(item) && !Array.isArray(item))) {
      return value.map((item) => valueText(item, words)).join("\n");
    }
  } else if (isRecord(value) && Object.keys(value).length === 0) {
    return "";
  }
  return toJson(value, 2) ?? "";
}

/** A chosen model, alone or as the only one of a list. */
function modelName(value: unknown): string | null {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isRecord(one)) return null;
  const name = text(one.name);
  const provider = text(one.provider);
  if (name === "" || provider === "") return null;
  // Written as text by somebody, once too often: what it says is in there.
  return modelIn(name) ?? `${name} (${provider})`;
}

function modelIn(written: string): string | null {
  if (!/^\s*\[?\s*\{/.test(written) || written.length > 20_000) return null;
  try {
    return modelName(JSON.parse(written));
  } catch {
    return null;
  }
}

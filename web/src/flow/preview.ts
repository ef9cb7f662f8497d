import { arrayOr, isEmptyValue, isRecord, recordOr, scalarText, text, toJson } from "./json";
import type { Field } from "./model";
import { isSecretName, MASK } from "./secrets";

export type PromptPart = { kind: "text"; text: string } | { kind: "variable"; name: string };

/** What can be shown of a field's value without editing it. */
export type Preview =
  | { kind: "empty" }
  | { kind: "text"; text: string; long: boolean }
  | { kind: "slider"; text: string; ratio: number }
  | { kind: "bool"; on: boolean }
  | { kind: "choice"; text: string }
  | { kind: "tabs"; options: string[]; selected: string }
  | { kind: "chips"; items: string[] }
  | { kind: "pairs"; pairs: { key: string; text: string }[] }
  | { kind: "table"; rows: number; columns: string[]; cells: string[][] }
  | { kind: "files"; names: string[] }
  | { kind: "secret" }
  | { kind: "variable"; name: string; secret: boolean }
  | { kind: "prompt"; parts: PromptPart[] }
  | { kind: "code"; lines: number; text: string }
  | { kind: "model"; provider: string; name: string }
  | { kind: "link"; text: string; href: string | null }
  | { kind: "tools"; on: string[]; off: string[] }
  | { kind: "json"; text: string };

export function previewField(field: Field): Preview {
  const { value } = field;
  if (field.variable) return { kind: "variable", name: field.variable, secret: field.kind === "secret" };
  if (field.kind === "secret") return isEmptyValue(value) ? { kind: "empty" } : { kind: "secret" };
  if (field.kind === "bool") return { kind: "bool", on: value === true || value === "true" || value === 1 };
  if (field.kind === "tab") return previewTabs(field);
  if (isEmptyValue(value)) return { kind: "empty" };
  switch (field.kind) {
    case "multiline":
      return longText(value, true);
    case "number":
    case "text":
      return longText(value, false);
    case "slider":
      return previewSlider(field);
    case "dropdown":
      return previewChoice(value);
    case "multiselect":
    case "list":
      return previewChips(value);
    case "dict":
      return previewPairs(value);
    case "table":
      return previewTable(field);
    case "file":
      return previewFiles(value);
    case "prompt":
      return typeof value === "string" ? { kind: "prompt", parts: promptParts(value) } : anyJson(value);
    case "code":
      return typeof value === "string"
        ? { kind: "code", lines: value.split("\n").length, text: value }
        : anyJson(value);
    case "model":
      return previewModel(value);
    case "link":
      return { kind: "link", text: scalarText(value) || (toJson(value) ?? ""), href: safeHref(value) };
    case "tools":
      return previewTools(value);
    case "duration": {
      const { value: amount, unit } = recordOr(value);
      return isRecord(value)
        ? { kind: "text", text: `${scalarText(amount)} ${scalarText(unit)}`.trim(), long: false }
        : anyJson(value);
    }
    default:
      return anyJson(value);
  }
}

function longText(value: unknown, long: boolean): Preview {
  const shown = scalarText(value);
  return shown === "" ? anyJson(value) : { kind: "text", text: shown, long };
}

function anyJson(value: unknown): Preview {
  const scalar = scalarText(value);
  if (scalar !== "") return { kind: "text", text: scalar, long: false };
  const json = toJson(value);
  return json === null ? { kind: "empty" } : { kind: "json", text: json };
}

function previewSlider(field: Field): Preview {
  const amount = typeof field.value === "number" ? field.value : Number(scalarText(field.value));
  if (!Number.isFinite(amount)) return anyJson(field.value);
  const { min, max } = field.range ?? { min: 0, max: 1 };
  return {
    kind: "slider",
    text: String(amount),
    ratio: Math.min(1, Math.max(0, (amount - min) / (max - min))),
  };
}

function previewTabs(field: Field): Preview {
  const selected = scalarText(field.value);
  if (field.options.length === 0)
    return selected === "" ? { kind: "empty" } : { kind: "choice", text: selected };
  return { kind: "tabs", options: field.options, selected };
}

function itemText(item: unknown): string {
  if (isRecord(item))
    return text(item.display_name) || text(item.name) || text(item.label) || (toJson(item) ?? "");
  return scalarText(item) || (Array.isArray(item) ? (toJson(item) ?? "") : "");
}

function previewChoice(value: unknown): Preview {
  if (Array.isArray(value)) return previewChips(value);
  const shown = itemText(value);
  return shown === "" ? anyJson(value) : { kind: "choice", text: shown };
}

function previewChips(value: unknown): Preview {
  const items = (Array.isArray(value) ? value : [value]).map(itemText).filter((item) => item !== "");
  return items.length === 0 ? { kind: "empty" } : { kind: "chips", items };
}

function previewPairs(value: unknown): Preview {
  if (typeof value === "string") return { kind: "text", text: value, long: false };
  const entries = Array.isArray(value) ? value.flatMap(pairOf) : Object.entries(recordOr(value));
  if (entries.length === 0) return anyJson(value);
  return {
    kind: "pairs",
    pairs: entries.map(([key, item]) => ({ key, text: isSecretName(key) ? MASK : cellText(item) })),
  };
}

function pairOf(item: unknown): [string, unknown][] {
  if (!isRecord(item)) return [];
  return typeof item.key === "string" && "value" in item ? [[item.key, item.value]] : Object.entries(item);
}

function cellText(value: unknown): string {
  return (
    scalarText(value) || (value === null || value === undefined || value === "" ? "" : (toJson(value) ?? ""))
  );
}

function previewTable(field: Field): Preview {
  const rows = arrayOr(field.value).filter(isRecord);
  if (rows.length === 0) return anyJson(field.value);
  const keys = [...new Set(rows.slice(0, 50).flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) =>
    keys.map((key) =>
      isSecretName(key) || (isSecretName(text(row.key)) && key === "value") ? MASK : cellText(row[key]),
    ),
  );
  return { kind: "table", rows: rows.length, columns: keys, cells };
}

function previewFiles(value: unknown): Preview {
  const names = (Array.isArray(value) ? value : [value])
    .map((item) => (isRecord(item) ? text(item.name) || text(item.path) : scalarText(item)))
    .map((path) => path.split(/[\\/]/).pop() ?? path)
    .filter((name) => name !== "");
  return names.length === 0 ? { kind: "empty" } : { kind: "files", names };
}

function previewModel(value: unknown): Preview {
  const chosen: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof chosen === "string") return { kind: "model", provider: "", name: chosen };
  const { name, provider } = recordOr(chosen);
  return text(name) === "" ? anyJson(value) : { kind: "model", provider: text(provider), name: text(name) };
}

function previewTools(value: unknown): Preview {
  const rows = arrayOr(value).filter(isRecord);
  const label = (row: Record<string, unknown>): string => text(row.display_name) || text(row.name);
  const on = rows
    .filter((row) => row.status !== false)
    .map(label)
    .filter((name) => name !== "");
  const off = rows
    .filter((row) => row.status === false)
    .map(label)
    .filter((name) => name !== "");
  return on.length + off.length === 0 ? anyJson(value) : { kind: "tools", on, off };
}

export function safeHref(value: unknown): string | null {
  if (typeof value !== "string") return null;
  try {
    const url = new URL(value);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

const VARIABLE = /\{\{\s*([A-Za-z_][\w.]*)\s*\}\}|(?<!\{)\{([A-Za-z_]\w*)\}(?!\})|\$\{([A-Za-z_][\w.]*)\}/g;

/** Splits a prompt at `{name}`, `{{name}}` and `${name}`. */
export function promptParts(source: string): PromptPart[] {
  const parts: PromptPart[] = [];
  let end = 0;
  for (const match of source.matchAll(VARIABLE)) {
    if (match.index > end) parts.push({ kind: "text", text: source.slice(end, match.index) });
    parts.push({ kind: "variable", name: match[1] ?? match[2] ?? match[3] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < source.length) parts.push({ kind: "text", text: source.slice(end) });
  return parts;
}

/** The preview as one line of plain text, for search, outline and copy. */
export function previewText(preview: Preview): string {
  switch (preview.kind) {
    case "empty":
      return "";
    case "secret":
      return MASK;
    case "text":
    case "slider":
    case "choice":
    case "link":
    case "json":
    case "code":
      return preview.text;
    case "bool":
      return String(preview.on);
    case "tabs":
      return preview.selected;
    case "chips":
      return preview.items.join(", ");
    case "pairs":
      return preview.pairs.map((pair) => `${pair.key}: ${pair.text}`).join(", ");
    case "table":
      return preview.cells.map((row) => row.join(", ")).join("; ");
    case "files":
      return preview.names.join(", ");
    case "variable":
      return preview.name;
    case "prompt":
      return preview.parts.map((part) => (part.kind === "text" ? part.text : `{${part.name}}`)).join("");
    case "model":
      return preview.provider === "" ? preview.name : `${preview.provider} ${preview.name}`;
    case "tools":
      return [...preview.on, ...preview.off].join(", ");
  }
}

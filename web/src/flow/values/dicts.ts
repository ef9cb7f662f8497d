import { isRecord, scalarText, toJson, type JsonRecord } from "../json";
import { jsonErrorAt } from "./jsonError";

/** How keys and values are saved: an object, or Langflow's lists of pairs. */
export type DictShape = "object" | "pairs" | "singles";

export interface DictRow {
  key: string;
  text: string;
  /** What is saved as long as the text is not changed. */
  value: unknown;
}

export function dictShape(value: unknown): DictShape {
  if (!Array.isArray(value)) return "object";
  const pairs = value.length > 0 && value.every((item) => isRecord(item) && "key" in item && "value" in item);
  return pairs ? "pairs" : "singles";
}

/** Null: this is neither keys and values nor nothing, and only the JSON view can show it. */
export function dictRows(value: unknown): DictRow[] | null {
  if (value === null || value === undefined || value === "") return [];
  if (typeof value === "string") {
    const parsed = readJson(value);
    return parsed.kind === "value" && (isRecord(parsed.value) || Array.isArray(parsed.value))
      ? dictRows(parsed.value)
      : null;
  }
  if (isRecord(value)) return Object.entries(value).map(([key, item]) => row(key, item));
  if (!Array.isArray(value)) return null;
  const rows: DictRow[] = [];
  for (const item of value) {
    if (!isRecord(item)) return null;
    if (dictShape(value) === "pairs") rows.push(row(scalarText(item.key), item.value));
    else rows.push(...Object.entries(item).map(([key, inner]) => row(key, inner)));
  }
  return rows;
}

function row(key: string, value: unknown): DictRow {
  return { key, text: valueText(value), value };
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : (toJson(value) ?? "");
}

/** A value that was no text stays none, as long as what is typed is JSON. */
export function withText(entry: DictRow, typed: string): DictRow {
  if (typeof entry.value !== "string" && entry.value !== undefined) {
    const parsed = readJson(typed);
    if (parsed.kind === "value") return { ...entry, text: typed, value: parsed.value };
  }
  return { ...entry, text: typed, value: typed };
}

export function dictValue(rows: readonly DictRow[], shape: DictShape): unknown {
  const kept = rows.filter((entry) => entry.key !== "" || entry.text !== "");
  if (shape === "pairs") return kept.map(({ key, value }) => ({ key, value }));
  if (shape === "singles") return kept.map(({ key, value }) => ({ [key]: value }));
  const result: JsonRecord = {};
  // An object holds a key once: the first stays, and the page says so.
  for (const { key, value } of kept) if (key !== "" && !Object.hasOwn(result, key)) put(result, key, value);
  return result;
}

// A plain assignment of "__proto__" would be lost.
function put(record: JsonRecord, key: string, value: unknown): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

export type DictProblem = "duplicate_key" | "empty_key";

export function dictProblem(rows: readonly DictRow[], index: number): DictProblem | null {
  const entry = rows[index];
  if (!entry) return null;
  if (entry.key === "") return entry.text === "" ? null : "empty_key";
  return rows.some((other, at) => at !== index && other.key === entry.key) ? "duplicate_key" : null;
}

export type ReadJson = { kind: "value"; value: unknown } | { kind: "problem"; line: number; column: number };

/** JSON as typed, or where it stops being JSON. */
export function readJson(source: string): ReadJson {
  try {
    return { kind: "value", value: JSON.parse(source) as unknown };
  } catch {
    const before = source.slice(0, jsonErrorAt(source)).split("\n");
    return { kind: "problem", line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

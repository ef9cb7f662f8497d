import { isRecord, scalarText, toJson } from "./json";

export type JsonPath = readonly (string | number)[];

/** One line of a tree: a value and where it stands. */
export interface TreeRow {
  /** The path as one word. */
  id: string;
  path: JsonPath;
  level: number;
  label: string;
  value: unknown;
  /** How many values are inside; null for those that hold none. */
  count: number | null;
  open: boolean;
}

export function pathId(path: JsonPath): string {
  return toJson(path) ?? "";
}

/** A path as it is written in most languages: `items[0].name`. */
export function pathText(path: JsonPath): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[A-Za-z_$][\w$]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}

function entries(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return isRecord(value) ? Object.entries(value) : [];
}

function countOf(value: unknown): number | null {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : null;
}

/** The lines that are to be seen: a value's inside is there when it is open. */
export function treeRows(root: unknown, isOpen: (id: string, level: number) => boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (value: unknown, path: JsonPath, label: string): void => {
    const id = pathId(path);
    const count = countOf(value);
    const level = path.length;
    const open = count !== null && count > 0 && isOpen(id, level);
    rows.push({ id, path, level, label, value, count, open });
    if (open) for (const [key, inner] of entries(value)) walk(inner, [...path, key], String(key));
  };
  const count = countOf(root);
  if (count === null) walk(root, [], "");
  else for (const [key, inner] of entries(root)) walk(inner, [key], String(key));
  return rows;
}

const MOST_HITS = 500;

/** Ids of the values whose name or text has the words in it, and of all that they stand in. */
export function findInTree(root: unknown, words: string): { hits: Set<string>; within: Set<string> } {
  const wanted = words.trim().toLowerCase();
  const hits = new Set<string>();
  const within = new Set<string>();
  if (wanted === "") return { hits, within };
  const walk = (value: unknown, path: JsonPath): void => {
    for (const [key, inner] of entries(value)) {
      if (hits.size >= MOST_HITS) return;
      const here = [...path, key];
      const isHit =
        (typeof key === "string" && key.toLowerCase().includes(wanted)) ||
        scalarText(inner).toLowerCase().includes(wanted);
      if (isHit) {
        hits.add(pathId(here));
        for (let length = path.length; length > 0; length -= 1) within.add(pathId(here.slice(0, length)));
      }
      walk(inner, here);
    }
  };
  walk(root, []);
  return { hits, within };
}

export interface Grid {
  columns: string[];
  rows: unknown[][];
}

/** A list of records as a table; null for everything else. */
export function gridOf(value: unknown): Grid | null {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return null;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  if (columns.length === 0) return null;
  return { columns, rows: value.map((row) => columns.map((column) => row[column])) };
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? (toJson(value) ?? "") : scalarText(value);
}

/** The places of the rows in order of one column: numbers by size, all else as words; empty ones last. */
export function sortedRows(grid: Grid, column: number, down: boolean, language: string): number[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const sign = down ? -1 : 1;
  const order = (a: unknown, b: unknown): number => {
    const [left, right] = [cellText(a), cellText(b)];
    if (left === "" || right === "") return left === right ? 0 : left === "" ? 1 : -1;
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(left, right));
  };
  return grid.rows
    .map((_, index) => index)
    .sort((a, b) => order(grid.rows[a]?.[column], grid.rows[b]?.[column]) || a - b);
}

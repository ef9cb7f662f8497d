import { arrayOr, isRecord, recordOr, scalarText, strings, text, toJson, type JsonRecord } from "../json";

export type ColumnKind = "text" | "number" | "bool" | "choice" | "json";

export interface Column {
  name: string;
  label: string;
  help: string;
  kind: ColumnKind;
  integer: boolean;
  options: string[];
  start: unknown;
  readOnly: boolean;
}

const KINDS: Record<string, ColumnKind> = {
  int: "number",
  integer: "number",
  float: "number",
  number: "number",
  bool: "bool",
  boolean: "bool",
  dict: "json",
  list: "json",
  json: "json",
};

/** The columns a schema names, then those only the rows have: nothing saved is hidden. */
export function tableColumns(schema: unknown, rows: readonly JsonRecord[]): Column[] {
  const listed = Array.isArray(schema) ? (schema as unknown[]) : arrayOr(recordOr(schema).columns);
  const columns = listed.map(recordOr).flatMap(readColumn);
  const known = new Set(columns.map(({ name }) => name));
  const extra = new Set(rows.slice(0, 200).flatMap((row) => Object.keys(row)).filter((name) => !known.has(name)));
  return [...columns, ...[...extra].map((name) => plainColumn(name, columns.length > 0))];
}

function plainColumn(name: string, readOnly: boolean): Column {
  return { name, label: name, help: "", kind: "text", integer: false, options: [], start: "", readOnly };
}

function readColumn(raw: JsonRecord): Column[] {
  const name = text(raw.name) || text(raw.display_name);
  if (name === "" || raw.hidden === true) return [];
  const options = strings(raw.options);
  const type = (text(raw.type) || "str").toLowerCase();
  const formatter = text(raw.formatter).toLowerCase();
  const kind = options.length > 0 ? "choice" : formatter === "boolean" ? "bool" : (KINDS[type] ?? "text");
  return [
    {
      name,
      label: text(raw.display_name) || name,
      help: text(raw.description),
      kind,
      integer: type.startsWith("int"),
      options,
      start: cellValue(raw.default ?? "", kind),
      readOnly: raw.disable_edit === true,
    },
  ];
}

export function tableRows(value: unknown): JsonRecord[] {
  return arrayOr(value).filter(isRecord);
}

export function newRow(columns: readonly Column[]): JsonRecord {
  return Object.fromEntries(columns.filter((column) => !column.readOnly).map(({ name, start }) => [name, start]));
}

export function cellText(value: unknown): string {
  return scalarText(value) || (value === null || value === undefined || value === "" ? "" : (toJson(value) ?? ""));
}

export function isOn(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === "string" && /^(true|yes|1|on)$/i.test(value.trim()));
}

/** What is typed or pasted, as the column keeps it. A text that does not fit stays the text: nothing is lost. */
export function cellValue(typed: unknown, kind: ColumnKind): unknown {
  if (kind === "bool") return isOn(typed);
  if (typeof typed !== "string") return typed;
  if (kind === "number") {
    const trimmed = typed.trim();
    const amount = Number(trimmed);
    return trimmed !== "" && Number.isFinite(amount) ? amount : typed;
  }
  if (kind === "json" && /^\s*[[{]/.test(typed)) {
    try {
      return JSON.parse(typed) as unknown;
    } catch {
      return typed;
    }
  }
  return typed;
}

export type CellProblem = "not_a_number" | "not_whole" | "not_json" | "not_offered";

export function cellProblem(value: unknown, column: Column): CellProblem | null {
  const shown = cellText(value).trim();
  if (shown === "") return null;
  if (column.kind === "number") {
    const amount = Number(shown);
    if (!Number.isFinite(amount)) return "not_a_number";
    return column.integer && !Number.isInteger(amount) ? "not_whole" : null;
  }
  if (column.kind === "json") return typeof value === "string" && /^\s*[[{]/.test(value) ? "not_json" : null;
  return column.kind === "choice" && !column.options.includes(shown) ? "not_offered" : null;
}

export function setCell(rows: readonly JsonRecord[], row: number, column: Column, typed: unknown): JsonRecord[] {
  return rows.map((each, at) => (at === row ? { ...each, [column.name]: cellValue(typed, column.kind) } : each));
}

/** Cells copied from a spreadsheet; null where it is plain text for one cell. */
export function readSheet(pasted: string): string[][] | null {
  const source = pasted.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  if (!source.includes("\t") && !source.includes("\n")) return null;
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell === "" && closes(source, at)) quoted = true;
    else if (sign === "\t") {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") {
      rows.push([...row, cell]);
      row = [];
      cell = "";
    } else cell += sign;
  }
  rows.push([...row, cell]);
  return rows;
}

/** A quote opens a cell only if another one ends it: a lone inch mark is a text. */
function closes(source: string, open: number): boolean {
  for (let at = open + 1; at < source.length; at += 1) {
    if (source[at] !== '"') continue;
    if (source[at + 1] === '"') at += 1;
    else return at + 1 === source.length || source[at + 1] === "\t" || source[at + 1] === "\n";
  }
  return false;
}

/** Spreads cells over the table from one cell on; rows that are not there are added. */
export function pasteSheet(
  rows: readonly JsonRecord[],
  columns: readonly Column[],
  at: { row: number; column: number },
  cells: readonly (readonly string[])[],
): JsonRecord[] {
  const next = rows.map((row) => ({ ...row }));
  cells.forEach((line, down) => {
    const index = at.row + down;
    while (next.length <= index) next.push(newRow(columns));
    const target = next[index];
    if (!target) return;
    line.forEach((cell, right) => {
      const column = columns[at.column + right];
      if (column && !column.readOnly) target[column.name] = cellValue(cell, column.kind);
    });
  });
  return next;
}

import { arrayOr, isRecord } from "./json";

/** Stands in a body where the name of an uploaded file goes. */
export const FILE_SLOT = Symbol("file");

export interface Dialect {
  yes: string;
  no: string;
  nothing: string;
  slot: string;
  string: (value: string) => string;
}

/** `</script>` and `<!--` would end or hide a snippet that is pasted into a page. */
export function jsString(value: string): string {
  return JSON.stringify(value)
    .replace(/<(?=[/!])/g, "\\u003c")
    .replace(/[\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
}

// Every escape that JSON writes means the same in Python.
export const pythonString = (value: string): string => JSON.stringify(value);

/** One word for a shell, whatever is in it. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}

export const JAVASCRIPT: Dialect = { yes: "true", no: "false", nothing: "null", slot: "filePath", string: jsString };
export const PYTHON: Dialect = { yes: "True", no: "False", nothing: "None", slot: "file_path", string: pythonString };

export function json(slot: string): Dialect {
  return { yes: "true", no: "false", nothing: "null", slot: JSON.stringify(slot), string: (value) => JSON.stringify(value) };
}

/** A value as source text; `pad` is what its lines after the first begin with. */
export function literal(value: unknown, dialect: Dialect, step = "  ", pad = ""): string {
  if (value === FILE_SLOT) return dialect.slot;
  if (typeof value === "string") return dialect.string(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value === "boolean") return value ? dialect.yes : dialect.no;
  const inner = pad + step;
  if (Array.isArray(value)) {
    const items = arrayOr(value).map((item) => inner + literal(item, dialect, step, inner));
    return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${pad}]`;
  }
  if (isRecord(value)) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${inner}${dialect.string(key)}: ${literal(item, dialect, step, inner)}`);
    return entries.length === 0 ? "{}" : `{\n${entries.join(",\n")}\n${pad}}`;
  }
  return dialect.nothing;
}

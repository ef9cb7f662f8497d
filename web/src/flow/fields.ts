import { arrayOr, finite, isRecord, recordOr, strings, text, textOrNull, type JsonRecord } from "./json";
import type { Field, FieldKind } from "./model";
import { canonicalTypes } from "./portTypes";
import { isSecretField } from "./secrets";

const BY_TYPE: Record<string, FieldKind> = {
  int: "number",
  float: "number",
  bool: "bool",
  dict: "dict",
  NestedDict: "dict",
  mcp: "dict",
  sortableList: "list",
  actionPicker: "list",
  duration: "duration",
  connect: "dropdown",
  file: "file",
  prompt: "prompt",
  mustache: "prompt",
  code: "code",
  table: "table",
  link: "link",
  slider: "slider",
  tab: "tab",
  query: "text",
  tools: "tools",
  model: "model",
  data_display: "dict",
  knowledge_backend: "dropdown",
};

export function readFields(component: JsonRecord): Field[] {
  const template = recordOr(component.template);
  const rank = new Map(strings(component.field_order).map((name, index) => [name, index]));
  const fields = Object.entries(template)
    .filter((entry): entry is [string, JsonRecord] => isRecord(entry[1]) && isField(entry[0], entry[1]))
    .map(([name, raw]) => readField(name, raw));
  return fields
    .map((field, index) => ({ field, order: rank.get(field.name) ?? rank.size + index }))
    .sort((a, b) => a.order - b.order)
    .map(({ field }) => field);
}

// The server also keeps bookkeeping beside the fields, e.g. `_frontend_node_flow_id`.
function isField(name: string, raw: JsonRecord): boolean {
  return !name.startsWith("_") && ("type" in raw || "name" in raw || "display_name" in raw);
}

function readField(name: string, raw: JsonRecord): Field {
  const types = canonicalTypes(strings(raw.input_types));
  const options = arrayOr(raw.options)
    .map(optionText)
    .filter((option) => option !== "");
  const list = raw.list === true || raw.is_list === true;
  const kind = fieldKind(name, raw, { options, list, types });
  const range = recordOr(raw.range_spec);
  const min = finite(range.min);
  const max = finite(range.max);
  const proxy = recordOr(raw.proxy);
  const proxyId = textOrNull(proxy.id);
  const proxyField = textOrNull(proxy.field);
  return {
    name,
    label: textOrNull(raw.display_name) ?? humanise(textOrNull(raw.name) ?? name),
    kind,
    help: text(raw.info),
    placeholder: text(raw.placeholder),
    value: kind === "file" && !raw.value ? raw.file_path : raw.value,
    required: raw.required === true,
    advanced: raw.advanced === true,
    shown: raw.show !== false,
    toolMode: raw.tool_mode === true,
    list,
    variable: raw.load_from_db === true ? textOrNull(raw.value) : null,
    types,
    options,
    range: min !== null && max !== null && max > min ? { min, max } : null,
    columns: columnNames(raw.table_schema),
    proxy: proxyId && proxyField ? { id: proxyId, field: proxyField } : null,
    byWire: kind === "model" && raw._connection_mode === true,
  };
}

function fieldKind(
  name: string,
  raw: JsonRecord,
  known: { options: string[]; list: boolean; types: string[] },
): FieldKind {
  if (isSecretField(name, raw)) return "secret";
  const type = text(raw.type) || "str";
  const mapped = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  if (mapped) return mapped;
  if (type === "str") {
    if (Array.isArray(raw.options)) return known.list ? "multiselect" : "dropdown";
    if (known.list) return "list";
    return raw.multiline === true ? "multiline" : "text";
  }
  return known.types.length > 0 ? "port" : "other";
}

function optionText(option: unknown): string {
  if (typeof option === "string") return option;
  if (typeof option === "number" || typeof option === "boolean") return String(option);
  return isRecord(option) ? text(option.display_name) || text(option.name) : "";
}

function columnNames(schema: unknown): string[] {
  const columns = Array.isArray(schema) ? schema : arrayOr(recordOr(schema).columns);
  return columns
    .map((column) => text(recordOr(column).display_name) || text(recordOr(column).name))
    .filter((name) => name !== "");
}

export function humanise(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether Langflow's own card would show the field. In tool mode the agent supplies `tool_mode` fields. */
export function isBasic(field: Field, toolMode: boolean): boolean {
  return field.shown && !field.advanced && field.kind !== "code" && !(toolMode && field.toolMode);
}

const CARD_FIELDS = 4;

/** The fields a card shows: every wired one, then required ones, ports and the rest up to four, in field order. */
export function cardFields(
  fields: readonly Field[],
  wired: ReadonlySet<string>,
  toolMode: boolean,
  all = false,
): { shown: Field[]; more: number } {
  const candidates = fields.filter((field) => wired.has(field.name) || isBasic(field, toolMode));
  if (all) return { shown: candidates, more: 0 };
  const weight = (field: Field): number => {
    if (wired.has(field.name)) return 0;
    if (field.kind === "prompt" || field.kind === "tools" || field.kind === "model") return 1;
    if (field.required) return 2;
    return field.types.length > 0 ? 3 : 4;
  };
  const limit = Math.max(CARD_FIELDS, candidates.filter((field) => wired.has(field.name)).length);
  const kept = new Set(
    candidates
      .map((field, index) => ({ field, index }))
      .sort((a, b) => weight(a.field) - weight(b.field) || a.index - b.index)
      .slice(0, limit)
      .map(({ field }) => field),
  );
  return { shown: candidates.filter((field) => kept.has(field)), more: candidates.length - kept.size };
}

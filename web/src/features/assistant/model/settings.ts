import { edgesOf, type FlowDocument, openDocument, type Opened } from "@/flow/edit/document";
import type { Change } from "@/flow/edit/patch";
import { readEnds } from "@/flow/edit/read";
import { depthOf, getAt, sameJson } from "@/flow/edit/values";
import { isRecord, recordOr, strings, text, type JsonRecord } from "@/flow/json";
import { promptVariables } from "@/flow/values/prompts";

/** The document in what was sent as a whole flow, or why it is none. An object with nothing in it is none either. */
export function wholeFlow(flow: unknown): Opened {
  const opened = openDocument(isRecord(flow) ? flow : null);
  // Whoever means an empty flow says so; anything else would clear the canvas by mistake.
  if (opened.ok && !("nodes" in opened.document)) return openDocument(null);
  return opened;
}

export const TEMPLATE = ["data", "node", "template"] as const;

/** The steps that set one value of a node, or with `undefined` take it out; none where it is so already. */
export function setting(node: JsonRecord, path: readonly string[], to: unknown): Change[] {
  const there = depthOf(node, path);
  if (to === undefined && there < path.length) return [];
  const cut = path.slice(0, there + 1);
  const made = path
    .slice(there + 1)
    .toReversed()
    .reduce<unknown>((inner, key) => ({ [key]: inner }), to);
  const from = getAt(node, cut);
  if (from !== undefined && made !== undefined && sameJson(from, made)) return [];
  return [
    {
      change: "set",
      node: text(node.id),
      path: cut,
      ...(from === undefined ? {} : { from }),
      ...(made === undefined ? {} : { to: made }),
    },
  ];
}

/** A field of a node; null where the node has none of that name. */
export function fieldOf(node: JsonRecord, field: string): JsonRecord | null {
  const entry = getAt(node, [...TEMPLATE, field]);
  return isRecord(entry) ? entry : null;
}

/** Sets literals: what named a variable no longer does, and prompts get a field for each of their variables. */
export function literals(document: FlowDocument, node: JsonRecord, values: JsonRecord): Change[] {
  return Object.entries(values).flatMap(([field, value]) => {
    const entry = recordOr(fieldOf(node, field));
    return [
      ...setting(node, [...TEMPLATE, field, "value"], value ?? null),
      ...("load_from_db" in entry ? setting(node, [...TEMPLATE, field, "load_from_db"], false) : []),
      ...(typeof value === "string" && isPrompt(entry) ? variables(document, node, field, value) : []),
    ];
  });
}

function isPrompt(entry: JsonRecord): boolean {
  return entry.type === "prompt" || entry.type === "mustache";
}

/** Every name in braces is a field of its own; one that is gone goes, unless something is wired into it. */
function variables(document: FlowDocument, node: JsonRecord, field: string, prompt: string): Change[] {
  const double = recordOr(fieldOf(node, "use_double_brackets")).value === true;
  const mustache = recordOr(fieldOf(node, field)).type === "mustache" || double;
  const names = promptVariables(prompt, mustache);
  const custom = getAt(node, ["data", "node", "custom_fields"]);
  const known = strings(recordOr(custom)[field]);
  if (sameJson(known, names)) return [];
  const wired = wiredInto(document, text(node.id));
  const gone = known.filter((name) => !names.includes(name) && !wired.has(name));
  const fresh = names.filter((name) => fieldOf(node, name) === null);
  return [
    ...gone.flatMap((name) => setting(node, [...TEMPLATE, name], undefined)),
    ...fresh.flatMap((name) => setting(node, [...TEMPLATE, name], variableField(name))),
    ...(isRecord(custom)
      ? setting(node, ["data", "node", "custom_fields", field], names)
      : setting(node, ["data", "node", "custom_fields"], { [field]: names })),
  ];
}

export function wiredInto(document: FlowDocument, node: string): Set<string> {
  const ends = edgesOf(document).map(readEnds);
  return new Set(ends.flatMap((wire) => (wire.target === node && !wire.intoLoop ? [wire.input] : [])));
}

/** What the server makes of a variable of a prompt. */
function variableField(name: string): JsonRecord {
  return {
    _input_type: "DefaultPromptField",
    advanced: false,
    display_name: name,
    dynamic: false,
    info: "",
    input_types: ["Message"],
    list: false,
    load_from_db: false,
    multiline: true,
    name,
    placeholder: "",
    required: false,
    show: true,
    title_case: false,
    tool_mode: false,
    trace_as_metadata: true,
    type: "str",
    value: "",
    field_type: "str",
    fileTypes: [],
    file_path: "",
    password: false,
  };
}

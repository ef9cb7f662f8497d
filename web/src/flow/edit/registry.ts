import { isRecord, text, type JsonRecord } from "../json";
import { readRawFields, readRawOutputs, type RawField, type RawOutput } from "./read";

/** A component before it is on a canvas. */
export interface Descriptor {
  type: string;
  category: string;
  name: string;
  legacy: boolean;
  /** What a new node has as `data.node`. */
  node: JsonRecord;
  fields: readonly RawField[];
  outputs: readonly RawOutput[];
  /** Can serve an agent as a tool. */
  toolCapable: boolean;
}

export interface Registry {
  byType: ReadonlyMap<string, Descriptor>;
  aliases: ReadonlyMap<string, string>;
}

// What the list adds to a node for the palette; a node that the server makes does not have it.
const FOR_THE_PALETTE: ReadonlySet<string> = new Set(["name", "key", "category", "help"]);

// The list does not name aliases. These stand in saved files; the rest is the server's to know.
const ALIASES: readonly [string, string][] = [
  ["Prompt", "Prompt Template"],
  ["parser", "ParserComponent"],
];

/** The components of `GET /api/v1/all`: `{category: {type: node}}`. What is no component in it is left out. */
export function readRegistry(all: unknown): Registry {
  const byType = new Map<string, Descriptor>();
  for (const [category, types] of Object.entries(isRecord(all) ? all : {})) {
    for (const [type, node] of Object.entries(isRecord(types) ? types : {})) {
      if (isRecord(node) && isRecord(node.template)) byType.set(type, describe(type, category, node));
    }
  }
  return { byType, aliases: new Map(ALIASES.filter(([, type]) => byType.has(type))) };
}

export const NO_COMPONENTS: Registry = readRegistry({});

function describe(type: string, category: string, listed: JsonRecord): Descriptor {
  const node = Object.fromEntries(Object.entries(listed).filter(([key]) => !FOR_THE_PALETTE.has(key)));
  const fields = readRawFields(node);
  return {
    type,
    category,
    name: text(node.display_name) || type,
    legacy: node.legacy === true,
    node,
    fields,
    outputs: readRawOutputs(node),
    toolCapable: node.add_tool_output === true || fields.some((field) => field.toolMode),
  };
}

/** By type, by alias, or as an extension's class (`ext:<bundle>:<Class>@<slot>`). */
export function findComponent(registry: Registry, type: string): Descriptor | null {
  const { byType, aliases } = registry;
  const known = byType.get(type) ?? byType.get(aliases.get(type) ?? "");
  if (known) return known;
  const [, className] = /^ext:[^:]*:([^@]*)/.exec(type) ?? [];
  if (className === undefined) return null;
  return byType.get(className) ?? byType.get(className.replace(/Component$/, "")) ?? null;
}

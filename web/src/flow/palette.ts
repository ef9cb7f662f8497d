import { arrayOr, recordOr, text } from "./json";
import type { Descriptor, Registry } from "./edit/registry";
import { canonicalTypes, compatible } from "./portTypes";

/** What a drag from the palette carries: a component's type, or `NOTE_TYPE`. */
export const DRAG_TYPE = "application/x-ferroflow-component";
export const NOTE_TYPE = "note";
export const CUSTOM_TYPE = "CustomComponent";

export interface PaletteSlot {
  name: string;
  label: string;
  types: string[];
  required: boolean;
}

/** A component as the palette shows it. */
export interface PaletteItem {
  type: string;
  category: string;
  name: string;
  description: string;
  icon: string | null;
  documentation: string;
  beta: boolean;
  legacy: boolean;
  toolCapable: boolean;
  inputs: readonly PaletteSlot[];
  outputs: readonly PaletteSlot[];
  component: Descriptor;
}

/** Every component that can be added, by name. */
export function paletteItems(registry: Registry): PaletteItem[] {
  const items = [...registry.byType.values()].map(toItem);
  return items.toSorted((a, b) => a.name.localeCompare(b.name, "en") || a.type.localeCompare(b.type, "en"));
}

function toItem(component: Descriptor): PaletteItem {
  const { node, type, category, name, legacy, toolCapable } = component;
  const inputs = component.fields.flatMap((field): PaletteSlot[] => {
    const types = canonicalTypes(field.inputTypes ?? []);
    if (!field.show || types.length === 0) return [];
    const required = field.raw.required === true;
    return [{ name: field.name, label: text(field.raw.display_name) || field.name, types, required }];
  });
  const outputs = arrayOr(node.outputs).map((item, index): PaletteSlot => {
    const label = text(recordOr(item).display_name);
    const raw = component.outputs[index];
    const types = canonicalTypes(raw?.types ?? []);
    return { name: raw?.name ?? "", label: label || raw?.name || "", types, required: false };
  });
  return {
    type,
    category,
    name,
    description: text(node.description),
    icon: text(node.icon) || null,
    documentation: /^https?:\/\//.test(text(node.documentation)) ? text(node.documentation) : "",
    beta: node.beta === true,
    legacy,
    toolCapable,
    inputs,
    outputs,
    component,
  };
}

export const CATEGORY_ORDER = [
  "input_output",
  "data_source",
  "models_and_agents",
  "llm_operations",
  "files_and_knowledge",
  "processing",
  "flow_controls",
  "utilities",
  "embeddings",
  "files_ingestion",
  "langchain_utilities",
  "tools",
  "agentics",
  "crewai",
  "prototypes",
  "custom_component",
] as const;

export type KnownCategory = (typeof CATEGORY_ORDER)[number];

export function isKnownCategory(category: string): category is KnownCategory {
  return (CATEGORY_ORDER as readonly string[]).includes(category);
}

/** A category nobody named: `file_tools` → `File tools`. */
export function spelledCategory(category: string): string {
  const words = category.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface PaletteGroup {
  category: string;
  items: PaletteItem[];
}

/** Known categories in their order, then the others by name. */
export function byCategory(items: readonly PaletteItem[]): PaletteGroup[] {
  const groups = new Map<string, PaletteItem[]>();
  for (const item of items) {
    const group = groups.get(item.category);
    if (group) group.push(item);
    else groups.set(item.category, [item]);
  }
  const place = (category: string): number =>
    isKnownCategory(category) ? CATEGORY_ORDER.indexOf(category) : CATEGORY_ORDER.length;
  return [...groups]
    .map(([category, group]) => ({ category, items: group }))
    .toSorted((a, b) => place(a.category) - place(b.category) || a.category.localeCompare(b.category, "en"));
}

export interface Shown {
  legacy: boolean;
  beta: boolean;
}

export function isShown(item: PaletteItem, shown: Shown): boolean {
  return (shown.legacy || !item.legacy) && (shown.beta || !item.beta);
}

/** One end of a wire whose other end is to be found. */
export interface WireFilter {
  types: readonly string[];
  /** Which side of its node the wire hangs on: "out" looks for components with a fitting input. */
  side: "in" | "out";
}

export function fitsWire(item: PaletteItem, { types, side }: WireFilter): boolean {
  if (side === "out") return item.inputs.some((slot) => compatible(types, slot.types));
  if (item.outputs.some((slot) => compatible(slot.types, types))) return true;
  return item.toolCapable && compatible(["Tool"], types);
}

/** The last ones first, each once. */
export function remembered(recent: readonly string[], type: string, atMost = 8): string[] {
  return [type, ...recent.filter((known) => known !== type)].slice(0, atMost);
}

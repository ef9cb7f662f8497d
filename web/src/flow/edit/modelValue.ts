import { isRecord, text, type JsonRecord } from "../json";

/** Instead of a model: it comes in by wire. */
export const BY_WIRE = "connect_other_models";

// How often a description may be wrapped in a text; two have been seen.
const WRAPPINGS = 4;

/**
 * The value of a field that holds a model in its one form, `[{provider, name}]`: from one object, from JSON inside a
 * text, from a list inside the name. A bare name, and what is no model at all, comes back as it is. YAML, which only
 * language models write, is left to the server.
 */
export function modelValue(value: unknown): unknown {
  if (Array.isArray(value)) return entries(value);
  if (isRecord(value)) return entries([value]);
  if (typeof value !== "string") return value;
  const inside = unwrapped(value);
  if (inside === null) return value;
  return entries(Array.isArray(inside) ? inside : [inside]);
}

function entries(items: readonly unknown[]): unknown[] {
  return items.flatMap((item) => {
    const inside = typeof item === "string" ? unwrapped(item) : item;
    if (inside === null) return [item];
    return Array.isArray(inside) ? inside.map(unwrappedEntry) : [unwrappedEntry(inside)];
  });
}

/** An entry whose name is a description stands for that; a provider known only outside is kept. */
function unwrappedEntry(entry: unknown): unknown {
  let inside = entry;
  for (let round = 0; round < WRAPPINGS; round += 1) {
    const found = isRecord(inside) ? described(text(inside.name)) : null;
    if (!isRecord(inside) || found === null) return inside;
    const first: unknown = Array.isArray(found) ? found[0] : found;
    if (isRecord(first)) inside = withProvider(first, text(inside.provider));
    else if (typeof first === "string") inside = { ...inside, name: first };
    else return inside;
  }
  return isRecord(inside) && described(text(inside.name)) !== null ? entry : inside;
}

function withProvider(entry: JsonRecord, outside: string): JsonRecord {
  const keeps = isUnknown(text(entry.provider)) && !isUnknown(outside);
  return keeps ? { ...entry, provider: outside } : entry;
}

function isUnknown(provider: string): boolean {
  const name = provider.trim().toLowerCase();
  return name === "" || name === "unknown";
}

/** A description written as text, maybe as text within text. */
function unwrapped(source: string): unknown[] | JsonRecord | null {
  let at = source;
  for (let round = 0; round < WRAPPINGS; round += 1) {
    const found = described(at);
    if (found !== null) return found;
    const inner = parsed(at.trim());
    if (typeof inner !== "string") return null;
    at = inner;
  }
  return null;
}

/** A map with a name, or a list of such maps and of names; null for anything else, which may be a plain name. */
function described(source: string): unknown[] | JsonRecord | null {
  const trimmed = source.trim();
  if (!/^[{[]/.test(trimmed)) return null;
  const value = parsed(trimmed);
  const named = (item: unknown): boolean => isRecord(item) && typeof item.name === "string";
  if (isRecord(value)) return named(value) ? value : null;
  if (!Array.isArray(value)) return null;
  return value.every((item) => typeof item === "string" || named(item)) ? value : null;
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

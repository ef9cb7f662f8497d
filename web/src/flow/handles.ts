import { isRecord, strings, textOrNull } from "./json";

/** What one end of an edge says about the port it was drawn from. */
export type Handle =
  | { kind: "output"; node: string | null; name: string; types: string[] }
  | {
      kind: "field";
      node: string | null;
      field: string;
      types: string[];
      proxy: { id: string; field: string } | null;
    }
  | { kind: "named"; name: string };

/** Langflow writes JSON with `œ` for the quotes; keys may come in any order and with any spacing. */
export function parseHandle(value: unknown): Handle | null {
  if (isRecord(value)) return fromRecord(value);
  if (typeof value !== "string" || value === "") return null;
  const trimmed = value.trim();
  if (!trimmed.startsWith("{")) return { kind: "named", name: trimmed };
  const parsed = parseJson(trimmed.replaceAll("œ", '"')) ?? parseJson(trimmed);
  return isRecord(parsed) ? fromRecord(parsed) : null;
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return null;
  }
}

function fromRecord(record: Record<string, unknown>): Handle | null {
  const node = textOrNull(record.id);
  const field = textOrNull(record.fieldName);
  if (field) {
    const proxy = isRecord(record.proxy) ? record.proxy : null;
    const proxyId = proxy && textOrNull(proxy.id);
    const proxyField = proxy && textOrNull(proxy.field);
    return {
      kind: "field",
      node,
      field,
      types: strings(record.inputTypes),
      proxy: proxyId && proxyField ? { id: proxyId, field: proxyField } : null,
    };
  }
  const types = strings(record.output_types);
  const legacy = strings(record.baseClasses);
  const name = textOrNull(record.name);
  if (!name && types.length === 0 && legacy.length === 0) return null;
  return { kind: "output", node, name: name ?? "", types: types.length > 0 ? types : legacy };
}

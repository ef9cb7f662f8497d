import { isRecord, type JsonRecord } from "../json";

export interface OutputEnd {
  dataType: string;
  id: string;
  name: string;
  output_types: readonly string[];
}

export interface FieldEnd {
  fieldName: string;
  id: string;
  inputTypes: readonly string[];
  proxy?: { field: string; id: string };
  type: string;
}

/** A handle as text: keys sorted at every level, no spaces, `œ` for quotes. The canvas compares it letter by letter. */
export function encodeHandle(handle: object): string {
  // A real `œ` would be read back as a quote, so it is escaped before the quotes are replaced.
  return JSON.stringify(sorted(handle)).replaceAll("œ", "\\u0153").replaceAll('"', "œ");
}

/** What a handle's text says, with every key it has; null when it is none. */
export function decodeHandle(text: string): JsonRecord | null {
  try {
    const value: unknown = JSON.parse(text.replaceAll("œ", '"'));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** An edge that carries a value, as the server writes it. */
export function dataEdge(from: OutputEnd, to: OutputEnd | FieldEnd): JsonRecord {
  const sourceHandle = encodeHandle(from);
  const targetHandle = encodeHandle(to);
  return {
    animated: false,
    className: "",
    data: { sourceHandle: sorted(from), targetHandle: sorted(to) },
    id: edgeId(from.id, sourceHandle, to.id, targetHandle),
    selected: false,
    source: from.id,
    sourceHandle,
    target: to.id,
    targetHandle,
  };
}

/** An edge that says "then". */
export function controlEdge(source: string, output: string, target: string, input: string): JsonRecord {
  return {
    id: edgeId(source, output, target, input),
    source,
    sourceHandle: output === "" ? null : output,
    target,
    targetHandle: input === "" ? null : input,
  };
}

export function edgeId(source: string, sourceHandle: string, target: string, targetHandle: string): string {
  return `reactflow__edge-${source}${sourceHandle}-${target}${targetHandle}`;
}

import { nodesOf } from "./edit/document";
import { readRaw } from "./edit/read";
import { findComponent, type Registry } from "./edit/registry";
import { recordOr, text } from "./json";
import { parseFlow } from "./parse";

/** What somebody should know about a flow that has just come in. */
export interface ImportNotes {
  /** Components this server does not have, each once. */
  unknown: { type: string; name: string }[];
  /** Parts that could not be drawn at all. */
  lost: number;
}

export function importNotes(data: unknown, registry: Registry | null): ImportNotes {
  const unknown = new Map<string, string>();
  for (const raw of registry ? nodesOf(recordOr(data)) : []) {
    const node = readRaw(raw);
    if (node.kind !== "component" && node.kind !== "unknown") continue;
    const name = text(recordOr(recordOr(raw.data).node).display_name);
    if (registry && !findComponent(registry, node.type)) unknown.set(node.type, name || node.type);
  }
  return {
    unknown: [...unknown].map(([type, name]) => ({ type, name })),
    lost: parseFlow(data ?? {}).problems.filter((problem) => problem.lost).length,
  };
}

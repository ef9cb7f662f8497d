import { arrayOr, isRecord, recordOr, text, type JsonRecord } from "../json";
import { isSecretField } from "../secrets";
import { selectionOf, type Selection } from "./copy";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import { setAt } from "./values";

/** Marks what this editor copied; Langflow's own copies are bare `{nodes, edges}`. */
const KIND = "ferroflow/nodes";

// Above what the server takes as a document; more than that is not a few nodes.
const LONGEST = 20_000_000;

export interface Copied {
  text: string;
  nodes: number;
  /** Literal secrets that were left out. */
  secrets: number;
}

/**
 * Nodes with the wires between them as text. Secrets that are written into fields stay behind: other programs and other
 * people read the clipboard. A field that names a variable keeps the name.
 */
export function copyText(document: FlowDocument, ids: Iterable<string>): Copied {
  const found = selectionOf({ nodes: nodesOf(document), edges: edgesOf(document) }, ids);
  let secrets = 0;
  const nodes = found.nodes.map((node) => withoutSecrets(node, () => (secrets += 1)));
  return {
    text: JSON.stringify({ kind: KIND, nodes, edges: found.edges }, null, 2),
    nodes: nodes.length,
    secrets,
  };
}

function withoutSecrets(node: JsonRecord, count: () => void): JsonRecord {
  const component = recordOr(recordOr(node.data).node);
  let copy = node;
  for (const [name, field] of Object.entries(recordOr(component.template))) {
    if (!isRecord(field) || !isSecretField(name, field)) continue;
    const empty = field.value === "" || field.value === null || field.value === undefined;
    if (field.load_from_db === true || empty) continue;
    copy = setAt(copy, ["data", "node", "template", name, "value"], "") ?? copy;
    count();
  }
  const inner = recordOr(recordOr(component.flow).data);
  if (!Array.isArray(inner.nodes)) return copy;
  const nodes = inner.nodes.map((item: unknown) => (isRecord(item) ? withoutSecrets(item, count) : item));
  return setAt(copy, ["data", "node", "flow", "data", "nodes"], nodes) ?? copy;
}

export type Pasted = ({ ok: true; name: string | null } & Selection) | { ok: false; reason: PasteReason };

export type PasteReason =
  | "empty"
  | "too_long"
  | "not_json"
  /** JSON, but neither nodes nor a flow. */
  | "not_nodes"
  /** Nodes without an id, or two with the same. */
  | "bad_ids"
  /** A flow, or nodes, with nothing in it. */
  | "no_nodes";

/**
 * Nodes from text: copied here, copied in Langflow, an exported flow, or one node. What is in them is taken as it is;
 * edges that lead elsewhere are left out.
 */
export function readClipboard(source: string): Pasted {
  const trimmed = source.trim();
  if (trimmed === "") return no("empty");
  if (trimmed.length > LONGEST) return no("too_long");
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return no("not_json");
  }
  const found = nodesIn(value);
  if (!found) return no("not_nodes");
  const nodes = found.nodes.filter(isRecord);
  if (nodes.length !== found.nodes.length) return no("not_nodes");
  if (nodes.length === 0) return no("no_nodes");
  if (!nodes.every(looksLikeNode)) return no("not_nodes");
  const ids = new Set(nodes.map((node) => text(node.id)));
  if (ids.has("") || ids.size !== nodes.length) return no("bad_ids");
  const edges = selectionOf({ nodes, edges: found.edges.filter(isRecord) }, ids).edges;
  return { ok: true, name: found.name, nodes, edges };
}

function no(reason: PasteReason): Pasted {
  return { ok: false, reason };
}

function nodesIn(value: unknown): { nodes: unknown[]; edges: unknown[]; name: string | null } | null {
  if (!isRecord(value)) return null;
  const name = text(value.name) || null;
  for (const place of [value, recordOr(value.data)]) {
    if (Array.isArray(place.nodes)) return { nodes: place.nodes, edges: arrayOr(place.edges), name };
  }
  // One node by itself.
  return looksLikeNode(value) ? { nodes: [value], edges: [], name: null } : null;
}

function looksLikeNode(value: JsonRecord): boolean {
  return isRecord(value.data) && (typeof value.type === "string" || isRecord(value.data.node));
}

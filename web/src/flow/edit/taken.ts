import { text, type JsonRecord } from "../json";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import type { Patch } from "./patch";
import { getAt, sameJson } from "./values";

/** Whether the document is already as the patch would leave it: it was saved, and only the answer got lost. */
export function isTaken(document: FlowDocument, patch: Patch): boolean {
  const nodes = new Map(nodesOf(document).map((node) => [text(node.id), node]));
  const edges = edgesOf(document);
  const has = (edge: JsonRecord): boolean => edges.some((known) => sameJson(known, edge));
  return patch.changes.every((change) => {
    switch (change.change) {
      case "set":
        return sameJson(getAt(nodes.get(change.node), change.path), change.to);
      case "insert_node":
        return nodes.has(text(change.item.id));
      case "remove_node":
        return !nodes.has(text(change.item.id));
      case "insert_wire":
        return has(change.item);
      case "remove_wire":
        return !has(change.item);
      case "replace":
        return sameJson(document, change.to);
    }
  });
}

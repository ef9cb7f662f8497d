import type { FieldChange, FlowDiff, WireRef } from "@/api/types";

function turn(change: FieldChange): FieldChange {
  return { ...change, old: change.new, new: change.old };
}

/** The same difference seen from the other side. */
export function invertDiff(diff: FlowDiff): FlowDiff {
  const { summary } = diff;
  const inverted: FlowDiff = {
    ...diff,
    summary: {
      ...summary,
      nodes_added: summary.nodes_removed,
      nodes_removed: summary.nodes_added,
      wires_added: summary.wires_removed,
      wires_removed: summary.wires_added,
    },
    nodes_added: diff.nodes_removed,
    nodes_removed: diff.nodes_added,
    nodes_changed: diff.nodes_changed.map((entry) => ({ ...entry, changes: entry.changes.map(turn) })),
    wires_added: diff.wires_removed,
    wires_removed: diff.wires_added,
    flow_changes: diff.flow_changes.map(turn),
  };
  return { ...inverted, text: diffText(inverted) };
}

/** A difference as plain text, for those that were put together here and not by the server. */
export function diffText(diff: FlowDiff): string {
  const change = (indent: string) => (item: FieldChange) =>
    `${indent}${item.label || item.path}: ${JSON.stringify(item.old ?? null)} -> ${JSON.stringify(item.new ?? null)}`;
  const wire = ({ from, to }: WireRef) => `${from.name}.${from.port} -> ${to.name}.${to.port}`;
  return [
    ...diff.flow_changes.map(change("~ ")),
    ...diff.nodes_added.map((node) => `+ ${node.name} (${node.type})`),
    ...diff.nodes_removed.map((node) => `- ${node.name} (${node.type})`),
    ...diff.nodes_changed.flatMap(({ node, changes }) => [
      `~ ${node.name} (${node.type})`,
      ...changes.map(change("    ")),
    ]),
    ...diff.wires_added.map((item) => `+ ${wire(item)}`),
    ...diff.wires_removed.map((item) => `- ${wire(item)}`),
  ].join("\n");
}

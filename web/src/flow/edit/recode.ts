import { recordOr, text } from "../json";
import { edgeFor } from "./connect";
import type { Edit } from "./edits";
import { assume, becomeTool } from "./fieldEdits";
import { hasToolset, join, type Joined } from "./ports";
import { readEnds, TOOLSET } from "./read";
import type { Record } from "./record";
import { Refused } from "./refusal";
import { getAt } from "./values";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

/** Gives a node the component that its new code makes. Wires that no longer fit go; the others say what they carry now. */
export function recode(record: Record, { node, component, type }: Of<"recode">): void {
  const before = record.node(node);
  if (before.kind !== "component") throw new Refused("not_a_component", { node });
  const touching = record.draft.edges
    .map((edge, index) => ({ index, ends: readEnds(edge) }))
    .filter(({ ends }) => ends.source === node || ends.target === node);
  const sound = touching.filter(({ index }) => joined(record, index)?.ok === true);
  assume(record, node, ["data", "node"], recordOr(getAt(record.raw(node), ["data", "node"])), component);
  if (type !== "") record.set(node, ["data", "type"], type);
  const now = record.node(node);
  const capable = component.add_tool_output === true || now.fields.some((field) => field.toolMode);
  if (before.toolMode && !hasToolset(now) && capable) becomeTool(record, node);
  const chosen = text(recordOr(record.raw(node).data).selected_output);
  if (chosen !== "" && !record.node(node).outputs.some(({ name }) => name === chosen))
    record.unset(node, ["data", "selected_output"]);
  // From the end: places before stay, and of two wires at an input that takes one now, the first is kept.
  for (const { index } of sound.toReversed()) renew(record, index);
}

function joined(record: Record, index: number): Joined | null {
  const edge = record.draft.edges[index];
  if (!edge) return null;
  const ends = readEnds(edge);
  const [source, target] = [record.draft.node(ends.source), record.draft.node(ends.target)];
  if (!source || !target) return null;
  return join(record.context.registry, [source, ends.output], [target, ends.input], record.wires());
}

function renew(record: Record, index: number): void {
  const edge = record.draft.edges[index];
  const still = joined(record, index);
  if (!edge || !still) return;
  const ends = readEnds(edge);
  // It would make the node a tool, and the code no longer says that it is one.
  const lost = !still.ok || (still.connection.flipsToolMode && ends.output === TOOLSET);
  if (lost) return record.removeWireAt(index);
  const fresh = edgeFor(still.connection, [ends.source, ends.output], [ends.target, ends.input]);
  if (edge.sourceHandle === fresh.sourceHandle && edge.targetHandle === fresh.targetHandle) return;
  record.removeWireAt(index);
  record.step({ change: "insert_wire", index, item: { ...edge, ...fresh } });
}

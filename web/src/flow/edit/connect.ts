import { arrayOr, text, type JsonRecord } from "../json";
import { controlEdge, dataEdge, type OutputEnd } from "./encode";
import type { Edit } from "./edits";
import { becomeTool } from "./fieldEdits";
import { join, type Connection } from "./ports";
import { readEnds, readRaw, type RawNode } from "./read";
import type { Record } from "./record";
import { Refused } from "./refusal";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

/** Draws a wire. One that is there already is left as it is, whatever id the canvas gave it. */
export function connect(record: Record, { source, output, target, input }: Of<"connect">): void {
  const find = (id: string): JsonRecord => {
    const node = record.draft.node(id);
    if (node) return node;
    const available = record.draft.nodes.map((known) => text(known.id));
    throw new Refused("no_such_node", { node: id, available });
  };
  const from = find(source);
  const to = find(target);
  const wires = record.wires();
  const there = wires.all.some(
    (wire) =>
      wire.source === source && wire.output === output && wire.target === target && wire.input === input,
  );
  if (there) return;
  const joined = join(record.context.registry, [from, output], [to, input], wires);
  if (!joined.ok) throw new Refused(joined.refusal.code, joined.refusal.params);
  const { connection } = joined;
  if (connection.flipsToolMode) becomeTool(record, source);
  record.insertWire(edgeFor(connection, [source, output], [target, input]));
  syncSelectedOutput(record, source);
}

/** The edge of a permitted wire. */
export function edgeFor(
  { sourceType, outputTypes, into }: Connection,
  [source, output]: readonly [string, string],
  [target, input]: readonly [string, string],
): JsonRecord {
  if (into.kind === "control") return controlEdge(source, output, target, input);
  const from: OutputEnd = { dataType: sourceType, id: source, name: output, output_types: outputTypes };
  if (into.kind === "loop")
    return dataEdge(from, {
      dataType: into.dataType,
      id: target,
      name: input,
      output_types: into.outputTypes,
    });
  return dataEdge(from, {
    fieldName: input,
    id: target,
    inputTypes: into.inputTypes,
    ...(into.proxy ? { proxy: into.proxy } : {}),
    type: into.type,
  });
}

/** Removes what matches; nothing is fine too. */
export function disconnect(record: Record, { source, target, output, input }: Of<"disconnect">): void {
  record.removeWires(
    (wire) =>
      wire.source === source &&
      wire.target === target &&
      (output === undefined || output === wire.output) &&
      (input === undefined || input === wire.input),
  );
}

/** Removes one wire by the id it is drawn under: its own, with `#2` when another came first, or `wire-<place>`. */
export function cut(record: Record, wire: string): void {
  const drawn = new Map<string, number>();
  const steps = new Set(
    record.draft.nodes.map(readRaw).flatMap((node) => (node.kind === "note" ? [] : [node.id])),
  );
  for (const [index, edge] of record.draft.edges.entries()) {
    const ends = readEnds(edge);
    if (!steps.has(ends.source) || !steps.has(ends.target)) continue;
    const wanted = text(edge.id) || `wire-${index}`;
    let id = wanted;
    for (let copy = 2; drawn.has(id); copy += 1) id = `${wanted}#${copy}`;
    drawn.set(id, index);
  }
  const index = drawn.get(wire);
  if (index === undefined) throw new Refused("unknown_wire", { wire });
  record.removeWireAt(index);
}

/** Lets a node with a choice of outputs show the one its wires leave by; the canvas would drop them otherwise. */
function syncSelectedOutput(record: Record, id: string): void {
  const leaving = new Set(record.wires().all.flatMap((wire) => (wire.source === id ? [wire.output] : [])));
  const [used] = leaving;
  if (used === undefined || leaving.size > 1) return;
  const node = record.node(id);
  const choice = node.outputs.filter((output) => !output.group);
  if (choice.length < 2 || !choice.some((output) => output.name === used)) return;
  const tab = tabFor(node, used);
  record.set(id, ["data", "selected_output"], used);
  if (tab !== null) record.set(id, ["data", "node", "template", "output_type", "value"], tab);
}

/** The option of an `output_type` tab that stands for the output. */
function tabFor(node: RawNode, output: string): string | null {
  const tab = node.fields.find((field) => field.name === "output_type" && field.type === "tab");
  const types = node.outputs.find(({ name }) => name === output)?.types ?? [];
  const options = arrayOr(tab?.raw.options);
  return (
    options.find((option): option is string => typeof option === "string" && types.includes(option)) ?? null
  );
}

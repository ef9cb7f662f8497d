import { isRecord, recordOr, type JsonRecord } from "../json";
import type { Edit, Moved } from "./edits";
import type { Record } from "./record";
import { Refused } from "./refusal";
import { findComponent } from "./registry";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

const SMALLEST_NOTE = { width: 280, height: 140 };

export function add(record: Record, { type, id, x, y }: Of<"add">): void {
  const found = findComponent(record.context.registry, type);
  if (!found) {
    const available = [...record.context.registry.byType.keys()].toSorted().slice(0, 20);
    throw new Refused("unknown_type", { type, available });
  }
  const own = record.freeId(found.type, id);
  record.insertNode({
    id: own,
    type: "genericNode",
    position: position(x, y),
    selected: false,
    data: { id: own, type: found.type, node: found.node, showNode: true },
  });
}

export function remove(record: Record, id: string): void {
  record.raw(id);
  record.removeWires((wire) => wire.source === id || wire.target === id);
  record.removeNode(id);
}

export function move(record: Record, moves: readonly Moved[]): void {
  for (const { node, x, y } of moves) {
    const place = position(x, y);
    record.set(node, ["position", "x"], place.x);
    record.set(node, ["position", "y"], place.y);
  }
}

export function note(record: Record, { node, text, color, x, y }: Of<"note">): void {
  if (node !== undefined) {
    if (record.node(node).kind !== "note") throw new Refused("not_a_note", { node });
    if (text !== undefined) record.set(node, notePath(record, node, "text"), text);
    if (color !== undefined) record.set(node, notePath(record, node, "color"), color);
    return;
  }
  const id = record.freeId("note");
  record.insertNode({
    id,
    type: "noteNode",
    position: position(x ?? 0, y ?? 0),
    selected: false,
    width: 324,
    data: {
      id,
      type: "note",
      node: {
        description: text ?? "",
        display_name: "",
        documentation: "",
        template: { backgroundColor: color ?? "neutral" },
      },
    },
  });
}

// A workflow's note keeps its text beside `nodeType`; `../nodes` reads that place only when there is no `node`.
function notePath(record: Record, id: string, part: "text" | "color"): string[] {
  const data = recordOr(record.raw(id).data);
  if (!isRecord(data.node) && typeof data.content === "string")
    return ["data", part === "text" ? "content" : "color"];
  return ["data", "node", ...(part === "text" ? ["description"] : ["template", "backgroundColor"])];
}

/** A node's name and description, where its card reads them. */
export function rename(record: Record, { node, name, description }: Of<"rename">): void {
  const { kind } = record.node(node);
  if (kind === "note") throw new Refused("not_a_component", { node });
  const data = recordOr(record.raw(node).data);
  const component = isRecord(data.node);
  const key = component || kind !== "workflow" ? "display_name" : workflowName(data);
  const inside = component ? ["data", "node"] : ["data"];
  if (name !== undefined) record.set(node, [...inside, key], name);
  if (description !== undefined) record.set(node, [...inside, "description"], description);
}

function workflowName(data: JsonRecord): string {
  return typeof data.name !== "string" && typeof data.label === "string" ? "label" : "name";
}

export function freeze(record: Record, { node, on }: Of<"freeze">): void {
  component(record, node);
  record.set(node, ["data", "node", "frozen"], on);
}

export function minimise(record: Record, { node, on }: Of<"minimise">): void {
  component(record, node);
  record.set(node, ["data", "showNode"], !on);
}

function component(record: Record, node: string): void {
  const { kind } = record.node(node);
  if (kind !== "component" && kind !== "group") throw new Refused("not_a_component", { node });
}

export function resize(record: Record, { node, width, height, x, y }: Of<"resize">): void {
  if (record.node(node).kind !== "note") throw new Refused("not_a_note", { node });
  if (!(width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height)))
    throw new Refused("not_a_size");
  const size = {
    width: Math.max(SMALLEST_NOTE.width, width),
    height: Math.max(SMALLEST_NOTE.height, height),
  };
  for (const side of ["width", "height"] as const) {
    record.set(node, [side], size[side]);
    // Old files repeat the size in the style, and the canvas would obey that.
    if (side in recordOr(record.raw(node).style)) record.set(node, ["style", side], size[side]);
  }
  if (x !== undefined && y !== undefined) move(record, [{ node, x, y }]);
}

export function position(x: number, y: number): { x: number; y: number } {
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Refused("not_finite");
  return { x, y };
}

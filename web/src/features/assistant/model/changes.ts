import type { Rect } from "@/flow/bounds";
import { cardLayout, flowLayouts } from "@/flow/card";
import { apply } from "@/flow/edit/apply";
import { edgesOf, type FlowDocument, hasEnds, nodesOf } from "@/flow/edit/document";
import type { Edit } from "@/flow/edit/edits";
import { modelValue } from "@/flow/edit/modelValue";
import type { Change } from "@/flow/edit/patch";
import { collides, placeFree } from "@/flow/edit/place";
import { readEnds, readRaw, TOOLSET, type WireEnds } from "@/flow/edit/read";
import type { Context } from "@/flow/edit/record";
import { refusal, type RefusalCode } from "@/flow/edit/refusal";
import { getAt, sameJson } from "@/flow/edit/values";
import { isRecord, recordOr, strings, text, type JsonRecord } from "@/flow/json";
import { readNode, readPosition } from "@/flow/nodes";
import { parseFlow } from "@/flow/parse";
import { fieldOf, literals, setting, TEMPLATE, wholeFlow } from "./settings";
import type { FieldEdit, FlowUpdate } from "./types";

/** An edit that fits the document, or why there is none. */
export type Made = { edit: Edit } | { problem: string };

type Of<A extends FlowUpdate["action"]> = Extract<FlowUpdate, { action: A }>;

/**
 * The edit that does what the server told. It comes from outside and the canvas may have changed since, so nothing of it
 * is taken for granted: what does not fit says why.
 */
export function editFor(document: FlowDocument, update: FlowUpdate, context?: Context): Made {
  const made = unchecked(document, update);
  if ("problem" in made) return made;
  const outcome = apply(document, made.edit, context);
  return outcome.ok ? made : { problem: outcome.refusal.message };
}

function unchecked(document: FlowDocument, update: FlowUpdate): Made {
  switch (update.action) {
    case "add_component":
      return added(document, update.node);
    case "connect":
      return connected(document, update.edge);
    case "set_flow":
      return replaced(update.flow);
    case "remove_component":
      return named(update.component_id) ? { edit: { op: "remove", node: update.component_id } } : no("malformed");
    case "disconnect":
      return disconnected(document, update);
    case "configure":
      return inNode(document, update.component_id, (node) => configured(document, node, update.params));
    case "select_output":
      return named(update.component_id) && named(update.output_name)
        ? { edit: { op: "select_output", node: update.component_id, output: update.output_name } }
        : no("malformed");
    case "set_connection_mode":
      return named(update.component_id)
        ? { edit: { op: "connection_mode", node: update.component_id, on: update.enabled === true } }
        : no("malformed");
    case "enable_tool_mode":
      return inNode(document, update.component_id, (node) => tool(document, node, update.outputs));
    case "rename_component":
      return named(update.component_id) && typeof update.name === "string"
        ? { edit: { op: "rename", node: update.component_id, name: update.name } }
        : no("malformed");
    case "update_fields":
      return inNode(document, update.component_id, (node) => fields(document, node, update.fields));
    case "update_outputs":
      return inNode(document, update.component_id, (node) => outputs(document, node, update.outputs));
    default:
      // Those wait for a person, or change nothing.
      return no("malformed");
  }
}

function no(code: RefusalCode, params: Record<string, string | readonly string[]> = {}): { problem: string } {
  return { problem: refusal(code, params).message };
}

function named(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function patch(changes: Change[]): Made {
  return { edit: { op: "patch", changes } };
}

function inNode(document: FlowDocument, id: unknown, make: (node: JsonRecord) => Made): Made {
  if (!named(id)) return no("malformed");
  const node = nodesOf(document).find((known) => known.id === id);
  return node ? make(node) : no("unknown_node", { node: id });
}

function added(document: FlowDocument, raw: unknown): Made {
  if (!isRecord(raw) || !named(raw.id) || !isRecord(raw.data)) return no("malformed");
  const index = nodesOf(document).length;
  return patch([{ change: "insert_node", index, item: standingFree(document, raw) }]);
}

/** Where it was to stand; beside that, if somebody stands there. */
function standingFree(document: FlowDocument, raw: JsonRecord): JsonRecord {
  const flow = parseFlow(document);
  const layouts = flowLayouts(flow);
  const wanted = readPosition(raw) ?? { x: 0, y: 0 };
  const node = readNode(text(raw.id), raw, wanted);
  // Notes lie beneath cards.
  const others = flow.nodes.flatMap((other) => {
    const size = layouts.get(other.id)?.size;
    return size && node.kind !== "note" && other.kind !== "note" ? [{ ...other.position, ...size }] : [];
  });
  const own = { ...wanted, ...cardLayout(node, []).size };
  if (!others.some((other) => collides(own, other)) && sameJson(recordOr(raw.position), wanted)) return raw;
  const { x, y } = placeFree(own, others.map(withMargin));
  return { ...raw, position: { ...recordOr(raw.position), x, y } };
}

const MARGIN = 20;

function withMargin({ x, y, width, height }: Rect): Rect {
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

function connected(document: FlowDocument, raw: unknown): Made {
  if (!hasEnds(raw)) return no("malformed");
  const ends = readEnds(raw);
  for (const id of [ends.source, ends.target])
    if (!nodesOf(document).some((node) => node.id === id)) return no("unknown_node", { node: id });
  const wires = edgesOf(document).map(readEnds);
  // The very same wire is there already: somebody was faster.
  if (wires.some((wire) => sameJson(wire, ends))) return patch([]);
  const target = nodesOf(document).find((node) => node.id === ends.target);
  const single = !ends.intoLoop && target && fieldOf(target, ends.input)?.list !== true && readRaw(target).kind !== "workflow";
  const by = wires.find((wire) => wire.target === ends.target && wire.input === ends.input && !wire.intoLoop);
  if (single && by) return no("occupied", { node: ends.target, input: ends.input, by: by.source });
  return patch([{ change: "insert_wire", index: edgesOf(document).length, item: raw }]);
}

function disconnected(document: FlowDocument, { source_id, target_id, source_output, target_input }: Of<"disconnect">): Made {
  if (!named(source_id) || !named(target_id)) return no("malformed");
  // Wires went with their node; nothing is left to do then.
  const known = new Set(nodesOf(document).map((node) => node.id));
  if (!known.has(source_id) || !known.has(target_id)) return patch([]);
  return {
    edit: {
      op: "disconnect",
      source: source_id,
      target: target_id,
      ...(named(source_output) ? { output: source_output } : {}),
      ...(named(target_input) ? { input: target_input } : {}),
    },
  };
}

/** `{name, description, data}`, or the bare document. */
function replaced(flow: unknown): Made {
  const opened = wholeFlow(flow);
  return opened.ok ? { edit: { op: "set_flow", data: opened.document } } : no("not_a_flow", { reason: opened.reason });
}

function configured(document: FlowDocument, node: JsonRecord, params: unknown): Made {
  if (!isRecord(params)) return no("malformed");
  const missing = Object.keys(params).find((field) => fieldOf(node, field) === null);
  if (missing !== undefined) return noField(node, missing);
  return patch(literals(document, node, params));
}

function noField(node: JsonRecord, field: string): Made {
  const available = readRaw(node).fields.map(({ name }) => name);
  return no("unknown_field", { node: text(node.id), field, available });
}

/** As the server has it: its outputs, and no wire at a port that is gone. */
function tool(document: FlowDocument, node: JsonRecord, wanted: unknown): Made {
  if (!isOutputs(wanted)) return no("malformed");
  const id = text(node.id);
  const made: Edit = { op: "tool_mode", node: id, on: true };
  const own = apply(document, made);
  // Whether it can be one is the server's to say: here the components may not be known yet.
  const edits: Edit[] = own.ok ? [made] : [{ op: "patch", changes: setting(node, ["data", "node", "tool_mode"], true) }];
  const now = own.ok ? own.document : document;
  const after = nodesOf(now).find((one) => one.id === id) ?? node;
  if (wanted.length > 0) edits.push({ op: "patch", changes: outputChanges(now, after, wanted) });
  return { edit: { op: "batch", edits } };
}

function isOutputs(value: unknown): value is JsonRecord[] {
  return Array.isArray(value) && value.every((item) => isRecord(item) && named(item.name));
}

function outputs(document: FlowDocument, node: JsonRecord, wanted: unknown): Made {
  if (!isOutputs(wanted)) return no("malformed");
  const changes = outputChanges(document, node, wanted);
  // Without its toolset it is no tool any more, of which nothing is told.
  const tools = getAt(node, ["data", "node", "tool_mode"]) === true;
  if (!tools || wanted.some((output) => output.name === TOOLSET)) return patch(changes);
  return patch([
    ...changes,
    ...setting(node, ["data", "node", "tool_mode"], false),
    ...setting(node, [...TEMPLATE, "tools_metadata"], undefined),
  ]);
}

function outputChanges(document: FlowDocument, node: JsonRecord, wanted: JsonRecord[]): Change[] {
  const id = text(node.id);
  const names = new Set(wanted.map((output) => text(output.name)));
  const loose = wiresGone(
    document,
    (wire) => (wire.source === id && !names.has(wire.output)) || (wire.target === id && wire.intoLoop && !names.has(wire.input)),
  );
  return [...loose, ...setting(node, ["data", "node", "outputs"], wanted)];
}

/** From the last to the first, so that places stay right. */
function wiresGone(document: FlowDocument, goes: (wire: WireEnds) => boolean): Change[] {
  return edgesOf(document)
    .flatMap((item, index): Change[] => (goes(readEnds(item)) ? [{ change: "remove_wire", index, item }] : []))
    .toReversed();
}

/** What is new in fields, part by part; null for a field, or a part of one, that went. */
function fields(document: FlowDocument, node: JsonRecord, told: unknown): Made {
  if (!isRecord(told)) return no("malformed");
  const gone = new Set(Object.keys(told).filter((field) => told[field] === null));
  const loose = wiresGone(document, (wire) => wire.target === node.id && !wire.intoLoop && gone.has(wire.input));
  const changes = Object.entries(told).flatMap(([field, entry]) => {
    const path = [...TEMPLATE, field];
    if (!isRecord(entry)) return setting(node, path, entry ?? undefined);
    // A field that is new comes whole, and a null in it is a null.
    if (fieldOf(node, field) === null) return setting(node, path, entry);
    return Object.entries(entry).flatMap(([part, value]) => setting(node, [...path, part], value ?? undefined));
  });
  return patch([...loose, ...renamedVariables(node, told), ...changes]);
}

/** Which fields are variables of a prompt is not told: those that went are none any more. */
function renamedVariables(node: JsonRecord, told: JsonRecord): Change[] {
  const custom = recordOr(getAt(node, ["data", "node", "custom_fields"]));
  return Object.entries(custom).flatMap(([prompt, names]) => {
    const left = strings(names).filter((name) => told[name] !== null);
    return setting(node, ["data", "node", "custom_fields", prompt], left);
  });
}

/** Sets the field of an edit that was agreed to, wherever its node stands now. */
export function fieldEdit(document: FlowDocument, { componentId, field, newValue }: FieldEdit): Made {
  return inNode(document, componentId, (node) => {
    const entry = fieldOf(node, field);
    if (entry === null) return noField(node, field);
    const value = entry.type === "model" ? modelValue(newValue) : newValue;
    return patch(literals(document, node, { [field]: value }));
  });
}

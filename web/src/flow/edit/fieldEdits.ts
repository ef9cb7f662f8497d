import { isRecord, recordOr, type JsonRecord } from "../json";
import type { Edit } from "./edits";
import { modelValue } from "./modelValue";
import { hasToolset } from "./ports";
import { TO_TOOLKIT, TOOLSET, type RawField, type RawNode } from "./read";
import type { Record } from "./record";
import { Refused } from "./refusal";
import { findComponent } from "./registry";

type Of<Op extends Edit["op"]> = Extract<Edit, { op: Op }>;

const TEMPLATE = ["data", "node", "template"];

/** Sets literal values: a field that named a variable no longer does. */
export function configure(record: Record, node: string, values: JsonRecord): void {
  record.raw(node);
  for (const [name, value] of Object.entries(values)) {
    const field = known(record, node, name);
    const literal = value === undefined ? null : value;
    record.set(node, [...TEMPLATE, name, "value"], field.type === "model" ? modelValue(literal) : literal);
    if ("load_from_db" in field.raw) record.set(node, [...TEMPLATE, name, "load_from_db"], false);
  }
}

/** The value is the name of a global variable from now on. */
export function variable(record: Record, { node, field, name }: Of<"variable">): void {
  const found = known(record, node, field);
  // Only texts can; of those, Langflow marks the ones that may.
  const may = "load_from_db" in found.raw || found.raw.password === true || found.type === "str";
  if (!may) throw new Refused("no_variable", { node, field });
  record.set(node, [...TEMPLATE, field, "value"], name);
  record.set(node, [...TEMPLATE, field, "load_from_db"], true);
}

export function entry(record: Record, { node, field, keys }: Of<"entry">): void {
  known(record, node, field);
  for (const [key, value] of Object.entries(keys)) record.set(node, [...TEMPLATE, field, key], value ?? null);
}

function known(record: Record, node: string, field: string): RawField {
  const { fields } = record.node(node);
  const found = fields.find(({ name }) => name === field);
  if (found) return found;
  const template = recordOr(recordOr(recordOr(record.raw(node).data).node).template);
  const available = fields.map(({ name }) => name);
  throw new Refused(Object.hasOwn(template, field) ? "reserved_field" : "unknown_field", {
    node,
    field,
    available,
  });
}

/** A node with a choice of outputs has one handle, so wires from the others have nowhere to start. */
export function selectOutput(record: Record, { node, output }: Of<"select_output">): void {
  const { outputs } = record.node(node);
  const chosen = outputs.find(({ name }) => name === output);
  if (!chosen) {
    const available = outputs.map(({ name }) => name);
    throw new Refused("unknown_output", { node, output, available });
  }
  const others = new Set(
    outputs.filter((other) => !chosen.group && !other.group && other.name !== output).map(({ name }) => name),
  );
  record.removeWires((wire) => wire.source === node && others.has(wire.output));
  record.set(node, ["data", "selected_output"], output);
}

/** A model comes in by wire, or is chosen; then the wire goes with its handle. */
export function connectionMode(record: Record, { node, on }: Of<"connection_mode">): void {
  const models = record.node(node).fields.filter(({ type }) => type === "model");
  if (models.length === 0) throw new Refused("no_model", { node });
  // Where the canvas looks and where the server looks.
  record.set(node, ["data", "_connectionMode"], on);
  for (const { name } of models) record.set(node, [...TEMPLATE, name, "_connection_mode"], on);
  if (on) return;
  const names = new Set(models.map(({ name }) => name));
  record.removeWires((wire) => wire.target === node && !wire.intoLoop && names.has(wire.input));
}

export function toolMode(record: Record, { node, on }: Of<"tool_mode">): void {
  if (on) toolModeOn(record, node);
  else toolModeOff(record, node);
}

/** In tool mode a node has one output, the toolset, and its tool arguments are the agent's to give. */
function toolModeOn(record: Record, id: string): void {
  const node = record.node(id);
  const toolset = hasToolset(node);
  if (node.toolMode && toolset) return;
  // Its own output of that name goes away with the others.
  const own = !toolset && node.outputs.some(({ name }) => name === TOOLSET);
  const named = node.fields.some(({ name }) => name === "tools_metadata");
  const argumentNames = new Set(node.fields.filter((field) => field.toolMode).map(({ name }) => name));
  const capable =
    argumentNames.size > 0 ||
    node.fields.every(({ name }) => name === "code") ||
    named ||
    findComponent(record.context.registry, node.type)?.toolCapable === true;
  if (!capable) throw new Refused("no_tool", { node: id });
  record.removeWires(
    (wire) =>
      (wire.source === id && (own || wire.output !== TOOLSET)) ||
      (wire.target === id && (wire.intoLoop || argumentNames.has(wire.input))),
  );
  becomeTool(record, id);
  if (!named) record.set(id, [...TEMPLATE, "tools_metadata"], TOOLS_FIELD);
}

/** Gives a node the outputs of its component back. */
function toolModeOff(record: Record, id: string): void {
  const node = record.node(id);
  if (!node.toolMode && !hasToolset(node)) return;
  const found = findComponent(record.context.registry, node.type);
  if (!found) throw new Refused("no_way_back", { node: id, type: node.type });
  record.removeWires((wire) => wire.source === id && wire.output === TOOLSET);
  record.set(id, ["data", "node", "tool_mode"], false);
  record.set(id, ["data", "node", "outputs"], found.node.outputs ?? []);
  record.unset(id, [...TEMPLATE, "tools_metadata"]);
}

/** The least that makes a node a tool: the flag and its only output. */
export function becomeTool(record: Record, id: string): void {
  record.set(id, ["data", "node", "tool_mode"], true);
  record.set(id, ["data", "node", "outputs"], [TOOLSET_OUTPUT]);
}

/**
 * Takes over what the server says a component looks like now, key by key, so that undoing it and meeting the changes of
 * others stay small. Wires at ports that are gone, or that became an agent's to fill, go too.
 */
export function refresh(record: Record, { node, component }: Of<"refresh">): void {
  const before = record.node(node);
  if (before.kind !== "component") throw new Refused("not_a_component", { node });
  assume(record, node, ["data", "node"], recordOr(recordOr(record.raw(node).data).node), component);
  const now = openPorts(record.node(node));
  const had = openPorts(before);
  record.removeWires(
    (wire) =>
      (wire.source === node && had.outputs.has(wire.output) && !now.outputs.has(wire.output)) ||
      (wire.target === node && !wire.intoLoop && had.inputs.has(wire.input) && !now.inputs.has(wire.input)) ||
      (wire.target === node && wire.intoLoop && !now.outputs.has(wire.input)),
  );
}

function openPorts(node: RawNode): { inputs: Set<string>; outputs: Set<string> } {
  const fields = node.fields.filter((field) => field.show && !(node.toolMode && field.toolMode));
  return {
    inputs: new Set(fields.map(({ name }) => name)),
    outputs: new Set(node.outputs.map(({ name }) => name)),
  };
}

/** As deep as a field of the template: below that, values are what people set and come as a whole. */
const DEEPEST = 5;

export function assume(record: Record, node: string, path: string[], from: JsonRecord, to: JsonRecord): void {
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) record.unset(node, [...path, key]);
  for (const [key, value] of Object.entries(to)) {
    const old = Object.hasOwn(from, key) ? from[key] : undefined;
    const here = [...path, key];
    if (isRecord(old) && isRecord(value) && here.length < DEEPEST) assume(record, node, here, old, value);
    else if (value !== undefined) record.set(node, here, value);
  }
}

const TOOLSET_OUTPUT = {
  allows_loop: false,
  cache: true,
  display_name: "Toolset",
  group_outputs: false,
  hidden: false,
  loop_types: null,
  method: TO_TOOLKIT,
  name: TOOLSET,
  options: null,
  required_inputs: null,
  selected: "Tool",
  tool_mode: true,
  types: ["Tool"],
  value: "__UNDEFINED__",
};

const TOOLS_FIELD = {
  _input_type: "ToolsInput",
  advanced: false,
  display_name: "Actions",
  dynamic: false,
  info: "",
  list: true,
  name: "tools_metadata",
  placeholder: "",
  real_time_refresh: true,
  required: false,
  show: true,
  title_case: false,
  tool_mode: false,
  trace_as_metadata: true,
  type: "tools",
  value: [],
};

import { compatible } from "../portTypes";
import type { JsonRecord } from "../json";
import {
  isToolset,
  readRaw,
  TOOLSET,
  type RawField,
  type RawNode,
  type RawOutput,
  type WireEnds,
} from "./read";
import { refusal, type Refusal } from "./refusal";
import { findComponent, type Registry } from "./registry";

/** What a permitted wire's handles say. */
export interface Connection {
  sourceType: string;
  outputTypes: string[];
  into:
    | { kind: "field"; inputTypes: string[]; type: string; proxy: RawField["proxy"] }
    | { kind: "loop"; dataType: string; outputTypes: string[] }
    | { kind: "control" };
  /** The source must be put into tool mode for the wire to make sense. */
  flipsToolMode: boolean;
}

export type Joined = { ok: true; connection: Connection } | { ok: false; refusal: Refusal };

export interface OutputPort {
  types: string[];
  /** What the wire's handle says it carries. */
  offered: string[];
}

export type InputPort =
  | {
      kind: "field";
      inputTypes: string[];
      type: string;
      list: boolean;
      show: boolean;
      toolMode: boolean;
      proxy: RawField["proxy"];
    }
  | { kind: "loop"; types: string[] }
  | { kind: "control" };

/** The wires there are, looked up by where they end. */
export class Wires {
  readonly all: readonly WireEnds[];
  private readonly into = new Map<string, WireEnds[]>();
  private readonly after = new Map<string, string[]>();
  private readonly before = new Map<string, string[]>();
  private readonly leading = new Map<string, Set<string>>();

  constructor(all: readonly WireEnds[]) {
    this.all = all;
    for (const wire of all) {
      push(this.into, entryKey(wire), wire);
      if (wire.intoLoop) continue;
      push(this.after, wire.source, wire.target);
      push(this.before, wire.target, wire.source);
    }
  }

  at(entry: Pick<WireEnds, "target" | "input" | "intoLoop">): readonly WireEnds[] {
    return this.into.get(entryKey(entry)) ?? [];
  }

  /** The shortest way along wires that enter no loop port, both ends included. */
  way(from: string, to: string): string[] | null {
    if (!this.leadingTo(to).has(from)) return null;
    const cameFrom = new Map<string, string | null>([[from, null]]);
    const open = [from];
    for (const node of open) {
      if (node === to) {
        const way: string[] = [];
        for (let at: string | null = to; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
        return way;
      }
      for (const next of this.after.get(node) ?? []) {
        if (cameFrom.has(next)) continue;
        cameFrom.set(next, node);
        open.push(next);
      }
    }
    return null;
  }

  /** Asked for every input of a flow while a wire is dragged, always about the same node. */
  private leadingTo(node: string): Set<string> {
    const known = this.leading.get(node);
    if (known) return known;
    const found = new Set([node]);
    for (const one of found) for (const source of this.before.get(one) ?? []) found.add(source);
    this.leading.set(node, found);
    return found;
  }
}

function entryKey({ target, input, intoLoop }: Pick<WireEnds, "target" | "input" | "intoLoop">): string {
  return JSON.stringify([target, input, intoLoop]);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Whether `source.output` may be wired to `target.input`. A wire that is already there may. */
export function join(
  registry: Registry,
  [sourceRaw, output]: readonly [JsonRecord, string],
  [targetRaw, input]: readonly [JsonRecord, string],
  wires: Wires,
): Joined {
  const source = readRaw(sourceRaw);
  const target = readRaw(targetRaw);
  if (source.id === target.id) return no(refusal("self_wire", { node: source.id }));
  const from = outputPort(source, registry, output);
  if ("code" in from) return no(from);
  const to = inputPort(target, registry, input);
  if ("code" in to) return no(to);
  const wire = { source: source.id, output, target: target.id, input, intoLoop: to.kind === "loop" };
  const refused =
    misfit(source, from, to, wire) ??
    closed(wire, to) ??
    occupied(wire, to, wires) ??
    (to.kind === "field" ? cyclic(wire, wires) : null);
  if (refused) return no(refused);
  return {
    ok: true,
    connection: {
      sourceType: source.type,
      outputTypes: from.offered,
      flipsToolMode: output === TOOLSET && !source.outputs.some((known) => known.name === TOOLSET),
      into: to.kind === "loop" ? { kind: "loop", dataType: target.type, outputTypes: to.types } : to,
    },
  };
}

function no(refused: Refusal): Joined {
  return { ok: false, refusal: refused };
}

export function outputPort(node: RawNode, registry: Registry, name: string): OutputPort | Refusal {
  if (node.kind === "workflow") return { types: ["Control"], offered: ["Control"] };
  const own = node.outputs.find((output) => output.name === name);
  // An output that does not name its types gives messages, as Langflow has it.
  if (own) return { types: own.typed ? own.types : ["Message"], offered: offered(own) };
  const known = findComponent(registry, node.type);
  const available = node.outputs.map((output) => output.name);
  if (name === TOOLSET) {
    const capable = node.fields.some((field) => field.toolMode) || known?.toolCapable === true;
    return capable
      ? { types: ["Tool"], offered: ["Tool"] }
      : refusal("no_tool", { node: node.id, available });
  }
  // Files from before outputs were written down: the type knows them.
  if (node.outputs.length === 0 && known) {
    const listed = known.outputs.find((output) => output.name === name);
    if (listed) return { types: listed.types, offered: listed.types.slice(0, 1) };
    available.push(...known.outputs.map((output) => output.name));
  }
  return refusal("unknown_output", { node: node.id, output: name, available });
}

/** The types a wire out of it says it carries: all, or the chosen one of several. */
function offered(output: RawOutput): string[] {
  return output.selected && output.types.length > 1 ? [output.selected] : output.types;
}

/** What a wire that closes a loop here may carry. */
function loopInputs(output: RawOutput): string[] {
  const own = output.selected ?? output.types[0];
  return [...(own === undefined ? [] : [own]), ...output.loopTypes];
}

export function inputPort(node: RawNode, registry: Registry, name: string): InputPort | Refusal {
  if (node.kind === "workflow") return { kind: "control" };
  const spec = findComponent(registry, node.type)?.fields.find((field) => field.name === name);
  const own = node.fields.find((field) => field.name === name);
  if (own) return fieldPort(own, inputTypes(own, spec), node.toolMode);
  // A field wins over an output of the same name.
  const loop = node.outputs.find((output) => output.name === name && output.allowsLoop);
  if (loop) return { kind: "loop", types: loopInputs(loop) };
  if (node.fields.length === 0 && spec) return fieldPort(spec, spec.inputTypes ?? [], node.toolMode);
  return refusal("unknown_input", { node: node.id, input: name, available: inputsOf(node) });
}

function fieldPort(field: RawField, inputTypes: string[], toolMode: boolean): InputPort {
  return {
    kind: "field",
    inputTypes,
    type: field.type || "str",
    list: field.list,
    show: field.show,
    toolMode: field.toolMode && toolMode,
    proxy: field.proxy,
  };
}

function inputTypes(own: RawField, spec: RawField | undefined): string[] {
  if (own.inputTypes && own.inputTypes.length > 0) return own.inputTypes;
  if (spec) return spec.inputTypes ?? [];
  return own.inputTypes ?? ["Message"];
}

/** What can be wired into. */
export function inputsOf(node: RawNode): string[] {
  const fields = node.fields.filter((field) => field.show && (field.inputTypes ?? []).length > 0);
  const loops = node.outputs.filter((output) => output.allowsLoop);
  return [...fields, ...loops].map((port) => port.name);
}

/** The canvas's rule: a common type, else the component's own type, else the type of the field. */
export function fits(sourceType: string, types: readonly string[], to: InputPort): boolean {
  if (to.kind === "control") return true;
  if (to.kind === "loop") return compatible(types, to.types);
  return (
    compatible(types, to.inputTypes) ||
    compatible([sourceType], to.inputTypes) ||
    compatible(types, [to.type]) ||
    compatible([sourceType], [to.type])
  );
}

function misfit(source: RawNode, from: OutputPort, to: InputPort, wire: WireEnds): Refusal | null {
  if (to.kind === "control" || fits(source.type, from.types, to)) return null;
  return refusal("types", {
    wire: `${wire.source}.${wire.output} -> ${wire.target}.${wire.input}`,
    outputs: from.types,
    inputs: to.kind === "loop" ? to.types : to.inputTypes,
  });
}

function closed({ target, input }: WireEnds, to: InputPort): Refusal | null {
  if (to.kind !== "field") return null;
  if (to.toolMode) return refusal("tool_argument", { node: target, input });
  return to.show ? null : refusal("hidden", { node: target, input });
}

function occupied(wire: WireEnds, to: InputPort, wires: Wires): Refusal | null {
  if (to.kind === "control" || (to.kind === "field" && to.list)) return null;
  const other = wires.at(wire).find((known) => !sameEnds(known, wire));
  if (!other) return null;
  const by = `${other.source}.${other.output}`;
  return refusal("occupied", { node: wire.target, input: wire.input, by });
}

function sameEnds(one: WireEnds, other: WireEnds): boolean {
  return (
    one.source === other.source &&
    one.output === other.output &&
    one.target === other.target &&
    one.input === other.input &&
    one.intoLoop === other.intoLoop
  );
}

/** Refuses a wire from which other wires lead back to its source, unless one of them enters a loop port. */
function cyclic(wire: WireEnds, wires: Wires): Refusal | null {
  const way = wires.way(wire.target, wire.source);
  return way && refusal("cycle", { path: [wire.source, ...way] });
}

export function hasToolset(node: RawNode): boolean {
  return node.outputs.some(isToolset);
}

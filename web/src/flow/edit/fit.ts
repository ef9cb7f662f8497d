import { recordOr, text, type JsonRecord } from "../json";
import { compatible } from "../portTypes";
import { workflowKind, workflowPorts } from "../workflow";
import { edgesOf, nodesOf, type FlowDocument } from "./document";
import { fits, inputPort, inputsOf, join, outputPort, Wires, type InputPort } from "./ports";
import { readEnds, readRaw, TOOLSET, type RawField } from "./read";
import type { Refusal } from "./refusal";
import { findComponent, type Descriptor, type Registry } from "./registry";

/** Whether a wire may end at a port; with the reason, for the one that is dimmed. */
export interface Fit {
  node: string;
  port: string;
  refusal: Refusal | null;
}

/** Every input of the flow, and whether a wire that leaves `output` of `node` may enter it. */
export function fittingInputs(
  document: FlowDocument,
  registry: Registry,
  { node, output }: { node: string; output: string },
): Fit[] {
  const { own, nodes, wires } = around(document, node);
  if (!own) return [];
  return nodes.flatMap((target) =>
    inputNames(target, registry).map((port) => {
      const joined = join(registry, [own, output], [target, port], wires);
      return { node: text(target.id), port, refusal: joined.ok ? null : joined.refusal };
    }),
  );
}

/** Every output of the flow, and whether a wire that enters `input` of `node` may come from it. */
export function fittingOutputs(
  document: FlowDocument,
  registry: Registry,
  { node, input }: { node: string; input: string },
): Fit[] {
  const { own, nodes, wires } = around(document, node);
  if (!own) return [];
  return nodes.flatMap((source) =>
    outputNames(source, registry).map((port) => {
      const joined = join(registry, [source, port], [own, input], wires);
      return { node: text(source.id), port, refusal: joined.ok ? null : joined.refusal };
    }),
  );
}

interface Around {
  own: JsonRecord | null;
  nodes: JsonRecord[];
  wires: Wires;
}

function around(document: FlowDocument, id: string): Around {
  const nodes = nodesOf(document).filter((node) => readRaw(node).kind !== "note");
  return {
    own: nodes.find((node) => text(node.id) === id) ?? null,
    nodes,
    wires: new Wires(edgesOf(document).map(readEnds)),
  };
}

function inputNames(raw: JsonRecord, registry: Registry): string[] {
  const node = readRaw(raw);
  if (node.kind === "workflow") return controlNames(raw, "in");
  if (node.fields.length > 0) return inputsOf(node);
  const spec = findComponent(registry, node.type)?.fields ?? [];
  return [...wireable(spec).map(({ name }) => name), ...inputsOf(node)];
}

function outputNames(raw: JsonRecord, registry: Registry): string[] {
  const node = readRaw(raw);
  if (node.kind === "workflow") return controlNames(raw, "out");
  const own = node.outputs.length > 0 ? node.outputs : (findComponent(registry, node.type)?.outputs ?? []);
  return own.map(({ name }) => name);
}

function controlNames(raw: JsonRecord, side: "in" | "out"): string[] {
  const kind = workflowKind(text(raw.type));
  const ports = kind ? workflowPorts(kind, recordOr(raw.data)) : [];
  return ports.filter((port) => port.side === side).map(({ name }) => name);
}

function wireable(fields: readonly RawField[]): RawField[] {
  return fields.filter((field) => field.show && (field.inputTypes ?? []).length > 0);
}

/** A component for a wire that was dropped on the empty canvas, with the port to wire it by. */
export interface Candidate {
  component: Descriptor;
  port: string;
}

/** Components that take what `output` of `node` gives, each with its first fitting input. */
export function componentsAfter(
  document: FlowDocument,
  registry: Registry,
  { node, output }: { node: string; output: string },
): Candidate[] {
  const source = nodesOf(document).find((known) => text(known.id) === node);
  if (!source) return [];
  const read = readRaw(source);
  const from = outputPort(read, registry, output);
  if ("code" in from || read.kind === "workflow") return [];
  return [...registry.byType.values()].flatMap((component) => {
    const field = wireable(component.fields).find((one) => fits(read.type, from.types, asPort(one)));
    return field ? [{ component, port: field.name }] : [];
  });
}

/** Components that give what `input` of `node` takes, each with its first fitting output; tools as the toolset. */
export function componentsBefore(
  document: FlowDocument,
  registry: Registry,
  { node, input }: { node: string; input: string },
): Candidate[] {
  const target = nodesOf(document).find((known) => text(known.id) === node);
  if (!target) return [];
  const to = inputPort(readRaw(target), registry, input);
  if ("code" in to || to.kind === "control") return [];
  const toolsWanted = to.kind === "field" && compatible(["Tool"], to.inputTypes);
  return [...registry.byType.values()].flatMap((component) => {
    const output = component.outputs.find((one) => fits(component.type, one.types, to));
    if (output) return [{ component, port: output.name }];
    return toolsWanted && component.toolCapable ? [{ component, port: TOOLSET }] : [];
  });
}

function asPort(field: RawField): InputPort {
  return {
    kind: "field",
    inputTypes: field.inputTypes ?? [],
    type: field.type || "str",
    list: field.list,
    show: field.show,
    toolMode: false,
    proxy: null,
  };
}

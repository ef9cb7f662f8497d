import { parseHandle } from "../handles";
import { arrayOr, isRecord, recordOr, text, type JsonRecord } from "../json";
import { workflowKind } from "../workflow";

/** A node's ports as its JSON names them. Unlike `../nodes`, old type names stay: handles repeat them. */
export interface RawNode {
  id: string;
  kind: "component" | "note" | "group" | "workflow" | "unknown";
  /** `data.type`, or the node's own `type` for workflow nodes. */
  type: string;
  fields: readonly RawField[];
  outputs: readonly RawOutput[];
  toolMode: boolean;
}

export interface RawField {
  name: string;
  type: string;
  show: boolean;
  list: boolean;
  toolMode: boolean;
  /** Types of wires it takes; null when the entry does not say. */
  inputTypes: string[] | null;
  proxy: { id: string; field: string } | null;
  raw: JsonRecord;
}

export interface RawOutput {
  name: string;
  method: string;
  types: string[];
  /** It says which types it gives, even if that is none. */
  typed: boolean;
  selected: string | null;
  allowsLoop: boolean;
  loopTypes: string[];
  group: boolean;
  proxy: { id: string; name: string } | null;
}

export interface WireEnds {
  source: string;
  output: string;
  target: string;
  input: string;
  /** Enters an output, closing a loop. */
  intoLoop: boolean;
}

// Documents are never changed in place, so what was read of a node holds as long as the object does.
const nodesRead = new WeakMap<JsonRecord, RawNode>();
const endsRead = new WeakMap<JsonRecord, WireEnds>();

export function readRaw(node: JsonRecord): RawNode {
  const known = nodesRead.get(node);
  if (known) return known;
  const data = recordOr(node.data);
  const component = recordOr(data.node);
  const kind = kindOf(node, data, component);
  const dataType = text(data.type);
  const read: RawNode = {
    id: text(node.id),
    kind,
    type: kind === "workflow" || dataType === "" ? text(node.type) : dataType,
    fields: kind === "note" ? [] : readRawFields(component),
    outputs: readRawOutputs(component),
    toolMode: component.tool_mode === true,
  };
  nodesRead.set(node, read);
  return read;
}

function kindOf(node: JsonRecord, data: JsonRecord, component: JsonRecord): RawNode["kind"] {
  const type = text(node.type);
  if (type === "noteNode" || type === "note" || text(data.type) === "note") return "note";
  if (workflowKind(type)) return "workflow";
  if (isRecord(component.flow)) return "group";
  return type === "genericNode" || (type === "" && "node" in data) ? "component" : "unknown";
}

function texts(value: unknown): string[] {
  return arrayOr(value).filter((item): item is string => typeof item === "string");
}

export function readRawFields(component: JsonRecord): RawField[] {
  return Object.entries(recordOr(component.template)).flatMap(([name, raw]): RawField[] => {
    if (!isRecord(raw)) return [];
    const proxy = recordOr(raw.proxy);
    return [
      {
        name,
        type: text(raw.type),
        show: raw.show !== false,
        list: raw.list === true,
        toolMode: raw.tool_mode === true,
        inputTypes: Array.isArray(raw.input_types) ? texts(raw.input_types) : null,
        proxy:
          typeof proxy.id === "string" && typeof proxy.field === "string"
            ? { id: proxy.id, field: proxy.field }
            : null,
        raw,
      },
    ];
  });
}

export function readRawOutputs(component: JsonRecord): RawOutput[] {
  return arrayOr(component.outputs).map((item) => {
    const raw = recordOr(item);
    const proxy = recordOr(raw.proxy);
    return {
      name: text(raw.name),
      method: text(raw.method),
      types: texts(raw.types),
      typed: "types" in raw,
      selected: typeof raw.selected === "string" ? raw.selected : null,
      allowsLoop: raw.allows_loop === true,
      loopTypes: texts(raw.loop_types),
      group: raw.group_outputs === true,
      proxy:
        typeof proxy.id === "string" && typeof proxy.name === "string"
          ? { id: proxy.id, name: proxy.name }
          : null,
    };
  });
}

export function readEnds(edge: JsonRecord): WireEnds {
  const known = endsRead.get(edge);
  if (known) return known;
  const data = recordOr(edge.data);
  const from = parseHandle(data.sourceHandle) ?? parseHandle(edge.sourceHandle);
  const to = parseHandle(data.targetHandle) ?? parseHandle(edge.targetHandle);
  const intoLoop = to?.kind === "output" && to.name !== "";
  const ends: WireEnds = {
    source: text(edge.source),
    output: from === null ? "" : from.kind === "output" ? from.name || (from.types[0] ?? "") : nameOf(from),
    target: text(edge.target),
    input: to === null ? "" : nameOf(to),
    intoLoop,
  };
  endsRead.set(edge, ends);
  return ends;
}

function nameOf(handle: NonNullable<ReturnType<typeof parseHandle>>): string {
  return handle.kind === "field" ? handle.field : handle.name;
}

/** What a node in tool mode offers. A name alone does not make it so: components may have an output of that name. */
export function isToolset(output: RawOutput): boolean {
  const usual = output.method === "" || output.method === TO_TOOLKIT;
  return output.name === TOOLSET && usual && output.types.includes("Tool");
}

export const TOOLSET = "component_as_tool";
export const TO_TOOLKIT = "to_toolkit";

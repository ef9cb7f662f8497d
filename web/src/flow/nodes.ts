import { cardFields, humanise, readFields } from "./fields";
import { arrayOr, finite, isRecord, recordOr, text, textOrNull, type JsonRecord } from "./json";
import type {
  ComponentNode,
  Field,
  FlowNode,
  NoteNode,
  Point,
  Port,
  UnknownNode,
  WorkflowNode,
} from "./model";
import { noteColour, noteSize } from "./notes";
import { readOutputs } from "./outputs";
import { fieldPort, loopPort, outputPort } from "./ports";
import { workflowFacts, workflowKind, workflowPorts, WORKFLOW_ICONS, WORKFLOW_TITLES } from "./workflow";

const FURTHEST = 10_000_000;

export function readPosition(node: JsonRecord): Point | null {
  for (const place of [node.position, node.positionAbsolute]) {
    const { x, y } = recordOr(place);
    const px = finite(x);
    const py = finite(y);
    if (px !== null && py !== null) return { x: bounded(px), y: bounded(py) };
  }
  return null;
}

function bounded(value: number): number {
  return Math.min(FURTHEST, Math.max(-FURTHEST, value));
}

/** One node of the document. Never fails: what it cannot understand becomes an `unknown` node. */
export function readNode(id: string, raw: JsonRecord, position: Point): FlowNode {
  const data = recordOr(raw.data);
  const type = text(raw.type);
  if (isNote(type, data)) return readNote(id, raw, data, position);
  const kind = workflowKind(type) ?? workflowKind(text(data.nodeType));
  if (kind && type !== "genericNode") return readWorkflow(id, raw, data, position, kind);
  if (isRecord(data.node) && (type === "genericNode" || type === "" || isRecord(data.node.template))) {
    return readComponent(id, raw, data, data.node, position);
  }
  return readUnknown(id, raw, data, position);
}

function isNote(type: string, data: JsonRecord): boolean {
  return type === "noteNode" || type === "note" || (type === "" && text(data.type) === "note");
}

function readNote(id: string, raw: JsonRecord, data: JsonRecord, position: Point): NoteNode {
  const node = recordOr(data.node);
  const colour = recordOr(node.template).backgroundColor ?? data.backgroundColor ?? data.color;
  return {
    kind: "note",
    id,
    type: "note",
    title: "",
    description: "",
    icon: "sticky-note",
    position,
    ports: [],
    raw,
    markdown: text(node.description) || text(data.content) || text(data.text) || text(data.description),
    colour: noteColour(colour),
    size: noteSize(raw),
  };
}

function readWorkflow(
  id: string,
  raw: JsonRecord,
  data: JsonRecord,
  position: Point,
  kind: WorkflowNode["workflow"],
): WorkflowNode {
  return {
    kind: "workflow",
    workflow: kind,
    id,
    type: kind,
    title: textOrNull(data.name) ?? textOrNull(data.label) ?? WORKFLOW_TITLES[kind],
    description: text(data.description),
    icon: WORKFLOW_ICONS[kind],
    position,
    ports: workflowPorts(kind, data),
    raw,
    facts: workflowFacts(kind, data),
  };
}

function readComponent(
  id: string,
  raw: JsonRecord,
  data: JsonRecord,
  node: JsonRecord,
  position: Point,
): ComponentNode {
  return { ...partsOf(id, data, node), id, position, raw, ports: [], shownOutputs: [], open: false };
}

type Parts = Omit<ComponentNode, "id" | "position" | "raw" | "ports" | "shownOutputs" | "open">;

// Documents are never changed in place, so what is the same object has the same parts.
const knownParts = new WeakMap<JsonRecord, Parts>();

function partsOf(id: string, data: JsonRecord, node: JsonRecord): Parts {
  const known = knownParts.get(data);
  if (known) return known;
  const type = textOrNull(data.type) ?? textOrNull(node.key) ?? id.split("-")[0] ?? "";
  const inner = recordOr(recordOr(node.flow).data);
  const innerNodes = arrayOr(inner.nodes).map((item) => recordOr(recordOr(item).data));
  const parts: Parts = {
    kind: "component",
    type,
    title: textOrNull(node.display_name) ?? textOrNull(data.display_name) ?? humanise(type),
    description: text(node.description) || text(data.description),
    icon: textOrNull(node.icon),
    fields: readFields(node),
    outputs: readOutputs(node),
    minimised: data.showNode === false,
    badges: {
      frozen: node.frozen === true,
      legacy: node.legacy === true,
      beta: node.beta === true,
      toolMode: node.tool_mode === true,
      edited: node.edited === true,
    },
    documentation: text(node.documentation),
    group: isRecord(node.flow)
      ? {
          names: innerNodes
            .map((item) => text(recordOr(item.node).display_name) || text(item.type))
            .filter((name) => name !== ""),
          wires: arrayOr(inner.edges).length,
        }
      : null,
  };
  knownParts.set(data, parts);
  return parts;
}

function readUnknown(id: string, raw: JsonRecord, data: JsonRecord, position: Point): UnknownNode {
  const type = textOrNull(raw.type) ?? "";
  const generic = type === "genericNode" || type === "";
  const shownType = textOrNull(data.type) ?? type;
  return {
    kind: "unknown",
    id,
    type: shownType,
    title:
      textOrNull(data.display_name) ??
      textOrNull(data.label) ??
      textOrNull(data.name) ??
      (shownType === "" ? id : humanise(shownType)),
    description: "",
    icon: null,
    position,
    ports: [],
    raw,
    reason: generic ? "no_component" : "unknown_type",
  };
}

/** Ports of a component card, given which fields and outputs wires use. */
export function componentPorts(node: ComponentNode, wiredFields: ReadonlySet<string>): Port[] {
  const { shown } = cardFields(node.fields, wiredFields, node.badges.toolMode, node.open);
  const inputs = shown.filter((field) => hasPort(field, wiredFields)).map(fieldPort);
  const outputs = node.outputs.filter((output) => node.shownOutputs.includes(output.name));
  return [...inputs, ...outputs.filter((output) => output.loop).map(loopPort), ...outputs.map(outputPort)];
}

// A model field shows its list of models; its port appears once models are to come by wire.
export function hasPort(field: Field, wired: ReadonlySet<string>): boolean {
  return (
    wired.has(field.name) ||
    field.byWire ||
    (field.types.length > 0 && field.kind !== "model" && field.kind !== "table")
  );
}

import { cardFields } from "./fields";
import type { ComponentNode, Field, Flow, FlowNode, Output, Point, Port, Size, Wire } from "./model";
import { NO_WIRES } from "./model";
import { hasPort } from "./nodes";
import { wiredFields } from "./wires";

// Every height here is fixed by the card's styles too: wires of cards that were never rendered end exactly at their ports.
export const CARD = {
  width: 320,
  slimWidth: 240,
  header: 44,
  description: 20,
  padding: 8,
  inline: 32,
  label: 28,
  stacked: 58,
  tall: 78,
  more: 24,
  output: 34,
  fact: 22,
  minimised: { width: 192, height: 52 },
} as const;

export interface FieldRow {
  field: Field;
  wired: boolean;
  /** `inline`: label and value on one line; `stacked`: value under the label; `tall`: three lines of value. */
  shape: "inline" | "stacked" | "tall";
  port: Port | null;
  top: number;
  height: number;
}

export interface OutputRow {
  output: Output | null;
  port: Port;
  loop: Port | null;
  top: number;
}

export interface CardLayout {
  size: Size;
  rows: FieldRow[];
  more: number;
  outputs: OutputRow[];
  /** Where each port sits, measured from the card's top left corner. */
  ports: ReadonlyMap<string, Point>;
}

const TALL = new Set<Field["kind"]>(["multiline", "prompt"]);
const INLINE = new Set<Field["kind"]>([
  "bool",
  "number",
  "port",
  "slider",
  "table",
  "dict",
  "code",
  "duration",
  "other",
]);

export function rowShape(field: Field, wired: boolean): FieldRow["shape"] {
  if (wired || INLINE.has(field.kind)) return "inline";
  return TALL.has(field.kind) ? "tall" : "stacked";
}

const HEIGHTS = { inline: CARD.inline, stacked: CARD.stacked, tall: CARD.tall };

export function cardLayout(node: FlowNode, wires: readonly Wire[]): CardLayout {
  if (node.kind === "note") return { size: node.size, rows: [], more: 0, outputs: [], ports: new Map() };
  if (node.kind === "component") return node.minimised ? minimisedLayout(node) : componentLayout(node, wires);
  return slimLayout(node);
}

function headerHeight(node: FlowNode): number {
  return CARD.header + (node.description === "" ? 0 : CARD.description);
}

function componentLayout(node: ComponentNode, wires: readonly Wire[]): CardLayout {
  const wired = wiredFields(node, wires);
  const { shown, more } = cardFields(node.fields, wired, node.badges.toolMode, node.open);
  const ports = new Map<string, Point>();
  const byId = new Map(node.ports.map((port) => [port.id, port]));
  let top = headerHeight(node);
  const groupLine = node.group ? CARD.more : 0;
  const body = shown.length + more > 0 || node.group !== null;
  top += body ? 1 + CARD.padding + groupLine : 0;
  const rows = shown.map((field): FieldRow => {
    const isWired = wired.has(field.name);
    const shape = rowShape(field, isWired);
    const port = hasPort(field, wired) ? (byId.get(`in:${field.name}`) ?? null) : null;
    const row = { field, wired: isWired, shape, port, top, height: HEIGHTS[shape] };
    if (port) ports.set(port.id, { x: 0, y: top + (shape === "inline" ? CARD.inline : CARD.label) / 2 });
    top += row.height;
    return row;
  });
  top += (more > 0 || node.open ? CARD.more : 0) + (body ? CARD.padding : 0);
  const outputs = node.outputs
    .filter((output) => node.shownOutputs.includes(output.name))
    .flatMap((output): OutputRow[] => {
      const port = byId.get(`out:${output.name}`);
      if (!port) return [];
      const loop = byId.get(`loop:${output.name}`) ?? null;
      const row = { output, port, loop, top };
      ports.set(port.id, { x: CARD.width, y: top + CARD.output / 2 });
      if (loop) ports.set(loop.id, { x: 0, y: top + CARD.output / 2 });
      top += CARD.output;
      return [row];
    });
  headerPorts(node, CARD.width, CARD.header / 2, ports);
  return { size: { width: CARD.width, height: top }, rows, more, outputs, ports };
}

function minimisedLayout(node: ComponentNode): CardLayout {
  const { width, height } = CARD.minimised;
  const ports = new Map<string, Point>();
  for (const port of node.ports) ports.set(port.id, { x: port.side === "in" ? 0 : width, y: height / 2 });
  return { size: { width, height }, rows: [], more: 0, outputs: [], ports };
}

function slimLayout(node: Exclude<FlowNode, { kind: "note" }>): CardLayout {
  const ports = new Map<string, Point>();
  const facts = node.kind === "workflow" ? node.facts.length : 1;
  let top = headerHeight(node);
  if (facts > 0) top += 1 + CARD.padding * 2 + facts * (node.kind === "unknown" ? CARD.fact * 2 : CARD.fact);
  // Named exits get a row each; a single unnamed exit sits beside the title.
  const named = node.ports.filter((port) => port.side === "out" && port.label !== "" && port.role !== "lost");
  const outputs = named.map((port): OutputRow => {
    const row = { output: null, port, loop: null, top };
    ports.set(port.id, { x: CARD.slimWidth, y: top + CARD.output / 2 });
    top += CARD.output;
    return row;
  });
  if (node.kind === "unknown") {
    const inputs = node.ports.filter((port) => port.side === "in");
    inputs.forEach((port, index) => ports.set(port.id, { x: 0, y: CARD.header / 2 + index * 18 }));
    top = Math.max(top, CARD.header / 2 + inputs.length * 18 + CARD.padding);
  }
  headerPorts(node, CARD.slimWidth, CARD.header / 2, ports);
  return { size: { width: CARD.slimWidth, height: top }, rows: [], more: 0, outputs, ports };
}

/** Control ports without a row of their own, and ports that wires name but the node lacks, sit at the title. */
function headerPorts(node: FlowNode, width: number, y: number, ports: Map<string, Point>): void {
  for (const port of node.ports) {
    if (!ports.has(port.id)) ports.set(port.id, { x: port.side === "in" ? 0 : width, y });
  }
}

export function flowLayouts(flow: Flow): Map<string, CardLayout> {
  return new Map(
    flow.nodes.map((node) => [node.id, cardLayout(node, flow.wiresOf.get(node.id) ?? NO_WIRES)]),
  );
}

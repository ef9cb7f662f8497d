import type { JsonRecord } from "./json";

export type FieldKind =
  | "text"
  | "multiline"
  | "number"
  | "slider"
  | "bool"
  | "dropdown"
  | "multiselect"
  | "tab"
  | "list"
  | "dict"
  | "table"
  | "file"
  | "secret"
  | "prompt"
  | "code"
  | "model"
  | "link"
  | "tools"
  | "duration"
  | "port"
  | "other";

export interface Field {
  name: string;
  label: string;
  kind: FieldKind;
  help: string;
  placeholder: string;
  value: unknown;
  required: boolean;
  advanced: boolean;
  shown: boolean;
  toolMode: boolean;
  /** Accepts several wires or values. */
  list: boolean;
  /** Name of the global variable the value comes from. */
  variable: string | null;
  /** Types the field accepts from a wire; none means no port. */
  types: string[];
  options: string[];
  range: { min: number; max: number } | null;
  columns: string[];
  proxy: { id: string; field: string } | null;
  /** A model that comes in by wire instead of being chosen. */
  byWire: boolean;
}

export interface Output {
  name: string;
  label: string;
  types: string[];
  /** The type this output delivers: the chosen one of `types`. */
  type: string | null;
  hidden: boolean;
  loop: boolean;
  grouped: boolean;
  proxy: { id: string; name: string } | null;
}

export type PortRole = "field" | "output" | "loop" | "control" | "lost";

export interface Port {
  id: string;
  side: "in" | "out";
  role: PortRole;
  name: string;
  label: string;
  types: string[];
  /** The type that colours it: its only one, or that of the wire it receives. */
  type: string | null;
}

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Badges {
  frozen: boolean;
  legacy: boolean;
  beta: boolean;
  toolMode: boolean;
  edited: boolean;
}

interface NodeBase {
  id: string;
  title: string;
  description: string;
  icon: string | null;
  type: string;
  position: Point;
  ports: Port[];
  raw: JsonRecord;
}

export interface ComponentNode extends NodeBase {
  kind: "component";
  fields: Field[];
  outputs: Output[];
  /** Names of the outputs the card shows, in order. */
  shownOutputs: string[];
  minimised: boolean;
  /** The card shows every basic field, not only the first few. */
  open: boolean;
  badges: Badges;
  documentation: string;
  group: { names: string[]; wires: number } | null;
}

export interface NoteNode extends NodeBase {
  kind: "note";
  markdown: string;
  colour: NoteColour;
  size: Size;
}

export interface WorkflowNode extends NodeBase {
  kind: "workflow";
  workflow: WorkflowKind;
  facts: WorkflowFact[];
}

export interface UnknownNode extends NodeBase {
  kind: "unknown";
  reason: "unknown_type" | "no_component";
}

export type FlowNode = ComponentNode | NoteNode | WorkflowNode | UnknownNode;

export type NoteColour =
  | { kind: "named"; name: "amber" | "neutral" | "rose" | "blue" | "lime" }
  | { kind: "hex"; hex: string }
  | { kind: "transparent" };

export type WorkflowKind =
  | "start"
  | "agent"
  | "end"
  | "fileSearch"
  | "guardrails"
  | "mcp"
  | "ifElse"
  | "while"
  | "userApproval"
  | "transform"
  | "setState";

/** One line of a workflow card: which setting, and its text. */
export interface WorkflowFact {
  key: string;
  text: string;
  code: boolean;
}

export interface Wire {
  id: string;
  source: string;
  sourcePort: string;
  target: string;
  targetPort: string;
  kind: "data" | "control";
  type: string | null;
  /** One end names a port its node does not have. */
  broken: boolean;
}

export type ProblemCode =
  | "document_missing"
  | "nodes_not_list"
  | "edges_not_list"
  | "node_not_object"
  | "node_no_id"
  | "node_duplicate"
  | "node_no_position"
  | "node_unknown_type"
  | "node_no_component"
  | "edge_not_object"
  | "edge_no_ends"
  | "edge_missing_node"
  | "edge_missing_port";

export interface Problem {
  code: ProblemCode;
  /** False: drawn, but with a guess. */
  lost: boolean;
  node: string | null;
  /** Words for the message: ids, types, indexes. */
  params: Record<string, string>;
}

export interface Flow {
  nodes: FlowNode[];
  byId: ReadonlyMap<string, FlowNode>;
  wires: Wire[];
  wiresOf: ReadonlyMap<string, readonly Wire[]>;
  problems: Problem[];
  viewport: { x: number; y: number; zoom: number } | null;
}

export const NO_WIRES: readonly Wire[] = [];

import type { JsonRecord } from "../json";
import type { Patch } from "./patch";

export interface Moved {
  node: string;
  x: number;
  y: number;
}

/** Edits that the server knows under the same names (`ferro-model`, `Edit`). */
export type ServerEdit =
  /** A new node of a component. */
  | { op: "add"; type: string; id?: string; x: number; y: number }
  /** A node, and all wires at it. */
  | { op: "remove"; node: string }
  | { op: "connect"; source: string; output: string; target: string; input: string }
  /** Every wire between two nodes, or those at the named ports. */
  | { op: "disconnect"; source: string; target: string; output?: string; input?: string }
  /** Literal values of fields. */
  | { op: "configure"; node: string; values: JsonRecord }
  /** Another document in the place of this one. */
  | { op: "set_flow"; data: unknown }
  /** Which of several outputs a node shows. Wires from the others go. */
  | { op: "select_output"; node: string; output: string }
  /** A model is wired in instead of chosen. */
  | { op: "connection_mode"; node: string; on: boolean }
  /** The node serves an agent as a tool. */
  | { op: "tool_mode"; node: string; on: boolean }
  | { op: "move"; moves: Moved[] }
  /** A new note, or with `node` a change to one. */
  | { op: "note"; node?: string; text?: string; color?: string; x?: number; y?: number }
  /** The steps themselves: how other edits are undone. */
  | ({ op: "patch" } & Patch);

/** Edits of the canvas alone; the server gets them as the steps they come down to. */
export type CanvasEdit =
  /** A field takes its value from a global variable. */
  | { op: "variable"; node: string; field: string; name: string }
  /** Other keys of a field's entry that belong to its value, such as where a file lies. */
  | { op: "entry"; node: string; field: string; keys: JsonRecord }
  | { op: "rename"; node: string; name?: string; description?: string }
  | { op: "freeze"; node: string; on: boolean }
  | { op: "minimise"; node: string; on: boolean }
  /** The size of a note, and its place where it is pulled at the left or top. */
  | { op: "resize"; node: string; width: number; height: number; x?: number; y?: number }
  /** One wire, by the id under which `parseFlow` draws it. */
  | { op: "cut"; wire: string }
  /** What the server says a component looks like after one of its fields was set. */
  | { op: "refresh"; node: string; component: JsonRecord }
  /** The component that a node's new code makes, and its type. */
  | { op: "recode"; node: string; component: JsonRecord; type: string }
  /** Nodes with the wires between them, under new ids. */
  | { op: "paste"; nodes: JsonRecord[]; edges: JsonRecord[]; dx: number; dy: number }
  | { op: "duplicate"; nodes: string[]; dx: number; dy: number }
  | { op: "group"; nodes: string[]; name: string }
  | { op: "ungroup"; node: string }
  /** Several as one: all of them or none. */
  | { op: "batch"; edits: Edit[] };

export type Edit = ServerEdit | CanvasEdit;

export function removeNodes(nodes: readonly string[]): Edit {
  return { op: "batch", edits: nodes.map((node) => ({ op: "remove", node })) };
}

/** The two as one, where that means the same: moves, values of one node, a text typed letter by letter. */
export function mergeEdits(first: Edit, later: Edit): Edit | null {
  if (first.op === "move" && later.op === "move") {
    const again = new Set(later.moves.map(({ node }) => node));
    return { op: "move", moves: [...first.moves.filter(({ node }) => !again.has(node)), ...later.moves] };
  }
  if (first.op === "configure" && later.op === "configure" && first.node === later.node)
    return { ...first, values: { ...first.values, ...later.values } };
  if (first.op === "note" && later.op === "note" && first.node !== undefined && first.node === later.node) {
    const text = later.text ?? first.text;
    const color = later.color ?? first.color;
    return { ...first, ...(text === undefined ? {} : { text }), ...(color === undefined ? {} : { color }) };
  }
  if (first.op === "rename" && later.op === "rename" && first.node === later.node)
    return { ...first, ...later };
  if (first.op === "resize" && later.op === "resize" && first.node === later.node)
    return { ...first, ...later };
  return null;
}

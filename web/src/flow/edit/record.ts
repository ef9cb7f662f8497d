import { text, type JsonRecord } from "../json";
import { Draft, type FlowDocument } from "./document";
import { settingStep, takeStep, type Change, type Patch } from "./patch";
import { Wires } from "./ports";
import { readEnds, readRaw, type RawNode, type WireEnds } from "./read";
import { Refused } from "./refusal";
import type { Registry } from "./registry";
import { depthOf } from "./values";

/** What edits need besides the document. */
export interface Context {
  registry: Registry;
  /** Gives the five letters and digits that end a new node's id. */
  ids: () => string;
}

// How often an id source is asked before its ids count as used up.
const TRIES = 100;

/** A document being edited, and the steps so far. A step that does not fit throws `Refused`. */
export class Record {
  readonly draft: Draft;
  readonly context: Context;
  /** Ids of nodes that came. */
  readonly added: string[] = [];
  private readonly changes: Change[] = [];

  constructor(document: FlowDocument, context: Context) {
    this.draft = new Draft(document);
    this.context = context;
  }

  finish(): { document: FlowDocument; patch: Patch } {
    return { document: this.draft.finish(), patch: { changes: this.changes } };
  }

  step(change: Change): void {
    const taken = takeStep(this.draft, change);
    if (!taken.ok) throw new Refused(taken.refusal.code, taken.refusal.params);
    this.changes.push(taken.change);
  }

  raw(id: string): JsonRecord {
    const node = this.draft.node(id);
    if (!node) throw new Refused("unknown_node", { node: id });
    return node;
  }

  node(id: string): RawNode {
    return readRaw(this.raw(id));
  }

  wires(): Wires {
    return new Wires(this.draft.edges.map(readEnds));
  }

  insertNode(node: JsonRecord): void {
    this.step({ change: "insert_node", index: this.draft.nodes.length, item: node });
    this.added.push(text(node.id));
  }

  removeNode(id: string): void {
    const index = this.draft.place(id);
    if (index === null) throw new Refused("unknown_node", { node: id });
    this.step({ change: "remove_node", index, item: this.raw(id) });
  }

  insertWire(edge: JsonRecord): void {
    this.step({ change: "insert_wire", index: this.draft.edges.length, item: edge });
  }

  removeWireAt(index: number): void {
    const item = this.draft.edges[index];
    if (item) this.step({ change: "remove_wire", index, item });
  }

  removeWires(goes: (wire: WireEnds) => boolean): void {
    for (let index = this.draft.edges.length - 1; index >= 0; index -= 1) {
      const edge = this.draft.edges[index];
      if (edge && goes(readEnds(edge))) this.removeWireAt(index);
    }
  }

  /** Sets one value of a node. What leads there and is missing is made; what is the same already is left alone. */
  set(id: string, path: string[], value: unknown): void {
    const there = depthOf(this.raw(id), path);
    const cut = path.slice(0, there + 1);
    const made = path
      .slice(there + 1)
      .toReversed()
      .reduce<unknown>((inner, key) => ({ [key]: inner }), value);
    const change = settingStep(this.draft, id, cut, made);
    if (change) this.step(change);
  }

  /** Takes one value of a node out, if it is there. */
  unset(id: string, path: string[]): void {
    const change = settingStep(this.draft, id, path, undefined);
    if (change) this.step(change);
  }

  /** The id that was asked for, or the first that nobody has. */
  freeId(prefix: string, asked?: string): string {
    const taken = (id: string): boolean => this.draft.place(id) !== null;
    if (asked !== undefined) {
      if (asked === "" || taken(asked)) throw new Refused("node_exists", { node: asked });
      return asked;
    }
    let id = "";
    for (let round = 0; round < TRIES; round += 1) {
      id = `${prefix}-${this.context.ids()}`;
      if (!taken(id)) return id;
    }
    throw new Refused("node_exists", { node: id });
  }
}

import { isRecord, recordOr, text, type JsonRecord } from "../json";

/** A flow's `data`. Never changed in place: whoever changes it makes a new one that shares what stayed the same. */
export type FlowDocument = JsonRecord;

export type Opened = { ok: true; document: FlowDocument } | { ok: false; reason: string };

/** The document in a flow (`{name, data}`), or the bare document; a reason where there is none to edit. */
export function openDocument(value: unknown): Opened {
  const outer = recordOr(value);
  const inside = !("nodes" in outer) && !("edges" in outer) && isRecord(outer.data) ? outer.data : value;
  if (!isRecord(inside)) return refuse("the flow data is not an object");
  if (isBare(inside)) return { ok: true, document: inside };
  if (!Array.isArray(inside.nodes)) return refuse("`nodes` is not a list");
  if (!Array.isArray(inside.edges)) return refuse("`edges` is not a list");
  const seen = new Set<string>();
  for (const [index, node] of inside.nodes.entries()) {
    if (!isRecord(node) || typeof node.id !== "string") return refuse(`\`nodes[${index}]\` has no id`);
    if (seen.has(node.id)) return refuse(`\`nodes[${index}]\` repeats the id \`${node.id}\``);
    seen.add(node.id);
  }
  const odd = inside.edges.findIndex((edge) => !hasEnds(edge));
  if (odd >= 0) return refuse(`\`edges[${odd}]\` does not name the nodes it joins`);
  return { ok: true, document: inside };
}

export function hasEnds(edge: unknown): edge is JsonRecord {
  return isRecord(edge) && typeof edge.source === "string" && typeof edge.target === "string";
}

function refuse(what: string): Opened {
  return {
    ok: false,
    reason: `${what}; send an object with \`nodes\` and \`edges\`, or \`{}\` for an empty flow`,
  };
}

/** `{}` is a flow too, and stays so while nothing is in it. */
function isBare(document: FlowDocument): boolean {
  return !("nodes" in document) && !("edges" in document);
}

export function nodesOf(document: FlowDocument): JsonRecord[] {
  return Array.isArray(document.nodes) ? document.nodes.filter(isRecord) : [];
}

export function edgesOf(document: FlowDocument): JsonRecord[] {
  return Array.isArray(document.edges) ? document.edges.filter(isRecord) : [];
}

/**
 * A document while steps are taken on it. Lists are copied once, on the first step that changes them, so moving five
 * hundred nodes costs five hundred small objects and one list.
 */
export class Draft {
  private readonly start: FlowDocument;
  private nodeList: JsonRecord[];
  private edgeList: JsonRecord[];
  private ownsNodes = false;
  private ownsEdges = false;
  private places: Map<string, number> | null = null;
  private replaced: FlowDocument | null = null;
  bare: boolean;

  constructor(document: FlowDocument) {
    this.start = document;
    this.bare = isBare(document);
    this.nodeList = listOf(document.nodes);
    this.edgeList = listOf(document.edges);
  }

  get nodes(): readonly JsonRecord[] {
    return this.nodeList;
  }

  get edges(): readonly JsonRecord[] {
    return this.edgeList;
  }

  place(id: string): number | null {
    this.places ??= new Map(this.nodeList.map((node, index) => [text(node.id), index]));
    return this.places.get(id) ?? null;
  }

  node(id: string): JsonRecord | null {
    const place = this.place(id);
    return place === null ? null : (this.nodeList[place] ?? null);
  }

  putNode(place: number, node: JsonRecord): void {
    this.ownNodes()[place] = node;
  }

  insertNode(index: number, node: JsonRecord): void {
    // At the end nobody else's place changes: a thousand nodes can come without counting them a thousand times.
    if (index === this.nodeList.length) this.places?.set(text(node.id), index);
    else this.places = null;
    this.ownNodes().splice(index, 0, node);
    this.bare = false;
  }

  removeNode(index: number): void {
    this.ownNodes().splice(index, 1);
    this.places = null;
  }

  insertEdge(index: number, edge: JsonRecord): void {
    this.ownEdges().splice(index, 0, edge);
    this.bare = false;
  }

  removeEdge(index: number): void {
    this.ownEdges().splice(index, 1);
  }

  replace(document: FlowDocument): void {
    this.replaced = document;
    this.bare = isBare(document);
    this.nodeList = listOf(document.nodes);
    this.edgeList = listOf(document.edges);
    this.ownsNodes = false;
    this.ownsEdges = false;
    this.places = null;
  }

  /** The document as it is now; the very object it began with when nothing was done. */
  finish(): FlowDocument {
    const base = this.replaced ?? this.start;
    if (this.bare && this.nodeList.length === 0 && this.edgeList.length === 0) {
      if (isBare(base)) return base;
      const { nodes: _nodes, edges: _edges, ...rest } = base;
      return rest;
    }
    if (!this.ownsNodes && !this.ownsEdges) return base;
    if (isBare(base)) return { ...base, nodes: this.nodeList, edges: this.edgeList };
    const document = { ...base };
    if (this.ownsNodes) document.nodes = this.nodeList;
    if (this.ownsEdges) document.edges = this.edgeList;
    return document;
  }

  private ownNodes(): JsonRecord[] {
    if (!this.ownsNodes) this.nodeList = [...this.nodeList];
    this.ownsNodes = true;
    return this.nodeList;
  }

  private ownEdges(): JsonRecord[] {
    if (!this.ownsEdges) this.edgeList = [...this.edgeList];
    this.ownsEdges = true;
    return this.edgeList;
  }
}

// `openDocument` has seen to it that these are lists of objects; anything else is read as it is and never written.
function listOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? (value as JsonRecord[]) : [];
}

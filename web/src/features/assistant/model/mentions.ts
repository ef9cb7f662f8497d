import { matchSorter } from "match-sorter";
import type { Field, Flow, FlowNode } from "@/flow/model";

/** What the cursor stands in: `from` to the cursor is replaced by what is chosen. */
export type Mention =
  | { kind: "node"; from: number; query: string }
  | { kind: "field"; from: number; query: string; node: string };

/** Longer than any name; what follows is a sentence. */
const LONGEST = 60;

const NODE = /(?:^|\s)@(?<query>[^@\n]*)$/u;
// Some ids have a space in them: they are made of the component's name.
const FIELD = /'(?<node>[^'\n]+)'\.(?<query>[^\s'.]*)$/u;

/** Null where nothing is being mentioned. `isNode` tells quoted ids from other quoted words. */
export function mentionAt(text: string, cursor: number, isNode: (id: string) => boolean): Mention | null {
  const before = text.slice(0, cursor);
  const field = FIELD.exec(before)?.groups;
  if (field?.node !== undefined && field.query !== undefined && isNode(field.node)) {
    const from = cursor - field.query.length - field.node.length - 3;
    return { kind: "field", from, query: field.query, node: field.node };
  }
  const query = NODE.exec(before)?.groups?.query;
  if (query === undefined || query.length > LONGEST || /^\s|\s{2}|'/u.test(query)) return null;
  return { kind: "node", from: cursor - query.length - 1, query };
}

export interface MentionedNode {
  id: string;
  title: string;
  icon: string | null;
}

/** Notes say nothing that the assistant could look up. */
export function mentionable(flow: Flow): FlowNode[] {
  return flow.nodes.filter((node) => node.kind !== "note");
}

/** Nodes whose name or id has the words, the best first. */
export function nodesFor(flow: Flow, query: string): MentionedNode[] {
  const nodes = mentionable(flow).map(({ id, title, icon, type }) => ({ id, title: title || type, icon }));
  return sorted(nodes, query, ["title", "id"]);
}

export interface MentionedField {
  name: string;
  label: string;
}

/** Fields that a person sees. */
export function fieldsFor(flow: Flow, id: string, query: string): MentionedField[] {
  const node = flow.byId.get(id);
  if (node?.kind !== "component") return [];
  const fields = node.fields.filter(isMentionable).map(({ name, label }) => ({ name, label }));
  return sorted(fields, query, ["label", "name"]);
}

function isMentionable({ name, shown }: Field): boolean {
  return shown && !name.startsWith("_") && name !== "code";
}

function sorted<T>(items: T[], query: string, keys: (keyof T & string)[]): T[] {
  const wanted = query.trim();
  if (wanted === "") return items;
  return matchSorter(items, wanted, { keys, threshold: matchSorter.rankings.ACRONYM });
}

/** Nothing follows it: a dot there goes on to the node's fields. */
export function nodeToken(id: string): string {
  return `'${id}'`;
}

export function fieldToken(id: string, field: string): string {
  return `'${id}.${field}'`;
}

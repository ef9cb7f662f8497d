import type { Flow, FlowNode } from "./model";
import { previewField, previewText } from "./preview";

export interface Match {
  node: FlowNode;
  /** Where the words were found; `field` names the field's label. */
  where: "title" | "type" | "id" | "description" | "note" | "field";
  label: string;
  excerpt: string;
}

interface Place {
  where: Match["where"];
  label: string;
  text: string;
  weight: number;
}

const LONGEST = 20_000;
const EXCERPT = 80;

/** Nodes in which every word of the query occurs, best first. Secrets are never searched. */
export function searchFlow(flow: Flow, query: string): Match[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const found: { match: Match; weight: number; index: number }[] = [];
  flow.nodes.forEach((node, index) => {
    const places = placesOf(node);
    const hits = words.map((word) => bestPlace(places, word));
    const first = hits[0];
    if (!first || hits.some((hit) => hit === null)) return;
    const weight = hits.reduce((sum, hit) => sum + (hit?.weight ?? 0), 0);
    const best = hits.reduce((a, b) => ((b?.weight ?? 99) < (a?.weight ?? 99) ? b : a)) ?? first;
    found.push({
      match: { node, where: best.where, label: best.label, excerpt: excerpt(best.text, words) },
      weight,
      index,
    });
  });
  return found.sort((a, b) => a.weight - b.weight || a.index - b.index).map(({ match }) => match);
}

function placesOf(node: FlowNode): Place[] {
  const places: Place[] = [
    { where: "title", label: "", text: node.title, weight: 1 },
    { where: "type", label: "", text: node.type, weight: 3 },
    { where: "id", label: "", text: node.id, weight: 4 },
    { where: "description", label: "", text: node.description, weight: 5 },
  ];
  if (node.kind === "note") places.push({ where: "note", label: "", text: node.markdown, weight: 2 });
  if (node.kind === "workflow") {
    for (const fact of node.facts)
      places.push({ where: "field", label: fact.key, text: `${fact.key} ${fact.text}`, weight: 6 });
  }
  if (node.kind === "component") {
    for (const field of node.fields) {
      const value = field.kind === "code" ? "" : previewText(previewField(field)).slice(0, LONGEST);
      places.push({
        where: "field",
        label: field.label,
        text: `${field.label} ${value}`.trim(),
        weight: field.advanced ? 7 : 6,
      });
    }
  }
  return places.filter((place) => place.text !== "");
}

function bestPlace(places: readonly Place[], word: string): Place | null {
  let best: Place | null = null;
  for (const place of places) {
    const at = place.text.toLowerCase().indexOf(word);
    if (at < 0) continue;
    const weight = place.where === "title" && at === 0 ? 0 : place.weight;
    if (!best || weight < best.weight) best = { ...place, weight };
  }
  return best;
}

function excerpt(source: string, words: readonly string[]): string {
  const flat = source.replace(/\s+/g, " ").trim();
  if (flat.length <= EXCERPT) return flat;
  const lower = flat.toLowerCase();
  const at = words.map((word) => lower.indexOf(word)).find((index) => index >= 0) ?? 0;
  const start = Math.max(0, at - 24);
  return `${start > 0 ? "…" : ""}${flat.slice(start, start + EXCERPT).trim()}${start + EXCERPT < flat.length ? "…" : ""}`;
}

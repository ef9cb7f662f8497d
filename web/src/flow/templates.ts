import { type Needs, flowNeeds } from "./needs";
import type { Flow, FlowNode } from "./model";
import { parseFlow } from "./parse";
import { plainText, stemOf, tellingWords, wordsOf } from "./words";

/** A starter flow as the gallery shows it. */
export interface Template {
  id: string;
  name: string;
  description: string;
  icon: string;
  tags: readonly string[];
  data: unknown;
  flow: Flow;
  needs: Needs;
  /** One of each kind of its nodes, in reading order of the file. */
  parts: readonly { type: string; name: string; icon: string | null }[];
}

export interface TemplateSource {
  id: string;
  name: string;
  description: string;
  icon: string;
  tags: readonly string[];
  data: unknown;
}

export function readTemplate(source: TemplateSource): Template {
  const flow = parseFlow(source.data);
  const parts = new Map<string, { type: string; name: string; icon: string | null }>();
  for (const node of flow.nodes) {
    if (node.kind !== "note" && !parts.has(partKey(node)))
      parts.set(partKey(node), { type: node.type, name: node.title, icon: node.icon });
  }
  return {
    id: source.id,
    name: source.name,
    description: source.description,
    icon: source.icon,
    tags: source.tags,
    data: source.data,
    flow,
    needs: flowNeeds(source.data),
    parts: [...parts.values()],
  };
}

export function readTemplates(sources: readonly TemplateSource[]): Template[] {
  return sources.map(readTemplate);
}

function partKey(node: FlowNode): string {
  return `${node.kind} ${node.type}`;
}

export const TAG_ORDER = [
  "basics",
  "chatbots",
  "agents",
  "models",
  "text",
  "tables",
  "control",
  "people",
  "web",
  "api",
] as const;

export type KnownTag = (typeof TAG_ORDER)[number];

export function isKnownTag(tag: string): tag is KnownTag {
  return (TAG_ORDER as readonly string[]).includes(tag);
}

/** The tags there are, with how many templates carry each. */
export function templateTags(templates: readonly Template[]): { tag: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const tag of templates.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const place = (tag: string): number => (isKnownTag(tag) ? TAG_ORDER.indexOf(tag) : TAG_ORDER.length);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .toSorted((a, b) => place(a.tag) - place(b.tag) || a.tag.localeCompare(b.tag, "en"));
}

interface Words {
  name: string;
  tags: string;
  description: string;
  parts: string;
}

const WEIGHTS: [keyof Words, number][] = [
  ["name", 6],
  ["tags", 4],
  ["description", 3],
  ["parts", 2],
];

/** Templates in which every word occurs, best first; all of them when nothing was typed. */
export function searchTemplates(templates: readonly Template[], query: string): Template[] {
  const words = wordsOf(query);
  if (words.length === 0) return [...templates];
  return ranked(templates, words, (hits) => hits.every((hit) => hit > 0)).map(({ template }) => template);
}

export interface Suggestion {
  template: Template;
  /** Words of the description that it has something to do with. */
  words: string[];
}

/** Templates that have something to do with a description, best first: plain word matching, no more. */
export function suggestTemplates(templates: readonly Template[], description: string, atMost = 3): Suggestion[] {
  const words = tellingWords(description);
  return ranked(templates, words, (hits) => hits.some((hit) => hit > 0))
    .slice(0, atMost)
    .map(({ template, hits }) => ({ template, words: words.filter((_, index) => (hits[index] ?? 0) > 0) }));
}

function ranked(
  templates: readonly Template[],
  words: readonly string[],
  wanted: (hits: readonly number[]) => boolean,
): { template: Template; hits: number[] }[] {
  return templates
    .map((template) => {
      const texts = textsOf(template);
      const hits = words.map((word) => scoreOf(texts, word));
      return { template, hits, score: hits.reduce((sum, hit) => sum + hit, 0) };
    })
    .filter(({ hits }) => wanted(hits))
    .toSorted((a, b) => b.score - a.score);
}

const known = new WeakMap<Template, Words>();

function textsOf(template: Template): Words {
  const read = known.get(template);
  if (read) return read;
  const texts: Words = {
    name: spaced(template.name),
    tags: spaced(template.tags.join(" ")),
    description: spaced(template.description),
    parts: spaced(template.parts.map(({ name, type }) => `${name} ${type}`).join(" ")),
  };
  known.set(template, texts);
  return texts;
}

function scoreOf(texts: Words, word: string): number {
  const start = ` ${stemOf(word)}`;
  return WEIGHTS.reduce((sum, [part, weight]) => (texts[part].includes(start) ? sum + weight : sum), 0);
}

/** With a space before every word. */
function spaced(value: string): string {
  return ` ${plainText(value)}`;
}

import { arrayOr, isEmptyValue, isRecord, recordOr, text } from "./json";
import { edgesOf, nodesOf } from "./edit/document";
import { readEnds, readRaw, type RawField } from "./edit/read";

/** What a flow needs from its surroundings before it can do its work. */
export interface Needs {
  /** Model providers by name. */
  providers: string[];
  /** It asks a model and none has been chosen. */
  anyModel: boolean;
  /** Names of variables that hold its credentials. */
  variables: string[];
  /** Fields that want a secret and have neither a value nor a variable. */
  secrets: { node: string; field: string }[];
  /** Components that want a file. */
  files: string[];
  /** Components that go out to the web. */
  web: boolean;
  /** Other flows it runs, by name. */
  flows: string[];
}

// Their work is to fetch something from elsewhere.
const WEB: ReadonlySet<string> = new Set([
  "APIRequest",
  "NewsSearch",
  "RSSReaderSimple",
  "SearXNGTool",
  "SearchAPI",
  "UnifiedWebSearch",
  "URLComponent",
  "WebSearch",
]);

export function flowNeeds(document: unknown): Needs {
  const nodes = nodesOf(recordOr(document));
  const wired = new Set(
    edgesOf(recordOr(document)).map((edge) => {
      const { target, input } = readEnds(edge);
      return `${target}\n${input}`;
    }),
  );
  const needs: Needs = {
    providers: [],
    anyModel: false,
    variables: [],
    secrets: [],
    files: [],
    web: false,
    flows: [],
  };
  for (const raw of nodes) {
    const node = readRaw(raw);
    if (node.kind !== "component") continue;
    if (WEB.has(node.type)) needs.web = true;
    const title = text(recordOr(recordOr(raw.data).node).display_name) || node.type;
    for (const field of node.fields) {
      if (field.show && !wired.has(`${node.id}\n${field.name}`)) readField(needs, field, title);
    }
  }
  return { ...needs, providers: once(needs.providers), variables: once(needs.variables), flows: once(needs.flows) };
}

function readField(needs: Needs, { name, type, raw }: RawField, node: string): void {
  const { value } = raw;
  if (type === "model") {
    const chosen = providersOf(value);
    needs.providers.push(...chosen);
    if (chosen.length === 0 && raw.required === true) needs.anyModel = true;
  } else if (name === "flow_name_selected" && text(value) !== "") {
    needs.flows.push(text(value));
  } else if (raw.load_from_db === true && text(value) !== "") {
    needs.variables.push(text(value));
  } else if (raw.required === true && isEmptyValue(value)) {
    if (raw.password === true) needs.secrets.push({ node, field: text(raw.display_name) || name });
    else if (type === "file" && isEmptyValue(raw.file_path)) needs.files.push(node);
  }
}

function providersOf(value: unknown): string[] {
  const entries: unknown[] = isRecord(value) ? [value] : arrayOr(value);
  return entries.flatMap((entry) => text(recordOr(entry).provider) || []);
}

function once(items: readonly string[]): string[] {
  return [...new Set(items)];
}

export interface KnownProvider {
  provider: string;
  is_configured: boolean;
  is_rehearsal: boolean;
}

/** What of it is not there yet. */
export interface Missing {
  providers: string[];
  /** Nothing but rehearsal answers: no provider is set up for real ones. */
  rehearsal: boolean;
  variables: string[];
  secrets: Needs["secrets"];
  files: string[];
}

export function missing(
  needs: Needs,
  providers: readonly KnownProvider[],
  variables: readonly { name: string }[],
): Missing {
  const known = new Map(providers.map((each) => [each.provider, each]));
  const real = needs.providers.filter((name) => known.get(name)?.is_rehearsal !== true);
  const someReal = providers.some((each) => each.is_configured && !each.is_rehearsal);
  const asksModel = needs.anyModel || needs.providers.length > real.length;
  const there = new Set(variables.map(({ name }) => name));
  return {
    providers: real.filter((name) => known.get(name)?.is_configured !== true),
    rehearsal: asksModel && !someReal,
    variables: needs.variables.filter((name) => !there.has(name)),
    secrets: needs.secrets,
    files: needs.files,
  };
}

export function nothingMissing(found: Missing): boolean {
  return (
    !found.rehearsal &&
    [found.providers, found.variables, found.secrets, found.files].every((list) => list.length === 0)
  );
}

/** Runs without a key, a network and anything else from outside. */
export function worksOffline(needs: Needs, providers: readonly KnownProvider[]): boolean {
  const rehearsal = new Set(providers.filter((each) => each.is_rehearsal).map((each) => each.provider));
  return (
    !needs.web &&
    !needs.anyModel &&
    needs.providers.every((name) => rehearsal.has(name)) &&
    needs.variables.length === 0 &&
    needs.secrets.length === 0
  );
}


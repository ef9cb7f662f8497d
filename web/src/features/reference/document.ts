/** The parts of an OpenAPI 3.1 document that the reader shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export type Content = Record<string, { schema?: Schema; example?: unknown }>;

interface RawOperation {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId?: string;
  deprecated?: boolean;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; description?: string; content?: Content };
  responses?: Record<string, { description?: string; content?: Content }>;
  security?: unknown[];
}

export interface OpenApi {
  info?: { title?: string; version?: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, unknown>>;
  components?: { schemas?: Record<string, Schema>; parameters?: Record<string, Parameter> };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  deprecated: boolean;
  parameters: Parameter[];
  body: { required: boolean; content: Content } | null;
  responses: { status: string; description: string; content: Content }[];
}

export interface TagGroup {
  name: string;
  description: string;
  operations: Operation[];
}

const methods = ["get", "post", "put", "patch", "delete"];

function follow(document: OpenApi, ref: string): unknown {
  return ref
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((found, part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      return (found as Record<string, unknown> | undefined)?.[key];
    }, document);
}

export function resolve(document: OpenApi, schema: Schema): Schema {
  let found = schema;
  for (let depth = 0; found.$ref && depth < 8; depth += 1) {
    found = (follow(document, found.$ref) as Schema | undefined) ?? {};
  }
  return found;
}

export function refName(schema: Schema): string | null {
  return schema.$ref?.split("/").at(-1) ?? null;
}

export function readGroups(document: OpenApi, otherwise: string): TagGroup[] {
  const groups = new Map<string, TagGroup>();
  for (const tag of document.tags ?? []) {
    groups.set(tag.name, { name: tag.name, description: tag.description ?? "", operations: [] });
  }
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    const shared = (item.parameters ?? []) as (Parameter | { $ref: string })[];
    for (const method of methods) {
      const raw = item[method] as RawOperation | undefined;
      if (!raw) continue;
      const tag = raw.tags?.[0] ?? otherwise;
      const group = groups.get(tag) ?? { name: tag, description: "", operations: [] };
      groups.set(tag, group);
      group.operations.push({
        id: raw.operationId ?? `${method}${path}`.replace(/\W+/g, "-"),
        method,
        path,
        tag,
        summary: raw.summary ?? "",
        description: raw.description ?? "",
        deprecated: raw.deprecated ?? false,
        parameters: [...shared, ...(raw.parameters ?? [])].flatMap((each) => {
          const parameter = "$ref" in each ? (follow(document, each.$ref) as Parameter | undefined) : each;
          return parameter ? [parameter] : [];
        }),
        body: raw.requestBody
          ? { required: raw.requestBody.required ?? false, content: raw.requestBody.content ?? {} }
          : null,
        responses: Object.entries(raw.responses ?? {}).map(([status, response]) => ({
          status,
          description: response.description ?? "",
          content: response.content ?? {},
        })),
      });
    }
  }
  return [...groups.values()].filter((group) => group.operations.length > 0);
}

export function filterGroups(groups: readonly TagGroup[], search: string): TagGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...groups];
  return groups.flatMap((group) => {
    const operations = group.operations.filter((operation) => {
      const text =
        `${operation.method} ${operation.path} ${operation.summary} ${operation.description} ${group.name}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    return operations.length > 0 ? [{ ...group, operations }] : [];
  });
}

/** A short word for a schema: "string", "FlowRead[]", "string | null". */
export function typeName(schema: Schema, depth = 0): string {
  const ref = refName(schema);
  if (ref) return ref;
  if (depth > 4) return "…";
  const several = schema.oneOf ?? schema.anyOf;
  if (several) return several.map((each) => typeName(each, depth + 1)).join(" | ");
  if (schema.allOf) return schema.allOf.map((each) => typeName(each, depth + 1)).join(" & ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" | ");
  const types = Array.isArray(schema.type) ? schema.type : schema.type ? [schema.type] : [];
  if (types.length === 0) return schema.properties ? "object" : "any";
  return types
    .map((type) => {
      if (type === "array") return `${schema.items ? typeName(schema.items, depth + 1) : "any"}[]`;
      return schema.format && type === "string" ? `string (${schema.format})` : type;
    })
    .join(" | ");
}

/** A value that fits the schema, for the example of a body. */
export function exampleOf(document: OpenApi, schema: Schema, depth = 0): unknown {
  const found = resolve(document, schema);
  if (found.example !== undefined) return found.example;
  if (found.default !== undefined) return found.default;
  if (found.const !== undefined) return found.const;
  if (found.enum) return found.enum[0];
  if (depth > 4) return null;
  const several = found.oneOf ?? found.anyOf;
  if (several) {
    const useful = several.find((each) => resolve(document, each).type !== "null") ?? {};
    return exampleOf(document, useful, depth + 1);
  }
  if (found.allOf) {
    return Object.assign({}, ...found.allOf.map((each) => exampleOf(document, each, depth + 1)));
  }
  const type = Array.isArray(found.type) ? found.type.find((each) => each !== "null") : found.type;
  if (type === "object" || found.properties) {
    const required = new Set(found.required ?? []);
    const entries = Object.entries(found.properties ?? {});
    const shown = required.size > 0 ? entries.filter(([name]) => required.has(name)) : entries;
    return Object.fromEntries(shown.map(([name, each]) => [name, exampleOf(document, each, depth + 1)]));
  }
  if (type === "array") return found.items ? [exampleOf(document, found.items, depth + 1)] : [];
  if (type === "integer" || type === "number") return found.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "string") {
    if (found.format === "uuid") return "00000000-0000-0000-0000-000000000000";
    if (found.format === "date-time") return "2026-01-01T00:00:00Z";
    return "string";
  }
  return null;
}

/** The address with its path and query filled in from what was typed. */
export function fillPath(operation: Operation, values: Readonly<Record<string, string>>): string {
  const path = operation.path.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = values[`path:${name}`];
    return value ? encodeURIComponent(value) : whole;
  });
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    const value = values[`query:${parameter.name}`];
    if (parameter.in === "query" && value) query.append(parameter.name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function curlFor(
  document: OpenApi,
  operation: Operation,
  origin: string,
  values: Readonly<Record<string, string>> = {},
): string {
  const lines = [`curl ${quote(origin + fillPath(operation, values))}`];
  if (operation.method !== "get") lines.push(`  --request ${operation.method.toUpperCase()}`);
  lines.push(`  --header 'x-api-key: sk-…'`);
  const [kind, content] = Object.entries(operation.body?.content ?? {})[0] ?? [];
  if (kind === "multipart/form-data") {
    lines.push(`  --form 'file=@flow.json'`);
  } else if (kind && content) {
    const example = content.example ?? exampleOf(document, content.schema ?? {});
    if (kind === "application/x-www-form-urlencoded") {
      for (const [name, value] of Object.entries((example ?? {}) as Record<string, unknown>)) {
        lines.push(`  --data-urlencode ${quote(`${name}=${String(value)}`)}`);
      }
    } else {
      lines.push(`  --header ${quote(`content-type: ${kind}`)}`);
      lines.push(`  --data ${quote(JSON.stringify(example, null, 2))}`);
    }
  }
  return lines.join(" \\\n");
}

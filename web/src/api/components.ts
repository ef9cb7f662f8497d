import { queryOptions } from "@tanstack/react-query";
import { readRegistry, type Registry } from "@/flow/edit/registry";
import { isRecord, type JsonRecord, text } from "@/flow/json";
import { client, unwrap } from "./client";

export const componentKeys = { all: ["components"] as const };

export interface Components {
  registry: Registry;
  /** What a component does, at length, in markdown; by type. */
  help: ReadonlyMap<string, string>;
}

export async function getComponents(signal?: AbortSignal): Promise<Components> {
  const all: unknown = await unwrap(client.GET("/api/v1/all", signal ? { signal } : {}));
  return { registry: readRegistry(all), help: readHelp(all) };
}

function readHelp(all: unknown): Map<string, string> {
  const found = new Map<string, string>();
  for (const types of Object.values(isRecord(all) ? all : {})) {
    for (const [type, node] of Object.entries(isRecord(types) ? types : {})) {
      const help = isRecord(node) ? text(node.help) : "";
      if (help !== "") found.set(type, help);
    }
  }
  return found;
}

/** The list does not change while the server runs, so it is asked for once. */
export const componentsQuery = queryOptions({
  queryKey: componentKeys.all,
  queryFn: ({ signal }) => getComponents(signal),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

export interface ComponentChange {
  type: string;
  /** The node (`data.node`) as it is. */
  node: JsonRecord;
  /** The field that was set; `tool_mode` turns the node into a tool and back. */
  field: string;
  value: unknown;
  signal?: AbortSignal;
}

/** What the node (`data.node`) looks like after one of its fields was set. */
export async function refreshComponent({ type, node, field, value, signal }: ComponentChange): Promise<JsonRecord> {
  const template = isRecord(node.template) ? node.template : {};
  const toolMode = field === "tool_mode" ? value === true : node.tool_mode === true;
  return (await unwrap(
    client.POST("/api/v1/custom_component/update", {
      body: {
        type,
        code: isRecord(template.code) ? text(template.code.value) : "",
        template,
        field,
        field_value: value as JsonRecord,
        tool_mode: toolMode,
        frontend_node: node,
      },
      ...(signal ? { signal } : {}),
    }),
  )) as JsonRecord;
}

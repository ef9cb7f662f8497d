import { queryOptions } from "@tanstack/react-query";
import type { components } from "./__generated__/schema";
import { client, unwrap, unwrapWithResponse } from "./client";
import { ApiError } from "./error";
import type { FlowDiff, FlowDocument, FlowHeader, FlowRead, Page } from "./types";

export type FlowSort = "updated_at" | "created_at" | "name";
export type SortOrder = "asc" | "desc";

export interface FlowQuery {
  folderId?: string | undefined;
  search?: string | undefined;
  sort: FlowSort;
  order: SortOrder;
  page: number;
  size: number;
}

/** A flow together with the tag its next write must carry. */
export interface TaggedFlow {
  flow: FlowRead;
  etag: string;
}

export type FlowPatch = Partial<
  Pick<
    FlowRead,
    | "name"
    | "description"
    | "data"
    | "folder_id"
    | "endpoint_name"
    | "tags"
    | "locked"
    | "access_type"
    | "icon"
    | "icon_bg_color"
  >
>;

export const flowKeys = {
  all: ["flows"] as const,
  lists: ["flows", "list"] as const,
  list: (query: Omit<FlowQuery, "page">) => ["flows", "list", query] as const,
  one: (id: string) => ["flows", "one", id] as const,
};

export function etagOf(revision: number): string {
  return `"${revision}"`;
}

function tagged(data: unknown, response: Response): TaggedFlow {
  const flow = data as FlowRead;
  return { flow, etag: response.headers.get("etag") ?? etagOf(flow.revision) };
}

function ifMatch(etag: string | undefined): { headers?: Record<string, string> } {
  return etag === undefined ? {} : { headers: { "If-Match": etag } };
}

export async function listFlows(query: FlowQuery, signal?: AbortSignal): Promise<Page<FlowHeader>> {
  const page = await unwrap(
    client.GET("/api/v1/flows", {
      params: {
        query: {
          get_all: false,
          header_flows: true,
          page: query.page,
          size: query.size,
          sort: query.sort,
          order: query.order,
          ...(query.folderId ? { folder_id: query.folderId } : {}),
          ...(query.search ? { search: query.search } : {}),
        },
      },
      ...(signal ? { signal } : {}),
    }),
  );
  return page as Page<FlowHeader>;
}

export async function getFlow(id: string, signal?: AbortSignal): Promise<TaggedFlow> {
  const { data, response } = await unwrapWithResponse(
    client.GET("/api/v1/flows/{flow_id}", {
      params: { path: { flow_id: id } },
      ...(signal ? { signal } : {}),
    }),
  );
  return tagged(data, response);
}

export const flowQuery = (id: string) =>
  queryOptions({ queryKey: flowKeys.one(id), queryFn: ({ signal }) => getFlow(id, signal) });

export interface NewFlow {
  name: string;
  description?: string | null;
  folder_id?: string | null;
  data?: FlowRead["data"];
  tags?: string[];
}

export async function createFlow(flow: NewFlow): Promise<FlowRead> {
  return (await unwrap(client.POST("/api/v1/flows", { body: flow }))) as FlowRead;
}

export async function patchFlow(
  id: string,
  patch: FlowPatch,
  etag: string | undefined,
): Promise<TaggedFlow> {
  const { data, response } = await unwrapWithResponse(
    client.PATCH("/api/v1/flows/{flow_id}", {
      params: { path: { flow_id: id } },
      body: patch,
      ...ifMatch(etag),
    }),
  );
  return tagged(data, response);
}

export async function deleteFlow(id: string, etag?: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/flows/{flow_id}", {
      params: { path: { flow_id: id } },
      ...ifMatch(etag),
    }),
  );
}

export async function deleteFlows(ids: string[]): Promise<void> {
  await unwrap(client.DELETE("/api/v1/flows", { body: ids }));
}

export async function duplicateFlow(
  id: string,
  init: { name?: string; folder_id?: string } = {},
): Promise<FlowRead> {
  return (await unwrap(
    client.POST("/api/v1/flows/{flow_id}/duplicate", {
      params: { path: { flow_id: id } },
      body: init,
    }),
  )) as FlowRead;
}

export async function diffFlow(id: string, data: FlowDocument): Promise<FlowDiff> {
  return (await unwrap(
    client.POST("/api/v1/flows/{flow_id}/diff", {
      params: { path: { flow_id: id } },
      body: { data },
    }),
  )) as FlowDiff;
}

export async function downloadFlows(ids: string[]): Promise<Response> {
  const { response } = await unwrapWithResponse(
    client.POST("/api/v1/flows/download", { body: ids, parseAs: "stream" }),
  );
  return response;
}

/** Writes the document alone and leaves it out of the answer; resolves to the new revision. */
export async function saveDocument(id: string, data: FlowDocument, revision: number): Promise<number> {
  const { data: answer } = await unwrapWithResponse(
    client.PATCH("/api/v1/flows/{flow_id}", {
      params: { path: { flow_id: id } },
      body: { data },
      headers: { "If-Match": etagOf(revision), Prefer: "return=minimal" },
    }),
  );
  return (answer as FlowRead).revision;
}

/** The flow as it is now, out of the answer to a write that came too late. */
export function currentOf(error: unknown): FlowRead | null {
  if (!(error instanceof ApiError) || error.code !== "stale") return null;
  const current = (error.body as { current?: FlowRead } | null)?.current;
  return current?.id ? current : null;
}

export type FlowProblem = components["schemas"]["ProblemRead"];

/** What is wrong with the saved flow before it runs. */
export async function getProblems(id: string, signal?: AbortSignal): Promise<FlowProblem[]> {
  return unwrap(
    client.GET("/api/v1/flows/{flow_id}/problems", {
      params: { path: { flow_id: id } },
      ...(signal ? { signal } : {}),
    }),
  );
}

import { client, unwrap } from "./client";
import { etagOf } from "./flows";
import type { FlowDiff, FlowDocument, FlowRead, VersionEntry, VersionPage } from "./types";

export const versionKeys = {
  list: (flowId: string) => ["versions", flowId, "list"] as const,
  one: (flowId: string, id: string) => ["versions", flowId, "one", id] as const,
  diff: (flowId: string, from: string, to: string) => ["versions", flowId, "diff", from, to] as const,
};

export async function listVersions(flowId: string, limit = 50, offset = 0): Promise<VersionPage> {
  return (await unwrap(
    client.GET("/api/v1/flows/{flow_id}/versions", {
      params: { path: { flow_id: flowId }, query: { limit, offset } },
    }),
  )) as VersionPage;
}

export async function getVersion(
  flowId: string,
  id: string,
): Promise<VersionEntry & { data: FlowDocument }> {
  return (await unwrap(
    client.GET("/api/v1/flows/{flow_id}/versions/{version_id}", {
      params: { path: { flow_id: flowId, version_id: id } },
    }),
  )) as VersionEntry & { data: FlowDocument };
}

export async function createVersion(flowId: string, description?: string): Promise<VersionEntry> {
  return (await unwrap(
    client.POST("/api/v1/flows/{flow_id}/versions", {
      params: { path: { flow_id: flowId } },
      body: description ? { description } : {},
    }),
  )) as VersionEntry;
}

export async function describeVersion(
  flowId: string,
  id: string,
  description: string,
): Promise<VersionEntry> {
  return (await unwrap(
    client.PATCH("/api/v1/flows/{flow_id}/versions/{version_id}", {
      params: { path: { flow_id: flowId, version_id: id } },
      body: { description },
    }),
  )) as VersionEntry;
}

export async function deleteVersion(flowId: string, id: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/flows/{flow_id}/versions/{version_id}", {
      params: { path: { flow_id: flowId, version_id: id } },
    }),
  );
}

/** Only in the place of this revision: the server refuses when the flow was changed since. */
export async function activateVersion(
  flowId: string,
  id: string,
  { saveDraft, revision }: { saveDraft: boolean; revision: number },
): Promise<FlowRead> {
  return (await unwrap(
    client.POST("/api/v1/flows/{flow_id}/versions/{version_id}/activate", {
      params: { path: { flow_id: flowId, version_id: id }, query: { save_draft: saveDraft } },
      headers: { "If-Match": etagOf(revision) },
    }),
  )) as FlowRead;
}

/** `from` and `to` are version ids or "draft". */
export async function diffVersions(flowId: string, from: string, to: string): Promise<FlowDiff> {
  return (await unwrap(
    client.GET("/api/v1/flows/{flow_id}/versions/diff", {
      params: { path: { flow_id: flowId }, query: { from, to } },
    }),
  )) as FlowDiff;
}

import { queryOptions } from "@tanstack/react-query";
import { client, unwrap, unwrapWithResponse } from "./client";
import type { FileRead } from "./types";

export const fileKeys = { all: ["files"] as const };

export const filesQuery = queryOptions({
  queryKey: fileKeys.all,
  queryFn: async () => (await unwrap(client.GET("/api/v2/files"))) as FileRead[],
});

export function fileUrl(id: string): string {
  return `/api/v2/files/${encodeURIComponent(id)}`;
}

export async function renameFile(id: string, name: string): Promise<void> {
  await unwrap(
    client.PUT("/api/v2/files/{file_id}", { params: { path: { file_id: id }, query: { name } } }),
  );
}

export async function deleteFiles(ids: string[]): Promise<void> {
  const [only] = ids;
  if (ids.length === 1 && only) {
    await unwrap(client.DELETE("/api/v2/files/{file_id}", { params: { path: { file_id: only } } }));
  } else {
    await unwrap(client.DELETE("/api/v2/files/batch", { body: ids }));
  }
}

export async function downloadFilesZip(ids: string[]): Promise<Response> {
  const { response } = await unwrapWithResponse(
    client.POST("/api/v2/files/batch", { body: ids, parseAs: "stream" }),
  );
  return response;
}

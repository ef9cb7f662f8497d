import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { TrashItem } from "./types";

export const trashKeys = { all: ["trash"] as const };

export const trashQuery = queryOptions({
  queryKey: trashKeys.all,
  queryFn: async () => {
    const page = (await unwrap(client.GET("/api/v1/trash"))) as { items: TrashItem[] };
    return page.items;
  },
});

type Kind = TrashItem["kind"];

export async function restoreFromTrash(kind: Kind, id: string): Promise<void> {
  await unwrap(
    client.POST("/api/v1/trash/{kind}/{id}/restore", { params: { path: { kind, id } } }),
  );
}

export async function deleteForEver(kind: Kind, id: string): Promise<void> {
  await unwrap(client.DELETE("/api/v1/trash/{kind}/{id}", { params: { path: { kind, id } } }));
}

export async function emptyTrash(): Promise<void> {
  await unwrap(client.DELETE("/api/v1/trash"));
}

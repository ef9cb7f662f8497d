import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { ApiKeyRead } from "./types";

export const apiKeyKeys = { all: ["api-keys"] as const };

export const apiKeysQuery = queryOptions({
  queryKey: apiKeyKeys.all,
  queryFn: async () => {
    const page = (await unwrap(client.GET("/api/v1/api_key"))) as { api_keys: ApiKeyRead[] };
    return page.api_keys;
  },
});

/** The answer is the only place where the whole key is ever seen. */
export async function createApiKey(key: { name: string; expires_at?: string }): Promise<ApiKeyRead> {
  return (await unwrap(client.POST("/api/v1/api_key", { body: key }))) as ApiKeyRead;
}

export async function deleteApiKey(id: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/api_key/{api_key_id}", { params: { path: { api_key_id: id } } }),
  );
}

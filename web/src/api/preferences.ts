import { queryOptions } from "@tanstack/react-query";
import { sessionFetch } from "./client";
import { errorFromBody } from "./error";

/** What the page keeps for a user on the server, by name. The page is the only one that knows what is in it. */
export type StoredPreferences = Readonly<Record<string, unknown>>;

async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  const url = new URL(`/api/v1/preferences${path}`, location.origin);
  const response = await sessionFetch(new Request(url, { credentials: "same-origin", ...init }));
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorFromBody(response.status, body, response.headers);
  return body;
}

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"] as const,
  queryFn: async () => ((await ask("")) ?? {}) as StoredPreferences,
  staleTime: 60_000,
});

export async function putPreference(name: string, value: unknown): Promise<void> {
  await ask(`/${encodeURIComponent(name)}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
}

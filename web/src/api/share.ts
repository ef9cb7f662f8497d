import { sessionFetch } from "./client";
import { errorFromBody } from "./error";

/** A flow's file as text, as the server writes it: numbers and unknown fields are not touched on the way. */
export async function exportFlow(id: string, withSecrets: boolean): Promise<string> {
  const response = await sessionFetch(
    new Request(`/api/v1/flows/download${withSecrets ? "?include_secrets=true" : ""}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify([id]),
    }),
  );
  if (!response.ok) {
    throw errorFromBody(response.status, await response.json().catch(() => null), response.headers);
  }
  return response.text();
}

export function projectArchive(folderId: string): string {
  return `/api/v1/projects/download/${encodeURIComponent(folderId)}`;
}

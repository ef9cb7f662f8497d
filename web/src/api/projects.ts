import { queryOptions } from "@tanstack/react-query";
import { client, unwrap, unwrapWithResponse } from "./client";
import type { ProjectRead } from "./types";

export const projectKeys = { all: ["projects"] as const };

export const projectsQuery = queryOptions({
  queryKey: projectKeys.all,
  queryFn: async () => (await unwrap(client.GET("/api/v1/projects"))) as ProjectRead[],
  staleTime: 15_000,
});

export async function createProject(name: string): Promise<ProjectRead> {
  return (await unwrap(client.POST("/api/v1/projects", { body: { name } }))) as ProjectRead;
}

export async function patchProject(
  id: string,
  patch: { name?: string; description?: string },
): Promise<ProjectRead> {
  return (await unwrap(
    client.PATCH("/api/v1/projects/{project_id}", {
      params: { path: { project_id: id } },
      body: patch,
    }),
  )) as ProjectRead;
}

export async function deleteProject(id: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/projects/{project_id}", { params: { path: { project_id: id } } }),
  );
}

export async function downloadProject(id: string): Promise<Response> {
  const { response } = await unwrapWithResponse(
    client.GET("/api/v1/projects/download/{project_id}", {
      params: { path: { project_id: id } },
      parseAs: "stream",
    }),
  );
  return response;
}

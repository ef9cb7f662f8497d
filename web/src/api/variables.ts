import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { VariableRead, VariableType } from "./types";

export const variableKeys = { all: ["variables"] as const };

export const variablesQuery = queryOptions({
  queryKey: variableKeys.all,
  queryFn: async () => (await unwrap(client.GET("/api/v1/variables"))) as VariableRead[],
});

export interface VariableInput {
  name: string;
  type: VariableType;
  value: string;
  default_fields: string[];
}

export async function createVariable(variable: VariableInput): Promise<VariableRead> {
  return (await unwrap(client.POST("/api/v1/variables", { body: variable }))) as VariableRead;
}

export async function patchVariable(
  id: string,
  patch: Partial<VariableInput>,
): Promise<VariableRead> {
  return (await unwrap(
    client.PATCH("/api/v1/variables/{variable_id}", {
      params: { path: { variable_id: id } },
      body: patch,
    }),
  )) as VariableRead;
}

export async function deleteVariable(id: string): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/variables/{variable_id}", { params: { path: { variable_id: id } } }),
  );
}

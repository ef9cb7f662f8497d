import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import type { DefaultModelAnswer, ModelType, ProviderChecked, ProviderModels } from "./types";

export const modelKeys = {
  all: ["models"] as const,
  providers: ["models", "providers"] as const,
  default: (type: ModelType) => ["models", "default", type] as const,
};

export const providersQuery = queryOptions({
  queryKey: modelKeys.providers,
  queryFn: async () => (await unwrap(client.GET("/api/v1/models"))) as ProviderModels[],
});

export const defaultModelQuery = (type: ModelType) =>
  queryOptions({
    queryKey: modelKeys.default(type),
    queryFn: async () =>
      (await unwrap(
        client.GET("/api/v1/models/default_model", { params: { query: { model_type: type } } }),
      )) as DefaultModelAnswer,
  });

export async function setDefaultModel(type: ModelType, provider: string, model: string): Promise<void> {
  await unwrap(
    client.POST("/api/v1/models/default_model", {
      body: { provider, model_name: model, model_type: type },
    }),
  );
}

export async function clearDefaultModel(type: ModelType): Promise<void> {
  await unwrap(
    client.DELETE("/api/v1/models/default_model", { params: { query: { model_type: type } } }),
  );
}

/** Values that are not given are taken from what is saved. */
export async function checkProvider(
  provider: string,
  variables: Record<string, string>,
): Promise<ProviderChecked> {
  return (await unwrap(
    client.POST("/api/v1/models/validate-provider", { body: { provider, variables } }),
  )) as ProviderChecked;
}

export async function switchModels(
  switches: { provider: string; model_id: string; enabled: boolean }[],
): Promise<void> {
  await unwrap(client.POST("/api/v1/models/enabled_models", { body: switches }));
}

/** Models that may be used in a model field, in the form a field saves them. */
export const modelOptionsQuery = (type: ModelType) =>
  queryOptions({
    queryKey: [...modelKeys.all, "options", type] as const,
    queryFn: async () =>
      (await unwrap(
        type === "language"
          ? client.GET("/api/v1/model_options/language")
          : client.GET("/api/v1/model_options/embedding"),
      )) as unknown[],
  });

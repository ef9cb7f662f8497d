import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "./client";
import { modelKeys } from "./models";
import type { FlowDocument } from "./types";

/** A flow to begin with; nobody owns it. */
export interface Starter {
  id: string;
  name: string;
  description: string;
  icon: string;
  tags: string[];
  data: FlowDocument;
}

// Below the models' key: their answer depends on which providers are set up.
export const startersQuery = queryOptions({
  queryKey: [...modelKeys.all, "starters"] as const,
  queryFn: async () => (await unwrap(client.GET("/api/v1/flows/basic_examples"))) as unknown as Starter[],
  staleTime: 5 * 60_000,
});

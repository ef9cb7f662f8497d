import { componentsQuery } from "@/api/components";
import { queryClient } from "@/api/queryClient";
import type { FlowRead } from "@/api/types";
import { importNotes } from "@/flow/importNotes";
import type { FlowNotes } from "./imports";

/** What is odd about flows that have just been imported; nothing about those that are fine. */
export async function notesOf(flows: readonly FlowRead[]): Promise<FlowNotes[]> {
  const components = await queryClient.ensureQueryData(componentsQuery).catch(() => null);
  return flows
    .map(({ id, name, data }) => ({ id, name, ...importNotes(data, components?.registry ?? null) }))
    .filter(({ unknown, lost }) => unknown.length > 0 || lost > 0);
}

import { useNavigate } from "@tanstack/react-router";
import { createFlow, flowKeys } from "@/api/flows";
import { projectKeys } from "@/api/projects";
import { providersQuery } from "@/api/models";
import { queryClient } from "@/api/queryClient";
import type { FlowDocument } from "@/api/types";
import { variablesQuery } from "@/api/variables";
import { missing, nothingMissing } from "@/flow/needs";
import type { Template } from "@/flow/templates";
import { showSetup } from "@/stores/intents";
import { toastError } from "@/ui/toastError";

/** Makes a flow of a template and opens it; true once it is there. */
export function useStart(projectId: string | null): (template: Template) => Promise<boolean> {
  const navigate = useNavigate();
  return async (template) => {
    try {
      const flow = await createFlow({
        name: template.name,
        description: template.description,
        data: template.data as FlowDocument,
        tags: [...template.tags],
        ...(projectId ? { folder_id: projectId } : {}),
      });
      void queryClient.invalidateQueries({ queryKey: flowKeys.lists });
      void queryClient.invalidateQueries({ queryKey: projectKeys.all });
      await offerSetup({ ...template, name: flow.name });
      await navigate({ to: "/flow/$flowId", params: { flowId: flow.id } });
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  };
}

/** Asks for what is missing, if anything is; what the server cannot tell is not asked for. */
export async function offerSetup({ name, needs }: Template): Promise<void> {
  const [providers, variables] = await Promise.all([
    queryClient.ensureQueryData(providersQuery).catch(() => null),
    queryClient.ensureQueryData(variablesQuery).catch(() => null),
  ]);
  if (!providers || !variables) return;
  showSetup(nothingMissing(missing(needs, providers, variables)) ? null : { name, needs });
}

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type FlowPatch, flowKeys, patchFlow } from "@/api/flows";
import type { AccessType, FlowRead } from "@/api/types";

export type SaveFlow = (patch: FlowPatch) => Promise<boolean>;

/** Who may use a flow, and the way to change it. */
export function useAccess(flow: FlowRead, save?: SaveFlow) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const change = async (access: AccessType): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      if (save) {
        await save({ access_type: access });
      } else {
        // Without a tag: only this one field is written, so nobody's change can be lost.
        client.setQueryData(flowKeys.one(flow.id), await patchFlow(flow.id, { access_type: access }, undefined));
        void client.invalidateQueries({ queryKey: flowKeys.lists });
      }
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };

  return { isPublic: flow.access_type === "PUBLIC", busy, error, change };
}

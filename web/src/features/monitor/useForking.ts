import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Fork, forkRun, runKeys } from "@/api/runs";
import { followRun } from "@/stores/run";

/** Starts a run from another one, shows it and follows it on the cards. */
export function useForking(
  flowId: string,
  onRun: (runId: string) => void,
): { busy: boolean; start: (runId: string, fork: Fork) => Promise<void> } {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  return {
    busy,
    start: async (runId, fork) => {
      setBusy(true);
      try {
        const begun = await forkRun(runId, fork);
        void queries.invalidateQueries({ queryKey: runKeys.flow(flowId) });
        void followRun(flowId, begun.id);
        onRun(begun.id);
      } finally {
        setBusy(false);
      }
    },
  };
}

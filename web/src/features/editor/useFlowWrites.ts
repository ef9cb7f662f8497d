import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { currentOf, etagOf, flowKeys, type FlowPatch, patchFlow, type TaggedFlow } from "@/api/flows";
import { projectKeys } from "@/api/projects";
import type { FlowRead } from "@/api/types";

/** A write that met a newer revision, until the person has decided. */
export interface Conflict {
  patch: FlowPatch;
  mine: FlowRead;
  theirs: FlowRead;
  settle: (choice: "reload" | "overwrite" | "cancel") => void;
}

export interface FlowWrites {
  conflict: Conflict | null;
  /** True when it was saved; false when the person chose to keep the other change. Rejects on any other failure. */
  save: (patch: FlowPatch) => Promise<boolean>;
}

/** Writes carry the revision that is on the screen, so that nobody's change is lost unseen. */
export function useFlowWrites({ flow, etag }: TaggedFlow): FlowWrites {
  const client = useQueryClient();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  return useMemo(() => {
    const store = (tagged: TaggedFlow): void => {
      client.setQueryData(flowKeys.one(tagged.flow.id), tagged);
      void client.invalidateQueries({ queryKey: flowKeys.lists });
      void client.invalidateQueries({ queryKey: projectKeys.all });
    };

    const ask = (patch: FlowPatch, theirs: FlowRead): Promise<"reload" | "overwrite" | "cancel"> =>
      new Promise((resolve) => {
        const settle: Conflict["settle"] = (choice) => {
          setConflict(null);
          resolve(choice);
        };
        setConflict({ patch, mine: flow, theirs, settle });
      });

    const save = async (patch: FlowPatch): Promise<boolean> => {
      // The editor saves on its own; what it wrote last is known there.
      let tag = client.getQueryData<TaggedFlow>(flowKeys.one(flow.id))?.etag ?? etag;
      for (;;) {
        try {
          store(await patchFlow(flow.id, patch, tag));
          return true;
        } catch (error) {
          const theirs = currentOf(error);
          if (!theirs) throw error;
          const choice = await ask(patch, theirs);
          if (choice === "cancel") return false;
          if (choice === "reload") {
            store({ flow: theirs, etag: etagOf(theirs.revision) });
            return false;
          }
          tag = etagOf(theirs.revision);
        }
      }
    };

    return { conflict, save };
  }, [client, conflict, flow, etag]);
}

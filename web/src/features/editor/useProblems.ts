import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useStore } from "zustand";
import { type FlowProblem, getProblems } from "@/api/flows";
import type { Problem } from "@/flow/model";
import type { Editor } from "@/stores/editor/state";

export interface Problems {
  /** What could not be drawn, or only with a guess. */
  drawing: readonly Problem[];
  /** What the server finds in the saved flow. */
  running: readonly FlowProblem[];
  errors: number;
  count: number;
}

const NONE: readonly FlowProblem[] = [];

/** What is wrong with the flow, read again whenever it was saved. */
export function useProblems(editor: Editor): Problems {
  const flowId = editor.getState().flowId;
  const revision = useStore(editor, (state) => state.base.revision);
  const drawing = useStore(editor, (state) => state.flow.problems);
  const query = useQuery({
    queryKey: ["flows", "problems", flowId, revision],
    queryFn: ({ signal }) => getProblems(flowId, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const running = query.data ?? NONE;
  return useMemo(
    () => ({
      drawing,
      running,
      errors: running.filter((problem) => problem.severity === "error").length,
      count: drawing.length + running.length,
    }),
    [drawing, running],
  );
}

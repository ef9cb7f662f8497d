import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { hideReview, showReview, useReview } from "@/stores/review";
import type { ChatState } from "../model/types";
import { derive, newestAnswer, type ReviewActions, type ReviewSummary } from "./derive";

export type { ReviewActions, ReviewSummary } from "./derive";

/** Shows on the canvas what is to be looked at, as long as it is mounted; gives what the bar says, or null. */
export function useCanvasReview(editor: Editor, state: ChatState, actions: ReviewActions): ReviewSummary | null {
  const { flowId } = editor.getState();
  const document = useStore(editor, (now) => now.document);
  const flow = useStore(editor, (now) => now.flow);
  const history = useStore(editor, (now) => now.history);
  const locked = useStore(editor, (now) => now.locked);
  const hovered = useReview((review) => review.hovered);
  const answer = locked ? null : newestAnswer(state.messages);
  const { id, status, proposal, edits, working, restore } = answer ?? {};
  // With every token the message is another one; what is shown of it is worked out only when that changes.
  const { shown, summary } = useMemo(
    () =>
      derive(
        id && status && edits
          ? { id, status, edits, proposal: proposal ?? null, working: working ?? null, restore: restore ?? null }
          : null,
        { document, flow, history },
        { hovered, actions },
      ),
    [id, status, proposal, edits, working, restore, document, flow, history, hovered, actions],
  );
  useEffect(() => showReview(flowId, shown), [flowId, shown]);
  useEffect(() => () => hideReview(flowId), [flowId]);
  return summary;
}

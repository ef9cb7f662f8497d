import i18next from "i18next";
import { asApiError } from "@/api/error";
import { lineIn, nodeCode, placeIn } from "@/flow/nodeCode";
import { openCode, useCodeOpen } from "@/stores/editor/codeOpen";
import { explainError } from "@/ui/explainError";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";

/** A node could not be worked out again; where its own code is to blame, that is one press away. */
export function tellFailure(error: unknown, node: string): void {
  const line = lineIn(asApiError(error).message);
  tell(error, line === null ? null : { node, line });
}

/** A run did not begin; code that stands in its way is one press away. */
export function tellRunFailure(error: unknown): void {
  tell(error, placeIn(asApiError(error).message));
}

function tell(error: unknown, place: { node: string; line: number } | null): void {
  const flow = useCodeOpen.getState().editor?.getState().flow;
  if (place === null || nodeCode(flow?.byId.get(place.node)?.raw) === null) return toastError(error);
  const { node, line } = place;
  showToast({
    tone: "error",
    message: explainError(error, i18next.t).sentence,
    duration: 15_000,
    action: { label: i18next.t("editor.code.openAt", { line }), run: () => openCode(node, line) },
  });
}

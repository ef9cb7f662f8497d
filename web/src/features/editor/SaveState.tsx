import { Check, CloudAlert, LoaderCircle, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { asApiError } from "@/api/error";
import { restoreFromTrash } from "@/api/trash";
import { flush, isFinal } from "@/stores/editor/saving";
import type { Editor } from "@/stores/editor/state";
import { Button } from "@/ui/Button";
import { RelativeTime } from "@/ui/RelativeTime";
import { explainError } from "@/ui/explainError";
import { toastError } from "@/ui/toastError";

/** Whether everything on the screen is kept, always in the same place. */
export function SaveState({ editor, revision }: { editor: Editor; revision: number }) {
  const { t } = useTranslation();
  const saving = useStore(editor, (state) => state.saving);
  const at = useStore(editor, (state) => (state.saving.kind === "saved" ? state.saving.at : 0));
  const deleted = saving.kind === "failed" && asApiError(saving.error).status === 404;
  const bringBack = async (): Promise<void> => {
    await restoreFromTrash("flow", editor.getState().flowId);
    await flush(editor);
  };
  return (
    <span
      role="status"
      data-testid="saved-state"
      className="flex shrink-0 items-center gap-1.5 text-xs text-muted"
    >
      {saving.kind === "saved" ? (
        <>
          <Check aria-hidden="true" className="size-3.5 text-ok" />
          <span className="max-sm:sr-only">
            {t("flow.title.saved")} <RelativeTime value={new Date(at).toISOString()} />
            <span className="hidden 2xl:inline"> · {t("flow.title.revision", { revision })}</span>
          </span>
        </>
      ) : saving.kind === "failed" ? (
        <>
          <CloudAlert aria-hidden="true" className="size-3.5 text-danger" />
          <span className="max-w-72 truncate text-danger max-sm:max-w-24" title={explainError(saving.error, t).sentence}>
            {deleted
              ? t("editor.save.deleted")
              : isFinal(saving.error)
                ? t("editor.save.refused")
                : t("editor.save.waiting")}
          </span>
          {deleted ? (
            <Button size="sm" onClick={() => void bringBack().catch(toastError)}>
              {t("editor.save.bringBack")}
            </Button>
          ) : (
            <Button size="sm" variant="ghost" onClick={() => void flush(editor)}>
              {t("common.retry")}
            </Button>
          )}
        </>
      ) : saving.kind === "conflict" ? (
        <>
          <TriangleAlert aria-hidden="true" className="size-3.5 text-warn" />
          <span>{t("editor.save.conflict")}</span>
        </>
      ) : (
        <>
          <LoaderCircle aria-hidden="true" className="size-3.5 animate-spin" />
          <span>{t("editor.save.saving")}</span>
        </>
      )}
    </span>
  );
}

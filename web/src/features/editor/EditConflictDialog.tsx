import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { diffFlow } from "@/api/flows";
import type { FlowDocument } from "@/api/types";
import { spoken } from "@/flow/edit/spoken";
import { resolveConflict } from "@/stores/editor/saving";
import type { EditConflict, Editor } from "@/stores/editor/state";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { FlowDiffView } from "@/ui/FlowDiffView";
import { SkeletonRows } from "@/ui/Skeleton";
import { showToast } from "@/ui/toasts";

/** Somebody else changed the same thing: shows what is different and lets the person decide. Nothing is lost either way. */
export function EditConflictDialog({ editor }: { editor: Editor }) {
  const saving = useStore(editor, (state) => state.saving);
  return saving.kind === "conflict" ? <Decide editor={editor} conflict={saving.conflict} /> : null;
}

function Decide({ editor, conflict }: { editor: Editor; conflict: EditConflict }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<"mine" | "theirs" | "copy" | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { flowId, document } = editor.getState();
  const { theirs, conflicts } = conflict;
  // From theirs to what is on the screen.
  const diff = useQuery({
    queryKey: ["edit-conflict", flowId, theirs.revision],
    queryFn: () => diffFlow(flowId, document as FlowDocument),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const decide = async (choice: "mine" | "theirs" | "copy"): Promise<void> => {
    setBusy(choice);
    setError(null);
    try {
      const names = { version: t("editor.conflict.versionName"), copy: t("editor.conflict.copyName", { name: theirs.name }) };
      const copy = await resolveConflict(editor, choice, names);
      if (copy !== null)
        showToast({
          tone: "success",
          message: t("editor.conflict.copied"),
          action: {
            label: t("editor.conflict.openCopy"),
            run: () => void navigate({ to: "/flow/$flowId", params: { flowId: copy } }),
          },
        });
    } catch (failure) {
      setError(failure);
      setBusy(null);
    }
  };
  return (
    <Dialog
      open
      onClose={() => {}}
      size="lg"
      title={t("editor.conflict.title")}
      description={t("editor.conflict.text")}
      dismissible={false}
      footer={
        <>
          <Button busy={busy === "theirs"} disabled={busy !== null} onClick={() => void decide("theirs")}>
            {t("editor.conflict.theirs")}
          </Button>
          <Button busy={busy === "copy"} disabled={busy !== null} onClick={() => void decide("copy")}>
            {t("editor.conflict.copy")}
          </Button>
          <Button
            variant="primary"
            busy={busy === "mine"}
            disabled={busy !== null}
            onClick={() => void decide("mine")}
          >
            {t("editor.conflict.mine")}
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-sm">
        <section>
          <h3 className="mb-1 font-semibold">{t("editor.conflict.list", { count: conflicts.length })}</h3>
          <ul className="list-disc space-y-1 pl-5 text-muted">
            {conflicts.slice(0, 8).map((one, index) => (
              <li key={index} className="break-words">
                {spoken(one.refusal, editor.getState().flow)}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h3 className="mb-1 font-semibold">{t("editor.conflict.diff")}</h3>
          {diff.data ? <FlowDiffView diff={diff.data} /> : null}
          {diff.error ? <ErrorNotice error={diff.error} onRetry={() => void diff.refetch()} /> : null}
          {diff.isPending ? <SkeletonRows rows={2} label={t("common.loading")} /> : null}
        </section>
        {error ? <ErrorNotice error={error} /> : null}
      </div>
    </Dialog>
  );
}

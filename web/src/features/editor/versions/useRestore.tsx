import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FlowRead, VersionEntry } from "@/api/types";
import { notSaved } from "@/api/error";
import { activateVersion, listVersions } from "@/api/versions";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toastError } from "@/ui/toastError";
import { showToast } from "@/ui/toasts";
import { replaceDraft } from "@/stores/editor/saving";
import type { Editor } from "@/stores/editor/state";

export interface Restore {
  ask: (entry: VersionEntry) => void;
  dialog: ReactNode;
}

/** Puts a version back as the draft. The server saves the draft first, which is what Undo goes back to. */
export function useRestore(flow: FlowRead, editor: Editor, onDone: () => void): Restore {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asked, setAsked] = useState<VersionEntry | null>(null);

  const activate = async (entry: { id: string }): Promise<void> => {
    // What is not saved yet belongs to the draft that the server is about to keep.
    const put = (revision: number) => activateVersion(flow.id, entry.id, { saveDraft: true, revision });
    if (!(await replaceDraft(editor, put))) throw notSaved(t("flow.versions.notSaved"));
    await client.invalidateQueries({ queryKey: ["versions", flow.id] });
  };

  const undo = async (saved: VersionEntry): Promise<void> => {
    try {
      await activate(saved);
      showToast({ message: t("flow.versions.undone") });
    } catch (error) {
      toastError(error);
    }
  };

  const restore = async (entry: VersionEntry): Promise<void> => {
    const newest = (await listVersions(flow.id, 1)).entries[0]?.version_number ?? 0;
    await activate(entry);
    onDone();
    const saved = (await listVersions(flow.id, 1)).entries[0];
    const message = t("flow.versions.restored", { version: `v${entry.version_number}` });
    if (saved && saved.version_number > newest) {
      showToast({
        tone: "success",
        message,
        detail: t("flow.versions.draftKept", { version: `v${saved.version_number}` }),
        action: { label: t("common.undo"), run: () => void undo(saved) },
      });
    } else {
      showToast({ tone: "success", message });
    }
  };

  const dialog = (
    <ConfirmDialog
      open={asked !== null}
      onClose={() => setAsked(null)}
      danger={false}
      title={t("flow.versions.restoreTitle", { version: `v${asked?.version_number ?? ""}` })}
      description={t("flow.versions.restoreText")}
      confirmLabel={t("flow.versions.restore")}
      onConfirm={async () => {
        if (asked) await restore(asked);
      }}
    />
  );
  return { ask: setAsked, dialog };
}

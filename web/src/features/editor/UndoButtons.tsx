import { Redo2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { redo, undo } from "@/stores/editor/actions";
import type { Editor } from "@/stores/editor/state";
import { useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";

export function UndoButtons({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  const undoable = useStore(editor, (state) => state.history.done.length > 0 && !state.locked);
  const redoable = useStore(editor, (state) => state.history.undone.length > 0 && !state.locked);
  return (
    <div className="flex items-center">
      <IconButton
        label={t("editor.undo")}
        shortcut={useKeys("undo")}
        disabled={!undoable}
        icon={<Undo2 className="size-4" />}
        onClick={() => undo(editor)}
      />
      <IconButton
        label={t("editor.redo")}
        shortcut={useKeys("redo")}
        disabled={!redoable}
        icon={<Redo2 className="size-4" />}
        onClick={() => redo(editor)}
      />
    </div>
  );
}

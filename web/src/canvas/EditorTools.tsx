import { CircleHelp, Grid3x3, Hand, LayoutDashboard, Lock, LockOpen, MousePointer2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Editor } from "@/stores/editor/state";
import { openShortcutSheet } from "@/stores/intents";
import { useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";
import type { CanvasStore } from "./canvasStore";

const PRESSED = "aria-pressed:bg-accent-soft aria-pressed:text-accent";

/** What belongs to changing a flow: which hand, the grid, order, and the lock. */
export function EditorTools({
  editor,
  store,
  snap,
  onSnap,
  onLock,
  onArrange,
}: {
  editor: Editor;
  store: CanvasStore;
  snap: boolean;
  onSnap: (on: boolean) => void;
  onLock: () => void;
  onArrange: () => void;
}) {
  const { t } = useTranslation();
  const tool = useStore(store, (state) => state.tool);
  const locked = useStore(editor, (state) => state.locked);
  const unreadable = useStore(editor, (state) => state.unreadable !== null);
  const empty = useStore(editor, (state) => state.flow.nodes.length === 0);
  const pointer = tool === "pointer";
  const [pointerKeys, handKeys] = [useKeys("pointer"), useKeys("hand")];
  const [arrangeKeys, lockKeys, helpKeys] = [useKeys("arrange"), useKeys("lock"), useKeys("shortcutSheet")];
  return (
    <>
      <span aria-hidden="true" className="mx-0.5 h-5 w-px bg-line" />
      <IconButton
        size="sm"
        label={pointer ? t("editor.tools.hand") : t("editor.tools.pointer")}
        shortcut={pointer ? handKeys : pointerKeys}
        icon={pointer ? <MousePointer2 className="size-4" /> : <Hand className="size-4" />}
        onClick={() => store.setState({ tool: pointer ? "hand" : "pointer" })}
      />
      <IconButton
        size="sm"
        label={t("editor.tools.snap")}
        aria-pressed={snap}
        className={PRESSED}
        icon={<Grid3x3 className="size-4" />}
        onClick={() => onSnap(!snap)}
      />
      <IconButton
        size="sm"
        label={t("editor.menu.arrange")}
        shortcut={arrangeKeys}
        disabled={locked || empty}
        icon={<LayoutDashboard className="size-4" />}
        onClick={onArrange}
      />
      <IconButton
        size="sm"
        label={locked ? t("editor.tools.unlock") : t("editor.tools.lock")}
        shortcut={lockKeys}
        aria-pressed={locked}
        className={PRESSED}
        disabled={unreadable}
        icon={locked ? <Lock className="size-4" /> : <LockOpen className="size-4" />}
        onClick={onLock}
      />
      <IconButton
        size="sm"
        label={t("editor.tools.help")}
        shortcut={helpKeys}
        icon={<CircleHelp className="size-4" />}
        onClick={() => openShortcutSheet(true)}
      />
    </>
  );
}

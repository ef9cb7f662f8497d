import { Sparkles } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { FlowRead } from "@/api/types";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import type { Editor } from "@/stores/editor/state";
import { offerAssistant } from "@/stores/intents";
import { useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";
import { showToast } from "@/ui/toasts";
import type { AssistantWish, FlowParts } from "./parts";
import type { EditorSession } from "./useEditorSession";

const BUTTON_ID = "assistant-button";
const PANEL = "#flow-assistant";

/** Whether it was open, for who comes back from a version. */
const shown = new WeakMap<Editor, boolean>();

export interface Assistant {
  open: boolean;
  /** From then on it is on the page, open or not: its work goes on. */
  ever: boolean;
  wish: AssistantWish | null;
  taken: () => void;
  ask: (wish?: AssistantWish) => void;
  toggle: () => void;
  close: () => void;
}

/** The door of the assistant: who opens it, what for, and where the focus goes afterwards. */
export function useAssistant(editor: Editor): Assistant {
  const { t } = useTranslation();
  const [open, setOpen] = useState(shown.get(editor) ?? false);
  const [ever, setEver] = useState(shown.has(editor));
  const [wish, setWish] = useState<AssistantWish | null>(null);
  const locked = useStore(editor, (state) => state.locked);
  const back = useRef<Element | null>(null);

  const show = (is: boolean): void => {
    shown.set(editor, is);
    setOpen(is);
    setEver(true);
  };
  const ask = (next?: AssistantWish): void => {
    if (locked) {
      showToast({ message: t("editor.assistant.locked") });
      return;
    }
    const { activeElement } = document;
    if (!activeElement?.closest(PANEL)) back.current = activeElement;
    if (next) setWish(next);
    show(true);
  };
  const close = (): void => {
    const within = document.activeElement?.closest(PANEL);
    show(false);
    if (!within) return;
    const before = back.current?.isConnected && back.current !== document.body ? back.current : null;
    const next = before ?? document.getElementById(BUTTON_ID);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };

  const offer = useEffectEvent(() => ask());
  useEffect(() => offerAssistant(() => offer()), []);

  return {
    open: open && !locked,
    ever,
    wish,
    taken: () => setWish(null),
    ask,
    toggle: () => (open && !locked ? close() : ask()),
    close,
  };
}

export function AssistantButton({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const { t } = useTranslation();
  return (
    <IconButton
      id={BUTTON_ID}
      data-testid="assistant-toggle"
      size="sm"
      label={t("flow.shortcuts.assistant")}
      shortcut={useKeys("assistant")}
      aria-pressed={open}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      icon={<Sparkles className="size-4" />}
      onClick={onToggle}
    />
  );
}

/** The assistant itself, from when it was first opened. */
export function AssistantPart({
  parts,
  flow,
  session: { editor, onMerged },
  canvas,
  assistant: { open, ever, wish, taken, close },
}: {
  parts: FlowParts;
  flow: FlowRead;
  session: EditorSession;
  canvas: RefObject<EditorCanvasHandle | null>;
  assistant: Assistant;
}) {
  if (!ever) return null;
  return (
    <parts.Assistant
      flow={flow}
      editor={editor}
      canvas={canvas}
      onMerged={onMerged}
      open={open}
      wish={wish}
      onWish={taken}
      onClose={close}
    />
  );
}

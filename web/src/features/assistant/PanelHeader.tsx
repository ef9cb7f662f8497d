import { ChevronDown, ChevronUp, Plus, Sparkles, X, Zap } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/ui/Button";
import { Tooltip } from "@/ui/Tooltip";
import type { Chat } from "./chat";
import { newSessionId } from "./model/protocol";
import { SessionMenu } from "./SessionMenu";

export function PanelHeader({
  chat,
  usable,
  folded,
  onFold,
  onClose,
  onBegin,
}: {
  chat: Chat;
  /** There is somebody to talk to. */
  usable: boolean;
  /** Only the head and the input are shown, so that the canvas behind can be seen. */
  folded: boolean;
  onFold: (folded: boolean) => void;
  onClose: () => void;
  /** Another conversation is before the person. */
  onBegin: () => void;
}) {
  const { t } = useTranslation();
  const hint = useId();
  const skipAll = useStore(chat.store, (held) => held.state.skipAll);
  const begun = useStore(chat.store, (held) => held.state.messages.length > 0);
  return (
    <header className="relative flex h-11 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
      <Sparkles aria-hidden="true" className="size-4 shrink-0 text-accent" />
      <h2 className="ml-1 truncate text-sm font-semibold">{t("assistant.panel.title")}</h2>
      {skipAll ? (
        <Tooltip label={t("assistant.panel.skipAllHint")}>
          <button
            type="button"
            data-testid="assistant-skip-all-badge"
            aria-describedby={hint}
            className="ml-1 inline-flex h-5 shrink-0 items-center gap-1 rounded-full bg-warn-soft px-2 text-2xs font-medium text-warn hover:underline"
            onClick={() => chat.dispatch({ type: "setSkipAll", on: false })}
          >
            <Zap aria-hidden="true" className="size-3" />
            {t("assistant.panel.skipAll")}
            <span id={hint} className="sr-only">
              {t("assistant.panel.skipAllHint")}
            </span>
          </button>
        </Tooltip>
      ) : null}
      <span className="flex-1" />
      {usable ? (
        <>
          <SessionMenu chat={chat} onChosen={onBegin} />
          <IconButton
            size="sm"
            data-testid="assistant-new-session"
            label={t("assistant.panel.newSession")}
            aria-disabled={!begun || undefined}
            className="aria-disabled:opacity-55"
            icon={<Plus className="size-4" />}
            onClick={() => {
              if (begun) chat.dispatch({ type: "newSession", sessionId: newSessionId() });
              onBegin();
            }}
          />
        </>
      ) : null}
      {begun ? (
        <IconButton
          size="sm"
          data-testid="assistant-fold"
          label={folded ? t("assistant.panel.unfold") : t("assistant.panel.fold")}
          aria-expanded={!folded}
          icon={folded ? <ChevronUp className="size-4" /> : <ChevronDown className="size-4" />}
          onClick={() => onFold(!folded)}
        />
      ) : null}
      <IconButton
        size="sm"
        data-testid="assistant-close"
        label={t("assistant.panel.close")}
        shortcut="escape"
        icon={<X className="size-4" />}
        onClick={onClose}
      />
    </header>
  );
}

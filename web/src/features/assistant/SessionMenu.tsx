import { History, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { RelativeTime } from "@/ui/RelativeTime";
import { showToast } from "@/ui/toasts";
import type { Chat } from "./chat";
import { dropSession, type SavedSession, sessionsOf, storeSession } from "./model/sessions";

/** What was talked about before, to go on with or to delete. */
export function SessionMenu({ chat, onChosen }: { chat: Chat; onChosen: () => void }) {
  const { t } = useTranslation();
  const [sessions, setSessions] = useState<SavedSession[] | null>(null);
  const current = useStore(chat.store, (held) => held.state.sessionId);
  const flowId = useStore(chat.store, (held) => held.state.flowId);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const open = sessions !== null;

  useEffect(() => {
    if (!open) return;
    list.current?.querySelector("button")?.focus();
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setSessions(null);
    };
    // Before anything else that Escape would close.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setSessions(null);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", outside, true);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", outside, true);
      document.removeEventListener("keydown", escape, true);
    };
  }, [open]);

  const load = ({ id, messages }: SavedSession): void => {
    setSessions(null);
    if (id !== current) chat.dispatch({ type: "loadSession", sessionId: id, messages });
    onChosen();
  };
  const remove = (session: SavedSession): void => {
    dropSession(session.id);
    setSessions(sessionsOf(flowId));
    button.current?.focus();
    showToast({
      message: t("assistant.panel.sessionDeleted"),
      action: {
        label: t("common.undo"),
        run: () => {
          storeSession(session);
          setSessions((shown) => (shown === null ? null : sessionsOf(flowId)));
        },
      },
    });
  };

  return (
    <div ref={box} className="contents">
      <IconButton
        ref={button}
        size="sm"
        data-testid="assistant-session-history"
        label={t("assistant.panel.sessions")}
        aria-expanded={open}
        icon={<History className="size-4" />}
        onClick={() => setSessions(open ? null : sessionsOf(flowId))}
      />
      {sessions ? (
        <section
          aria-label={t("assistant.panel.sessions")}
          className="scroll-thin absolute top-10 right-2 z-10 max-h-72 w-80 max-w-[calc(100%-1rem)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-2"
        >
          {sessions.length === 0 ? (
            <p className="px-2 py-3 text-center text-xs text-muted">{t("assistant.panel.noSessions")}</p>
          ) : (
            <ul ref={list}>
              {sessions.map((session) => (
                <li
                  key={session.id}
                  className={cx("flex items-center gap-1 rounded-md pr-1 hover:bg-hover", session.id === current && "bg-accent-soft")}
                >
                  <button
                    type="button"
                    data-testid={`session-${session.id}`}
                    aria-current={session.id === current ? "true" : undefined}
                    className="min-w-0 flex-1 rounded-md px-2 py-1.5 text-left"
                    onClick={() => load(session)}
                  >
                    <span className="block truncate text-sm">{session.title}</span>
                    <span className="block text-2xs text-muted">
                      {session.id === current ? (
                        t("assistant.panel.sessionNow")
                      ) : (
                        <RelativeTime value={new Date(session.at).toISOString()} />
                      )}
                    </span>
                  </button>
                  {session.id === current ? null : (
                    <IconButton
                      size="sm"
                      data-testid={`delete-session-${session.id}`}
                      label={t("assistant.panel.deleteSession", { title: session.title })}
                      icon={<Trash2 className="size-3.5" />}
                      onClick={() => remove(session)}
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      ) : null}
    </div>
  );
}

import { MessageSquare, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Select } from "@/ui/Select";
import { chatOf, useChats } from "./chatStore";
import { isGoing } from "./runner";
import { SessionActions } from "./SessionActions";
import type { Sessions } from "./useSessions";

interface PickerProps {
  flowId: string;
  sessions: Sessions;
}

function useTitles(flowId: string): (session: string) => string {
  const { t } = useTranslation();
  return (session) => (session === flowId ? t("playground.session.default") : session);
}

function useCreate(sessions: Sessions): () => void {
  const { t } = useTranslation();
  return () => sessions.create((n) => t("playground.session.newName", { n }));
}

/** The conversations in one row, where there is no room for a list. */
export function SessionBar({ flowId, sessions }: PickerProps) {
  const { t } = useTranslation();
  const titleOf = useTitles(flowId);
  const create = useCreate(sessions);
  return (
    <div className="flex shrink-0 items-center gap-1 border-b border-line px-3 py-2">
      <Select
        aria-label={t("playground.session.label")}
        className="min-w-0 flex-1"
        value={sessions.current}
        onChange={sessions.choose}
        options={sessions.names.map((name) => ({ value: name, label: titleOf(name) }))}
      />
      <IconButton
        size="sm"
        label={t("playground.session.new")}
        icon={<Plus className="size-4" />}
        onClick={create}
      />
      <SessionActions
        flowId={flowId}
        session={sessions.current}
        title={titleOf(sessions.current)}
        sessions={sessions}
      />
    </div>
  );
}

/** The conversations as a list beside the open one. */
export function SessionList({ flowId, sessions }: PickerProps) {
  const { t } = useTranslation();
  const titleOf = useTitles(flowId);
  const create = useCreate(sessions);
  return (
    <nav aria-label={t("playground.session.list")} className="flex min-h-0 flex-1 flex-col">
      <div className="px-3 pb-2">
        <Button className="w-full" icon={<Plus aria-hidden="true" className="size-4" />} onClick={create}>
          {t("playground.session.new")}
        </Button>
      </div>
      {sessions.error ? (
        <div className="px-3 pb-2">
          <ErrorNotice error={sessions.error} />
        </div>
      ) : null}
      <ul className="scroll-thin min-h-0 flex-1 space-y-0.5 overflow-y-auto px-2 pb-3">
        {sessions.names.map((name) => (
          <li
            key={name}
            className={cx(
              "flex items-center rounded-md pr-1",
              name === sessions.current ? "bg-accent-soft" : "hover:bg-hover",
            )}
          >
            <button
              type="button"
              aria-current={name === sessions.current ? "true" : undefined}
              className={cx(
                "flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm",
                name === sessions.current && "font-medium text-accent",
              )}
              onClick={() => sessions.choose(name)}
            >
              <SessionMark chat={chatOf(flowId, name)} />
              <span className="truncate">{titleOf(name)}</span>
            </button>
            <SessionActions flowId={flowId} session={name} title={titleOf(name)} sessions={sessions} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function SessionMark({ chat }: { chat: string }) {
  const { t } = useTranslation();
  const going = useChats((state) => isGoing(state.runs[chat] ?? null));
  return going ? (
    <span
      role="img"
      aria-label={t("playground.running")}
      className="mx-1 size-2 shrink-0 animate-pulse-soft rounded-full bg-accent"
    />
  ) : (
    <MessageSquare aria-hidden="true" className="size-4 shrink-0 text-faint" />
  );
}

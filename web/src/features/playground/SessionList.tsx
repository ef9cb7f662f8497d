import { ListChecks, MessageSquare, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/ui/Button";
import { Checkbox } from "@/ui/Checkbox";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { chatOf, useChats } from "./chatStore";
import { isGoing } from "./runner";
import { SessionActions } from "./SessionActions";
import type { ChatSource } from "./source";
import type { Sessions } from "./useSessions";
import { useCreate, useTitles } from "./useTitles";

/** The conversations as a list beside the open one. */
export function SessionList({ source, sessions }: { source: ChatSource; sessions: Sessions }) {
  const { t } = useTranslation();
  const titleOf = useTitles(source.flowId);
  const create = useCreate(sessions);
  const [marked, setMarked] = useState<string[] | null>(null);
  const [asking, setAsking] = useState(false);
  const chosen = (marked ?? []).filter((name) => sessions.names.includes(name));
  const several = sessions.names.length > 1;
  return (
    <nav aria-label={t("playground.session.list")} className="flex min-h-0 flex-1 flex-col">
      <div className="flex gap-1 px-3 pb-2">
        <Button className="min-w-0 flex-1" icon={<Plus aria-hidden="true" className="size-4" />} onClick={create}>
          {t("playground.session.new")}
        </Button>
        {several ? (
          <IconButton
            label={t("playground.session.select")}
            aria-pressed={marked !== null}
            icon={<ListChecks className="size-4" />}
            onClick={() => setMarked(marked === null ? [] : null)}
          />
        ) : null}
      </div>
      {marked !== null ? (
        <div className="px-3 pb-2">
          <Button
            variant="danger"
            className="w-full"
            disabled={chosen.length === 0}
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            onClick={() => setAsking(true)}
          >
            {t("playground.session.deleteSome", { count: chosen.length })}
          </Button>
        </div>
      ) : null}
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
            {marked === null ? null : (
              <SessionCheck
                chat={chatOf(source, name)}
                label={t("playground.session.mark", { name: titleOf(name) })}
                checked={marked.includes(name)}
                onChange={(is) => setMarked(is ? [...marked, name] : marked.filter((other) => other !== name))}
              />
            )}
            <button
              type="button"
              aria-current={name === sessions.current ? "true" : undefined}
              className={cx(
                "flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-2 text-left text-sm",
                name === sessions.current && "font-medium text-accent",
              )}
              onClick={() => sessions.choose(name)}
            >
              <SessionMark chat={chatOf(source, name)} />
              <span className="truncate">{titleOf(name)}</span>
            </button>
            <SessionActions source={source} session={name} title={titleOf(name)} sessions={sessions} />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t("playground.session.deleteSomeTitle", { count: chosen.length })}
        description={source.edits ? t("playground.session.deleteUndo") : t("playground.session.deleteText")}
        confirmLabel={t("playground.session.deleteSome", { count: chosen.length })}
        onConfirm={async () => {
          await sessions.remove(chosen);
          setMarked(null);
        }}
      />
    </nav>
  );
}

/** Not while a run is writing there. */
function SessionCheck({
  chat,
  label,
  checked,
  onChange,
}: {
  chat: string;
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const going = useChats((state) => isGoing(state.runs[chat] ?? null));
  return <Checkbox className="ml-2" aria-label={label} disabled={going} checked={checked && !going} onChange={onChange} />;
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

import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { SessionActions } from "./SessionActions";
import type { ChatSource } from "./source";
import { useCreate, useTitles } from "./useTitles";
import type { Sessions } from "./useSessions";

/** The conversations in one row, where there is no room for a list. */
export function SessionBar({ source, sessions }: { source: ChatSource; sessions: Sessions }) {
  const { t } = useTranslation();
  const titleOf = useTitles(source.flowId);
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
        source={source}
        session={sessions.current}
        title={titleOf(sessions.current)}
        sessions={sessions}
      />
    </div>
  );
}

import type { TFunction } from "i18next";
import { Terminal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LocalMessage } from "../model/types";

/** What a command did, said by the page itself. */
export function LocalNote({ message, newest }: { message: LocalMessage; newest: boolean }) {
  const { t } = useTranslation();
  return (
    <p
      role={newest ? "status" : "note"}
      className="flex items-start gap-2 rounded-lg bg-sunken px-3 py-2 text-xs text-muted"
    >
      <Terminal aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      <span className="min-w-0 break-words">{words(message.note, t)}</span>
    </p>
  );
}

function words(note: LocalMessage["note"], t: TFunction): string {
  switch (note.kind) {
    case "skipAll":
      return note.on ? t("assistant.cards.local.skipAllOn") : t("assistant.cards.local.skipAllOff");
    case "history":
      if (note.limit === null) return t("assistant.cards.local.historyDefault");
      return note.limit === 0
        ? t("assistant.cards.local.historyNone")
        : t("assistant.cards.local.history", { count: note.limit });
    case "iterations":
      return note.limit === null
        ? t("assistant.cards.local.iterationsDefault")
        : t("assistant.cards.local.iterations", { count: note.limit });
    case "usage":
      return note.command === "history"
        ? t("assistant.cards.local.historyUsage")
        : t("assistant.cards.local.iterationsUsage");
  }
}

import { FileUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ChatEnds } from "@/flow/chatEnds";
import { attachFiles } from "./attachments";
import { chatOf } from "./chatStore";
import { Composer } from "./Composer";
import type { ChatSource } from "./source";
import { Thread } from "./Thread";
import { useFileDrop } from "./useFileDrop";

/** One conversation: what was said, and where the next is written. Files can be dropped on all of it. */
export function Chat({ source, session, ends }: { source: ChatSource; session: string; ends: ChatEnds }) {
  const { t } = useTranslation();
  const chat = chatOf(source, session);
  const takesFiles = source.takesFiles && ends.input;
  const { over, handlers } = useFileDrop(takesFiles ? (files) => attachFiles(chat, files) : null);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" {...handlers}>
      <Thread key={`read ${chat}`} source={source} session={session} ends={ends} />
      <Composer key={`say ${chat}`} source={source} session={session} ends={ends} />
      {over ? (
        <div className="pointer-events-none absolute inset-2 z-20 flex flex-col items-center justify-center gap-2 rounded-xl border-2 border-dashed border-accent bg-surface/90 text-center">
          <FileUp aria-hidden="true" className="size-8 text-accent" />
          <p className="text-sm font-semibold">{t("playground.drop")}</p>
        </div>
      ) : null}
    </div>
  );
}

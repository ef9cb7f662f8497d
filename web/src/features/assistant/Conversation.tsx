import { ArrowDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/ui/Button";
import { useStickToEnd } from "@/ui/useStickToEnd";
import type { CardActions } from "./cards/actions";
import { MessageItem } from "./cards/MessageItem";
import type { Chat } from "./chat";
import type { Message } from "./model/types";

/** So many are drawn at first, and with each press on what is above them. */
const PAGE = 30;

/** What was said, the newest in view until the person scrolls up. */
export function Conversation({ chat, actions }: { chat: Chat; actions: CardActions }) {
  const { t } = useTranslation();
  const messages = useStore(chat.store, (held) => held.state.messages);
  const session = useStore(chat.store, (held) => held.state.sessionId);
  const busy = useStore(chat.store, (held) => held.state.turn !== null);
  const [drawn, setDrawn] = useState({ session, count: PAGE });
  const count = drawn.session === session ? drawn.count : PAGE;
  const shown = messages.slice(-count);
  const before = messages.length - shown.length;
  const newest = messages.at(-1)?.id;
  const said = messages.findLast((message) => message.role === "user");
  const restorable = messages.findLast((message) => message.role === "assistant" && message.restore !== null)?.id;
  const { scroller, content, away, onScroll, jump } = useStickToEnd(said?.at ?? 0, shown[0]?.id ?? null);
  return (
    <div className="relative min-h-0 flex-1">
      <section
        ref={scroller}
        aria-label={t("assistant.panel.conversation")}
        tabIndex={0}
        onScroll={onScroll}
        className="scroll-thin absolute inset-0 overflow-y-auto focus-visible:-outline-offset-2"
      >
        <div ref={content} className="space-y-4 px-4 py-4">
          {before > 0 ? (
            <div className="text-center">
              <Button size="sm" onClick={() => setDrawn({ session, count: count + PAGE })}>
                {t("assistant.panel.earlier", { count: Math.min(before, PAGE) })}
              </Button>
            </div>
          ) : null}
          {shown.map((message) => (
            <MessageItem
              key={message.id}
              message={message}
              newest={message.id === newest}
              busy={busy}
              restorable={message.id === restorable}
              actions={actions}
            />
          ))}
        </div>
      </section>
      {away ? (
        <Button
          size="sm"
          data-testid="assistant-jump-latest"
          className="absolute bottom-2 left-1/2 -translate-x-1/2 rounded-full shadow-2"
          icon={<ArrowDown aria-hidden="true" className="size-3.5" />}
          onClick={jump}
        >
          {t("assistant.panel.jump")}
        </Button>
      ) : null}
      <Announcer busy={busy} last={messages.at(-1)} />
    </div>
  );
}

/** Says that it works, and the answer once it is there, instead of every word. */
function Announcer({ busy, last }: { busy: boolean; last: Message | undefined }) {
  const { t } = useTranslation();
  const [begun, setBegun] = useState(false);
  if (busy && !begun) setBegun(true);
  // What went wrong is an alert of its own.
  const answer = begun && !busy && last?.role === "assistant" && !last.failure ? last.content : "";
  return (
    <p role="status" className="sr-only">
      {busy ? t("assistant.panel.working") : answer}
    </p>
  );
}

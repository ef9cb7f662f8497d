import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { Message } from "../model/types";
import type { CardActions } from "./actions";
import { AssistantAnswer } from "./AssistantAnswer";
import { LocalNote } from "./LocalNote";

export interface MessageItemProps {
  message: Message;
  /** The last of the conversation. */
  newest: boolean;
  /** A turn is under way: what would begin another waits. */
  busy: boolean;
  /** The newest message with a version to go back to. */
  restorable: boolean;
  actions: CardActions;
}

/** One message with its cards. Drawn again only when it changes: while an answer comes, only that answer is. */
export const MessageItem = memo(function MessageItem({ message, ...rest }: MessageItemProps) {
  const { t } = useTranslation();
  const testId = `assistant-message-${message.id}`;
  switch (message.role) {
    case "user":
      return (
        <article aria-label={t("assistant.cards.you")} data-testid={testId} className="flex justify-end pl-8">
          <p className="max-w-full min-w-0 rounded-xl rounded-br-sm bg-accent-soft px-3 py-1.5 text-sm break-words whitespace-pre-wrap text-ink">
            {message.text}
          </p>
        </article>
      );
    case "local":
      return (
        <article aria-label={t("assistant.cards.assistant")} data-testid={testId}>
          <LocalNote message={message} newest={rest.newest} />
        </article>
      );
    case "assistant":
      if (message.hidden) return null;
      return (
        <article
          aria-label={t("assistant.cards.assistant")}
          data-testid={testId}
          data-status={message.status}
          className="group/message min-w-0"
        >
          <AssistantAnswer message={message} {...rest} />
        </article>
      );
  }
});

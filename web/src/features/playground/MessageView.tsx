import { Bot, Drama, UserRound } from "lucide-react";
import { memo, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ChatMessage, stepsAbove, stepsBelow } from "@/flow/messages";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { Markdown } from "@/ui/Markdown";
import { RelativeTime } from "@/ui/RelativeTime";
import { compactNumber, costText, durationText } from "@/ui/figures";
import { Files } from "./Files";
import { MessageEditor } from "./MessageEditor";
import { MessageTools } from "./MessageTools";
import { Steps } from "./Steps";
import type { MessageActions } from "./useMessageActions";

/** What its place in the conversation makes of a message. */
export type Place = "question" | "answer" | "leaving" | "live" | null;

/** One message. Memoised on the message: while an answer is written, only that answer is drawn again. */
export const MessageView = memo(function MessageView({
  message,
  near,
  place,
  actions,
}: {
  message: ChatMessage;
  /** In view or about to be; the others need no buttons. */
  near: boolean;
  /** The last question, its answer, one that goes when another has come, or one that may still change. */
  place: Place;
  actions: MessageActions;
}) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const live = place === "live";
  const name = message.name || (message.fromPerson ? t("playground.you") : t("playground.ai"));
  return (
    <article aria-label={name} className="group/message flex gap-3">
      <span
        aria-hidden="true"
        className={cx(
          "mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full *:size-4",
          message.fromPerson ? "bg-sunken text-muted" : "bg-accent-soft text-accent",
        )}
      >
        {message.fromPerson ? <UserRound /> : <Bot />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="text-sm font-medium">{name}</span>
          {message.rehearsed ? (
            <span title={t("playground.rehearsalHint")}>
              <Badge tone="warn">
                <Drama aria-hidden="true" className="size-3" />
                {t("playground.rehearsal")}
              </Badge>
            </span>
          ) : null}
          <span className="text-2xs text-faint">
            <RelativeTime value={message.at} />
          </span>
          {message.edited ? <span className="text-2xs text-faint">{t("playground.edited")}</span> : null}
          {place === "leaving" && !message.fromPerson ? (
            <span className="text-2xs text-muted">{t("playground.leaving")}</span>
          ) : null}
          {live || editing || !near || place === "leaving" ? null : (
            <MessageTools
              message={message}
              actions={actions}
              repeatable={place === "answer"}
              onEdit={() => setEditing(true)}
            />
          )}
        </div>
        <div className="space-y-2">
          {message.fromPerson ? null : <Steps steps={stepsAbove(message)} partial={live && message.partial} />}
          {editing ? (
            <MessageEditor
              text={message.text}
              rerun={message.fromPerson ? (place === "question" ? "replace" : "new") : null}
              onSave={(text) => actions.edit(message, text)}
              onRun={(text) => actions.editAndRun(message, text)}
              onDone={() => setEditing(false)}
            />
          ) : (
            <MessageText message={message} live={live} />
          )}
          {message.fromPerson ? null : <Steps steps={stepsBelow(message)} partial={false} />}
          <Files paths={message.files} />
          <Figures message={message} />
        </div>
      </div>
    </article>
  );
});

function MessageText({ message, live }: { message: ChatMessage; live: boolean }) {
  const { t } = useTranslation();
  // Tokens may come faster than a long text is laid out; typing and scrolling go first.
  const source = useDeferredValue(message.text);
  if (message.fromPerson) return <p className="text-sm break-words whitespace-pre-wrap">{message.text}</p>;
  if (source === "" && live && message.partial) return <Dots />;
  // A message about what went wrong has it in its notice, with what to do.
  if (isOnlyTrouble(message)) return null;
  // An answer that broke off before its first word; one with steps has those to show.
  if (source === "") {
    return message.steps.length > 0 ? null : (
      <p className="text-sm text-muted italic">{t("playground.noText")}</p>
    );
  }
  return (
    <div className="text-sm">
      <Markdown source={source} reachable />
      {message.partial && !live ? (
        <p className="mt-1 text-xs text-muted italic">{t("playground.brokeOff")}</p>
      ) : null}
    </div>
  );
}

function isOnlyTrouble({ text, steps }: ChatMessage): boolean {
  return steps.some(
    (step) => step.kind === "error" && step.problem.reason !== "" && text.startsWith(step.problem.reason),
  );
}

function Dots() {
  return (
    <span aria-hidden="true" className="flex h-5 items-center gap-1">
      {[0, 1, 2].map((dot) => (
        <span key={dot} className="size-1.5 animate-pulse-soft rounded-full bg-faint" />
      ))}
    </span>
  );
}

/** `1.2K → 340 tokens · $0.004 · 3.1s`, as far as it is known. */
function Figures({ message }: { message: ChatMessage }) {
  const { t, i18n } = useTranslation();
  const { usage, duration } = message;
  if (message.fromPerson || (usage === null && duration === null)) return null;
  const number = (count: number): string => compactNumber(count, i18n.language);
  const parts = [
    usage ? t("playground.tokens", { input: number(usage.input), output: number(usage.output) }) : null,
    usage && usage.cost !== null ? costText(usage.cost, i18n.language) : null,
    duration === null ? null : durationText(duration, i18n.language),
  ].filter((part) => part !== null);
  const more = [
    usage && usage.cached > 0 ? t("playground.cached", { amount: number(usage.cached) }) : null,
    usage && usage.reasoning > 0 ? t("playground.thought", { amount: number(usage.reasoning) }) : null,
    usage?.cost ? t("playground.estimate") : null,
  ].filter((part) => part !== null);
  return (
    <p
      aria-label={t("playground.figures")}
      role="note"
      title={more.length > 0 ? more.join(" ") : undefined}
      className="text-2xs text-faint tabular-nums"
    >
      {parts.join(" · ")}
    </p>
  );
}

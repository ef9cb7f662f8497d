import { Bot, Check, Copy, Drama, Pencil, Trash2, UserRound } from "lucide-react";
import { memo, useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ChatMessage, stepsAbove, stepsBelow } from "@/flow/messages";
import { Badge } from "@/ui/Badge";
import { Button, IconButton } from "@/ui/Button";
import { copyText } from "@/ui/copyText";
import { cx } from "@/ui/cx";
import { ErrorNotice } from "@/ui/ErrorNotice";
import { Textarea } from "@/ui/Field";
import { Markdown } from "@/ui/Markdown";
import { RelativeTime } from "@/ui/RelativeTime";
import { toastError } from "@/ui/toastError";
import { compact, costText, durationText } from "./figures";
import { Files } from "./Files";
import { Steps } from "./Steps";

export interface MessageActions {
  edit: (message: ChatMessage, text: string) => Promise<void>;
  remove: (message: ChatMessage) => Promise<void>;
}

/** One message. Memoised on the message: while an answer is written, only that answer is drawn again. */
export const MessageView = memo(function MessageView({
  message,
  live,
  actions,
}: {
  message: ChatMessage;
  /** Its run is going on: it may still change. */
  live: boolean;
  actions: MessageActions;
}) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
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
          {live || editing ? null : (
            <MessageTools message={message} actions={actions} onEdit={() => setEditing(true)} />
          )}
        </div>
        <div className="space-y-2">
          {message.fromPerson ? null : <Steps steps={stepsAbove(message)} partial={live && message.partial} />}
          {editing ? (
            <MessageEditor
              text={message.text}
              onSave={(text) => actions.edit(message, text)}
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

function Dots() {
  return (
    <span aria-hidden="true" className="flex h-5 items-center gap-1">
      {[0, 1, 2].map((dot) => (
        <span key={dot} className="size-1.5 animate-pulse-soft rounded-full bg-faint" />
      ))}
    </span>
  );
}

function MessageTools({
  message,
  actions,
  onEdit,
}: {
  message: ChatMessage;
  actions: MessageActions;
  onEdit: () => void;
}) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className="ml-auto flex opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
      <IconButton
        size="sm"
        label={copied ? t("common.copied") : t("common.copy")}
        icon={copied ? <Check className="size-3.5" /> : <Copy className="size-3.5" />}
        onClick={() => void copyText(message.text).then(() => setCopied(true), toastError)}
      />
      <IconButton
        size="sm"
        label={t("playground.edit")}
        icon={<Pencil className="size-3.5" />}
        onClick={onEdit}
      />
      <IconButton
        size="sm"
        label={t("playground.delete")}
        icon={<Trash2 className="size-3.5" />}
        onClick={() => void actions.remove(message).catch(toastError)}
      />
    </span>
  );
}

function MessageEditor({
  text,
  onSave,
  onDone,
}: {
  text: string;
  onSave: (text: string) => Promise<void>;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(text);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.setSelectionRange(-1, -1);
  }, []);

  const save = async (): Promise<void> => {
    if (draft === text) return onDone();
    setBusy(true);
    setError(null);
    try {
      await onSave(draft);
      onDone();
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };

  return (
    <div className="space-y-2">
      <Textarea
        ref={area}
        aria-label={t("playground.editLabel")}
        className="field-sizing-content max-h-80"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          const saves = event.key === "Enter" && (event.ctrlKey || event.metaKey);
          if (event.key !== "Escape" && !saves) return;
          event.preventDefault();
          if (saves) void save();
          else onDone();
        }}
      />
      {error ? <ErrorNotice error={error} /> : null}
      <div className="flex gap-2">
        <Button size="sm" variant="primary" busy={busy} onClick={() => void save()}>
          {t("common.save")}
        </Button>
        <Button size="sm" onClick={onDone}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** `1.2K → 340 tokens · $0.004 · 3.1s`, as far as it is known. */
function Figures({ message }: { message: ChatMessage }) {
  const { t, i18n } = useTranslation();
  const { usage, duration } = message;
  if (message.fromPerson || (usage === null && duration === null)) return null;
  const number = (count: number): string => compact(count, i18n.language);
  const parts = [
    usage ? t("playground.tokens", { input: number(usage.input), output: number(usage.output) }) : null,
    usage ? costText(usage, i18n.language) : null,
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

import { ArrowUp, Paperclip, Play, Square, X } from "lucide-react";
import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ChatEnds } from "@/flow/chatEnds";
import { Button, IconButton } from "@/ui/Button";
import { explainError } from "@/ui/explainError";
import { ProgressBar } from "@/ui/ProgressBar";
import { toastError } from "@/ui/toastError";
import { attachFiles, detach, TooLarge } from "./attachments";
import { type Attachment, chatOf, draftOf, setDraft, useChats } from "./chatStore";
import { sendDraft } from "./retry";
import { isGoing, send, stop } from "./runner";
import type { ChatSource } from "./source";

const none: Attachment[] = [];

export function Composer({
  source,
  session,
  ends,
}: {
  source: ChatSource;
  session: string;
  ends: ChatEnds;
}) {
  const { t } = useTranslation();
  const chat = chatOf(source, session);
  const draft = useChats((state) => state.drafts[chat]) ?? draftOf(chat);
  const attachments = useChats((state) => state.attachments[chat] ?? none);
  const going = useChats((state) => isGoing(state.runs[chat] ?? null));
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const ready = attachments.every((item) => item.path !== null);
  const sendable = !going && ready && (draft.trim() !== "" || attachments.length > 0);

  useEffect(() => {
    const frame = requestAnimationFrame(() => area.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);

  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!sendable) return;
    sendDraft(source, session);
  };

  if (!ends.input) {
    return (
      <div className="flex shrink-0 items-center gap-3 border-t border-line p-3">
        <p className="min-w-0 flex-1 text-xs text-muted">{t("playground.noInput")}</p>
        {going ? (
          <StopButton source={source} session={session} />
        ) : (
          <Button
            variant="primary"
            icon={<Play aria-hidden="true" className="size-4" />}
            onClick={() => void send(source, session, null)}
          >
            {t("playground.run")}
          </Button>
        )}
      </div>
    );
  }

  return (
    <form className="shrink-0 px-3 pt-1 pb-3" onSubmit={submit}>
      <div className="mx-auto max-w-3xl rounded-xl border border-line-strong bg-surface p-1.5 focus-within:border-accent">
        <AttachmentList chat={chat} attachments={attachments} />
        <textarea
          ref={area}
          rows={1}
          aria-label={t("playground.message")}
          placeholder={t("playground.placeholder")}
          className="scroll-thin field-sizing-content block max-h-48 w-full resize-none bg-transparent px-2 py-1.5 text-sm outline-none"
          value={draft}
          onChange={(event) => setDraft(chat, event.target.value)}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0 || !source.takesFiles) return;
            event.preventDefault();
            attachFiles(chat, files);
          }}
          onKeyDown={(event) => {
            // An Enter that ends a composition chooses a word; it does not send.
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        <div className="flex items-center gap-1">
          {source.takesFiles ? (
            <>
              <FilePicker input={picker} onFiles={(files) => attachFiles(chat, files)} />
              <IconButton
                size="sm"
                label={t("playground.attach")}
                icon={<Paperclip className="size-4" />}
                onClick={() => picker.current?.click()}
              />
            </>
          ) : null}
          <span className="min-w-0 flex-1 truncate px-1 text-2xs text-faint">{t("playground.keys")}</span>
          {going ? (
            <StopButton source={source} session={session} />
          ) : (
            <Button
              size="sm"
              type="submit"
              variant="primary"
              aria-disabled={!sendable || undefined}
              icon={<ArrowUp aria-hidden="true" className="size-4" />}
            >
              {t("playground.send")}
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}

function StopButton({ source, session }: { source: ChatSource; session: string }) {
  const { t } = useTranslation();
  const stopping = useChats((state) => state.runs[chatOf(source, session)]?.stopping ?? false);
  return (
    <Button
      size="sm"
      busy={stopping}
      icon={<Square aria-hidden="true" className="size-3 fill-current" />}
      onClick={() => void stop(source, session).catch(toastError)}
    >
      {t("playground.stop")}
    </Button>
  );
}

function FilePicker({
  input,
  onFiles,
}: {
  input: RefObject<HTMLInputElement | null>;
  onFiles: (files: File[]) => void;
}) {
  const { t } = useTranslation();
  return (
    <input
      ref={input}
      type="file"
      multiple
      hidden
      aria-label={t("playground.attach")}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        event.target.value = "";
      }}
    />
  );
}

function AttachmentList({ chat, attachments }: { chat: string; attachments: Attachment[] }) {
  const { t } = useTranslation();
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-1.5 p-1">
      {attachments.map((item) => (
        <li
          key={item.id}
          className="flex max-w-full items-center gap-1.5 rounded-md border border-line bg-sunken py-0.5 pr-0.5 pl-2 text-xs"
        >
          <span className="min-w-0">
            <span className="block truncate">{item.name}</span>
            {item.error ? (
              <span role="alert" className="block text-danger">
                {item.error instanceof TooLarge
                  ? t("playground.tooLarge", { megabytes: item.error.megabytes })
                  : explainError(item.error, t).sentence}
              </span>
            ) : item.path === null ? (
              <ProgressBar value={item.progress} label={t("playground.uploading", { name: item.name })} />
            ) : null}
          </span>
          <IconButton
            size="sm"
            label={t("playground.detach", { name: item.name })}
            icon={<X className="size-3.5" />}
            onClick={() => detach(chat, item.id)}
          />
        </li>
      ))}
    </ul>
  );
}

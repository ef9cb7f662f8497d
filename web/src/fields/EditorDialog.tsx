import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { countWords } from "@/flow/values/prompts";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { HUGE_TEXT } from "./box";
import { CodeArea } from "./CodeArea";
import type { Language } from "./CodeMirrorArea";
import { Island } from "./Island";

/** A text in a large editor. Every change is handed on at once: closing it loses nothing. */
export function EditorDialog({
  title,
  language,
  value,
  readOnly,
  onChange,
  onClose,
  aside,
  hint,
}: {
  title: string;
  language: Language;
  value: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  onClose: () => void;
  aside?: ReactNode;
  hint?: string;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  // Only the text to begin with: what comes back late would undo the letters typed since.
  const [start] = useState(value);
  const first = useRef<HTMLTextAreaElement>(null);
  const [huge] = useState(value.length > HUGE_TEXT);
  const change = (next: string) => {
    setText(next);
    onChange(next);
  };
  return (
    <Island>
      <Dialog
        open
        onClose={onClose}
        title={title}
        size="xl"
        initialFocus={first}
        {...(hint ? { description: hint } : {})}
        footer={
          <>
            <Counts text={text} />
            <Button variant="primary" onClick={onClose}>
              {t("fields.done")}
            </Button>
          </>
        }
      >
        <div className="flex h-[62dvh] min-h-40 gap-4">
          {language === "text" && !huge ? (
            <textarea
              aria-label={title}
              value={text}
              readOnly={readOnly}
              ref={first}
              className="scroll-thin min-w-0 flex-1 resize-none rounded-md border border-line-strong bg-bg px-3 py-2 text-base outline-none focus-visible:border-accent"
              onChange={(event) => change(event.target.value)}
            />
          ) : (
            <CodeArea label={title} language={language} value={start} readOnly={readOnly} onChange={change} focused />
          )}
          {aside ? <div className="scroll-thin w-56 shrink-0 overflow-y-auto max-sm:hidden">{aside}</div> : null}
        </div>
      </Dialog>
    </Island>
  );
}

function Counts({ text }: { text: string }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <p className="mr-auto self-center text-xs text-muted tabular-nums">
      {text.length > HUGE_TEXT
        ? t("fields.charactersOnly", { characters: number.format(text.length) })
        : t("fields.counts", {
            words: number.format(countWords(text)),
            characters: number.format(text.length),
          })}
    </p>
  );
}

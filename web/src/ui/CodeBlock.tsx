import { Check, Copy } from "lucide-react";
import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./Button";
import { copyText } from "./copyText";
import type { Piece } from "./highlighter";
import { toastError } from "./toastError";

/** Longer code is shown without colours: they would hold up the page. */
const longest = 60_000;
/** How often code that is still being written is coloured again. */
const pause = 400;

/** Code with its language, its colours and a button that copies it. */
export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const { t } = useTranslation();
  const pieces = useHighlighted(code, language);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className="ff-code">
      <div className="ff-code-bar">
        <span>{language}</span>
        <IconButton
          size="sm"
          label={copied ? t("common.copied") : t("common.copyCode")}
          icon={copied ? <Check className="size-3.5" /> : <Copy className="size-3.5" />}
          onClick={() => void copyText(code).then(() => setCopied(true), toastError)}
        />
      </div>
      <pre tabIndex={0}>
        <code>{pieces}</code>
      </pre>
    </div>
  );
});

/** What is coloured already stays so while more is written after it. */
function useHighlighted(code: string, language: string): ReactNode {
  const [done, setDone] = useState<{ code: string; pieces: Piece[] } | null>(null);
  const newest = useRef(code);
  const waiting = useRef(false);
  const begun = useRef(false);
  useEffect(() => {
    newest.current = code;
    if (language === "" || code.length > longest || waiting.current) return;
    waiting.current = true;
    const colour = async (): Promise<void> => {
      const { highlight } = await import("./highlighter");
      waiting.current = false;
      const text = newest.current;
      const pieces = highlight(text, language);
      if (pieces) setDone({ code: text, pieces });
    };
    const begin = (): void =>
      void colour().catch(() => {
        // Without colours it can still be read.
        waiting.current = false;
      });
    if (begun.current) setTimeout(begin, pause);
    else whenIdle(begin);
    begun.current = true;
  }, [code, language]);
  if (!done || !code.startsWith(done.code)) return code;
  return (
    <>
      {draw(done.pieces)}
      {code.slice(done.code.length)}
    </>
  );
}

/** Old messages with much code come many at a time; scrolling goes first. */
function whenIdle(run: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 1000 });
  else setTimeout(run, 0);
}

function draw(pieces: Piece[]): ReactNode[] {
  return pieces.map((piece, index) =>
    typeof piece === "string" ? (
      piece
    ) : (
      <span key={index} className={piece.kind}>
        {draw(piece.pieces)}
      </span>
    ),
  );
}

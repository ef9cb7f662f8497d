import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type DiffLine, diffLines } from "@/flow/textDiff";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";

const signs: Record<DiffLine["kind"], string> = { same: " ", removed: "−", added: "+" };
const tones: Record<DiffLine["kind"], string> = {
  same: "text-muted",
  removed: "bg-danger-soft text-danger",
  added: "bg-ok-soft text-ok",
};
const MOST_LINES = 200;

/** Two texts as one, with what went and what came. */
export function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const words = { same: "", removed: t("flow.diff.before"), added: t("flow.diff.after") };
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      className="scroll-thin max-h-72 overflow-auto rounded-md border border-line font-mono text-2xs focus-visible:-outline-offset-2"
    >
      {(all ? lines : lines.slice(0, MOST_LINES)).map((line, index) => (
        <div key={index} className={cx("flex gap-2 px-2 py-px", tones[line.kind])}>
          <span aria-hidden="true" className="shrink-0 select-none">
            {signs[line.kind]}
          </span>
          {line.kind === "same" ? null : <span className="sr-only">{words[line.kind]}</span>}
          <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{line.text}</span>
        </div>
      ))}
      {lines.length > MOST_LINES && !all ? (
        <Button size="sm" className="m-1 font-sans" onClick={() => setAll(true)}>
          {t("runs.moreLines", { count: lines.length - MOST_LINES })}
        </Button>
      ) : null}
    </div>
  );
}

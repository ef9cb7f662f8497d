import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { diffRows } from "./diffRows";
import { valueText } from "./valueText";

const looks = {
  same: { sign: " ", className: "text-muted" },
  removed: { sign: "−", className: "bg-danger-soft text-ink" },
  added: { sign: "+", className: "bg-ok-soft text-ink" },
};

/** What a field had and what it is to get, as a person would write both. */
export function ValueDiff({ before, after, label }: { before: unknown; after: unknown; label: string }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const words = { yes: t("assistant.cards.edits.yes"), no: t("assistant.cards.edits.no") };
  const old = valueText(before, words);
  const next = valueText(after, words);
  const { rows, cut } = useMemo(() => diffRows(old, next, all), [old, next, all]);
  const empty = <span className="text-muted italic">{t("assistant.cards.edits.empty")}</span>;
  const spoken = {
    same: null,
    removed: `${t("assistant.cards.edits.before")}: `,
    added: `${t("assistant.cards.edits.after")}: `,
  };
  return (
    <div className="border-y border-line">
      <div
        role="group"
        aria-label={label}
        tabIndex={all ? 0 : undefined}
        className={cx(
          "py-1 font-mono text-2xs leading-4.5 focus-visible:-outline-offset-2",
          all && "scroll-thin max-h-96 overflow-auto",
        )}
      >
        {old === "" ? (
          <Row kind="removed" spoken={spoken.removed}>
            {empty}
          </Row>
        ) : null}
        {rows.map((row, index) =>
          row.kind === "gap" ? (
            <div key={index} className="px-3 py-px font-sans text-faint">
              ⋯ {t("assistant.cards.edits.unchanged", { count: row.count })}
            </div>
          ) : (
            <Row key={index} kind={row.kind} spoken={spoken[row.kind]}>
              {row.text}
            </Row>
          ),
        )}
        {next === "" ? (
          <Row kind="added" spoken={spoken.added}>
            {empty}
          </Row>
        ) : null}
      </div>
      {cut || all ? (
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={all}
          className="mx-1 mb-1"
          onClick={() => setAll(!all)}
        >
          {all ? t("assistant.cards.showLess") : t("assistant.cards.showMore")}
        </Button>
      ) : null}
    </div>
  );
}

function Row({
  kind,
  spoken,
  children,
}: {
  kind: keyof typeof looks;
  /** For those who see neither sign nor colour. */
  spoken: string | null;
  children: ReactNode;
}) {
  return (
    <div className={cx("flex gap-2 px-3 py-px", looks[kind].className)}>
      <span aria-hidden="true" className="w-2 shrink-0 text-muted select-none">
        {looks[kind].sign}
      </span>
      {spoken ? <span className="sr-only">{spoken}</span> : null}
      <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{children}</span>
    </div>
  );
}

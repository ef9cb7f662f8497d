import { useTranslation } from "react-i18next";
import { cx } from "@/ui/cx";
import { MAX_INPUT } from "../model/protocol";

const SHOWN_FROM = 0.8 * MAX_INPUT;
const FEW = 20;

/** As the server counts: an emoji is one. */
export function lengthOf(text: string): number {
  return text.length <= SHOWN_FROM ? text.length : [...text].length;
}

/** How much more can be written; there only when it comes to that. */
export function Counter({ id, text }: { id: string; text: string }) {
  const { t, i18n } = useTranslation();
  const length = lengthOf(text);
  const left = MAX_INPUT - length;
  const number = new Intl.NumberFormat(i18n.language);
  if (length < SHOWN_FROM) return <span id={id} hidden />;
  return (
    <span id={id} data-testid="assistant-input-counter" className={cx("shrink-0 px-1 text-2xs tabular-nums", left <= FEW ? "font-medium text-danger" : "text-faint")}>
      <span aria-hidden="true">
        {number.format(length)}/{number.format(MAX_INPUT)}
      </span>
      <span className="sr-only" role={left <= FEW ? "status" : undefined}>
        {left < 0 ? t("assistant.input.tooMany", { count: -left }) : t("assistant.input.left", { count: left })}
      </span>
    </span>
  );
}

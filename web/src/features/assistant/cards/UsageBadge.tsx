import { useTranslation } from "react-i18next";
import { durationText, tokensText } from "@/ui/figures";
import type { Ending } from "../model/types";

/** What a turn cost: `1.2K→340 tok · 3.1s`. */
export function UsageBadge({ ending }: { ending: Ending }) {
  const { t, i18n } = useTranslation();
  const { usage, duration_seconds: seconds, provider, model_name: model } = ending;
  const time = durationText(seconds * 1000, i18n.language);
  const number = new Intl.NumberFormat(i18n.language);
  const all = [
    t("assistant.cards.usage.all", {
      input: number.format(usage.input_tokens),
      output: number.format(usage.output_tokens),
      total: number.format(usage.total_tokens),
      time,
    }),
    model ? t("assistant.cards.usage.model", { model: [provider, model].filter(Boolean).join(" · ") }) : null,
  ].filter((part) => part !== null);
  return (
    <span
      role="note"
      aria-label={`${t("assistant.cards.usage.label")}: ${all.join(". ")}`}
      title={all.join("\n")}
      data-testid="assistant-usage"
      className="text-2xs whitespace-nowrap text-faint tabular-nums"
    >
      {t("assistant.cards.usage.tokens", {
        tokens: tokensText({ input: usage.input_tokens, output: usage.output_tokens }, i18n.language),
      })}
      {" · "}
      {time}
    </span>
  );
}

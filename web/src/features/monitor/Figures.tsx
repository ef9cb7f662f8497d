import { useTranslation } from "react-i18next";
import type { Usage } from "@/flow/messages";
import { compactNumber, costText, durationText } from "@/ui/figures";

/** Time, tokens and money of a step, a call or a run. */
export function Figures({ ms, usage }: { ms: number | null; usage: Usage | null }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const parts = [
    ms === null ? null : durationText(ms, language),
    usage
      ? t("runs.tokens", { input: compactNumber(usage.input, language), output: compactNumber(usage.output, language) })
      : null,
    usage?.cost ? costText(usage.cost, language) : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return null;
  const hints = [
    usage?.cached ? t("runs.cached", { amount: compactNumber(usage.cached, language) }) : null,
    usage?.reasoning ? t("runs.thought", { amount: compactNumber(usage.reasoning, language) }) : null,
    usage?.cost ? t("runs.estimate") : null,
  ].filter((part) => part !== null);
  return (
    <span className="text-2xs text-muted tabular-nums" title={hints.join("\n") || undefined}>
      {parts.join(" · ")}
    </span>
  );
}

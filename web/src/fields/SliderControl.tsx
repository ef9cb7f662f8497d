import { useState } from "react";
import { useTranslation } from "react-i18next";
import { text } from "@/flow/json";
import { clamp, numberRules, numberText, readNumber } from "@/flow/values/numbers";
import { cx } from "@/ui/cx";
import { still } from "./box";
import type { ControlProps } from "./props";

/** A slider with the number beside it, for amounts that are not on a step. */
export function SliderControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, place, readOnly, onChange, onLeave } = props;
  const given = numberRules(raw);
  const rules = { ...given, min: given.min ?? 0, max: given.max ?? 1 };
  const shown = numberText(field.value);
  const amount = Number(shown);
  const [typed, setTyped] = useState<string | null>(null);
  const type = (next: string) => {
    setTyped(next);
    const read = readNumber(next, rules);
    if (read.kind === "number") onChange(read.value);
  };
  const wrong = typed !== null && readNumber(typed, rules).kind === "problem";
  const labels = [text(raw.min_label), text(raw.max_label)];
  return (
    <div className={cx(still, "min-w-0 w-full", place === "card" ? "max-w-44" : "")}>
      <div className="flex items-center gap-2">
        <input
          type="range"
          aria-label={label}
          min={rules.min}
          max={rules.max}
          step={rules.step}
          disabled={readOnly}
          value={clamp(Number.isFinite(amount) ? amount : rules.min, rules)}
          className="h-4 min-w-0 flex-1 accent-(--accent)"
          onChange={(event) => {
            setTyped(null);
            onChange(Number(event.target.value));
          }}
          onPointerUp={onLeave}
          onBlur={onLeave}
        />
        <input
          type="text"
          inputMode="decimal"
          aria-label={t("fields.amountOf", { name: label })}
          aria-invalid={wrong || undefined}
          title={wrong ? t("fields.number.between", { min: rules.min, max: rules.max }) : undefined}
          readOnly={readOnly}
          value={typed ?? shown}
          className={cx(
            "h-6 w-12 shrink-0 rounded-sm border bg-bg px-1 text-right tabular-nums aria-invalid:border-danger",
            place === "card" ? "border-transparent hover:border-line focus:border-accent" : "border-line-strong",
          )}
          onChange={(event) => type(event.target.value)}
          onBlur={() => {
            if (!wrong) setTyped(null);
            onLeave();
          }}
        />
      </div>
      {place === "panel" && (labels[0] || labels[1]) ? (
        <p className="mr-14 flex justify-between text-xs text-muted">
          <span>{labels[0]}</span>
          <span>{labels[1]}</span>
        </p>
      ) : null}
      {place === "panel" && wrong ? (
        <p className="mt-1 text-xs text-danger">
          {t("fields.number.between", { min: rules.min, max: rules.max })}
        </p>
      ) : null}
    </div>
  );
}

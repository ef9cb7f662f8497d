import { ChevronDown, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type NumberProblem,
  type NumberRules,
  numberRules,
  numberText,
  readDuration,
  readNumber,
  stepNumber,
} from "@/flow/values/numbers";
import { cx } from "@/ui/cx";
import { bareInput, boxClass } from "./box";
import { Problem, ProblemSign } from "./Problem";
import type { ControlProps } from "./props";
import { useOwn } from "./useDraft";

/** A number as text, so that nothing typed is lost; only what is a number is handed on. */
export function NumberControl(props: ControlProps) {
  const { field, raw, onChange } = props;
  return (
    <NumberBox
      {...props}
      text={numberText(field.value)}
      rules={numberRules(raw)}
      onNumber={(value) => onChange(value ?? "")}
    />
  );
}

export function NumberBox(
  props: ControlProps & {
    text: string;
    rules: NumberRules;
    onNumber: (value: number | null) => void;
    className?: string;
  },
) {
  const { field, label, place, readOnly, text, rules, onNumber, onLeave, className } = props;
  const explain = useExplain(rules);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { own: typed, hold, drop } = useOwn<string>(text);
  const [focused, setFocused] = useState(false);
  const read = readNumber(typed ?? text, rules);
  const problem = read.kind === "problem" ? explain(read.problem) : null;

  const type = (next: string) => {
    const found = readNumber(next, rules);
    hold(next, found.kind === "number" ? String(found.value) : found.kind === "empty" ? "" : text);
    if (found.kind === "number") onNumber(found.value);
    else if (found.kind === "empty") onNumber(null);
  };
  const step = (steps: number) => {
    if (readOnly) return;
    const next = stepNumber(typed ?? text, rules, steps);
    hold(String(next), String(next));
    onNumber(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(event.shiftKey ? by * 10 : by);
  };
  return (
    <div className={cx("min-w-0", className ?? (props.shape === "inline" ? "w-32" : "w-full"))}>
      <div ref={box} className={cx(boxClass(props), "group/number")} aria-invalid={problem ? true : undefined}>
        <input
          type="text"
          inputMode={rules.integer ? "numeric" : "decimal"}
          role="spinbutton"
          aria-label={label}
          aria-valuenow={read.kind === "number" ? read.value : undefined}
          aria-valuetext={read.kind === "number" ? undefined : (typed ?? text)}
          aria-valuemin={rules.min ?? undefined}
          aria-valuemax={rules.max ?? undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
          placeholder={field.placeholder}
          value={typed ?? text}
          readOnly={readOnly}
          autoComplete="off"
          className={cx(bareInput, "tabular-nums")}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => {
            setFocused(false);
            // Text that is no number stays to be mended.
            if (read.kind !== "problem") drop();
            onLeave();
          }}
        />
        {problem ? <ProblemSign text={problem} /> : null}
        {readOnly ? null : <Steps onStep={step} />}
      </div>
      {problem ? <Problem id={id} text={problem} place={place} anchor={box} bubble={focused} /> : null}
    </div>
  );
}

/** For the mouse; the keyboard has the arrows. */
function Steps({ onStep }: { onStep: (steps: number) => void }) {
  return (
    <span aria-hidden="true" className="mr-0.5 flex shrink-0 flex-col text-faint">
      {([1, -1] as const).map((steps) => (
        <button
          key={steps}
          type="button"
          tabIndex={-1}
          className="flex h-3 w-4 items-center justify-center rounded-sm hover:bg-hover hover:text-ink"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onStep(steps)}
        >
          {steps > 0 ? <ChevronUp className="size-3" /> : <ChevronDown className="size-3" />}
        </button>
      ))}
    </span>
  );
}

function useExplain(rules: NumberRules): (problem: NumberProblem) => string {
  const { t } = useTranslation();
  return (problem) => {
    switch (problem) {
      case "not_a_number":
        return t("fields.number.notANumber");
      case "not_whole":
        return t("fields.number.notWhole");
      case "too_small":
        return t("fields.number.tooSmall", { min: rules.min });
      case "too_large":
        return t("fields.number.tooLarge", { max: rules.max });
    }
  };
}

/** An amount and its unit. */
export function DurationControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, place, readOnly, onChange, onLeave } = props;
  const duration = readDuration(field.value, field.options);
  const units = field.options.includes(duration.unit) || duration.unit === "" ? field.options : [...field.options, duration.unit];
  return (
    <div className="flex min-w-0 items-start gap-1">
      <NumberBox
        {...props}
        className={place === "panel" ? "flex-1" : "w-16"}
        text={numberText(duration.value)}
        rules={{ integer: false, min: 0, max: null, step: 1 }}
        onNumber={(value) => onChange({ value, unit: duration.unit })}
      />
      <select
        aria-label={t("fields.unitOf", { name: label })}
        value={duration.unit}
        disabled={readOnly}
        className={cx(boxClass({ ...props, shape: "inline" }), "w-auto! px-1.5 outline-none")}
        onChange={(event) => {
          onChange({ value: duration.value, unit: event.target.value });
          onLeave();
        }}
      >
        {units.map((unit) => (
          <option key={unit} value={unit}>
            {unit}
          </option>
        ))}
      </select>
    </div>
  );
}

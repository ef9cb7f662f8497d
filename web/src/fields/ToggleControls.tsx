import { type KeyboardEvent, useRef } from "react";
import { scalarText } from "@/flow/json";
import { isOn } from "@/flow/values/tables";
import { cx } from "@/ui/cx";
import { boxClass, still } from "./box";
import type { ControlProps } from "./props";

export function BoolControl({ field, label, readOnly, onChange, onLeave }: ControlProps) {
  return (
    <Toggle
      on={isOn(field.value)}
      label={label}
      disabled={readOnly}
      onChange={(on) => {
        onChange(on);
        onLeave();
      }}
    />
  );
}

/** The browser's checkbox drawn as a switch: hundreds of them cost nothing. */
export function Toggle({
  on,
  label,
  disabled = false,
  onChange,
}: {
  on: boolean;
  label: string;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <span className={cx(still, "relative inline-flex h-5 w-9 shrink-0")}>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        aria-checked={on}
        checked={on}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="peer size-full cursor-pointer appearance-none rounded-full border border-faint bg-sunken transition-colors checked:border-accent checked:bg-accent disabled:cursor-not-allowed disabled:opacity-55"
      />
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-[3px] left-[3px] size-3.5 rounded-full bg-faint transition-transform peer-checked:translate-x-4 peer-checked:bg-on-accent"
      />
    </span>
  );
}

/** A few options side by side, of which one is chosen. */
export function TabControl(props: ControlProps) {
  const { field, label, readOnly, onChange, onLeave } = props;
  const group = useRef<HTMLDivElement>(null);
  const selected = scalarText(field.value);
  const options = field.options.includes(selected) || selected === "" ? field.options : [...field.options, selected];
  const choose = (option: string) => {
    if (readOnly || option === selected) return;
    onChange(option);
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = (Math.max(0, options.indexOf(selected)) + by + options.length) % options.length;
    const option = options[next];
    if (option !== undefined) choose(option);
    group.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      className={cx(boxClass(props), "gap-0.5 overflow-hidden p-0.5")}
    >
      {options.map((option, index) => (
        <button
          key={option}
          type="button"
          role="radio"
          aria-checked={option === selected}
          disabled={readOnly}
          tabIndex={option === selected || (index === 0 && !options.includes(selected)) ? 0 : -1}
          title={option}
          className={cx(
            "h-full min-w-0 flex-1 truncate rounded-sm px-1.5 focus-visible:outline-offset-[-2px]",
            option === selected ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-hover hover:text-ink",
          )}
          onClick={() => choose(option)}
          onKeyDown={onKeyDown}
        >
          {option}
        </button>
      ))}
    </div>
  );
}

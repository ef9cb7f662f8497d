import { ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { inputClass } from "./Field";

export interface SelectOption<V extends string> {
  value: V;
  label: string;
}

export interface SelectProps<V extends string> {
  value: V;
  onChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  disabled?: boolean;
  className?: string;
  icon?: ReactNode;
}

/** The browser's own select: it knows every keyboard, screen reader and phone already. */
export function Select<V extends string>({ value, onChange, options, className, icon, ...rest }: SelectProps<V>) {
  return (
    <span className={cx("relative inline-flex items-center", className ?? "w-full")}>
      {icon ? <span className="pointer-events-none absolute left-2.5 flex">{icon}</span> : null}
      <select
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
        className={cx(inputClass, "select-plain truncate pr-7", icon ? "pl-8" : null)}
        {...rest}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronsUpDown
        aria-hidden="true"
        className="pointer-events-none absolute right-2 size-3.5 text-faint"
      />
    </span>
  );
}

import { Check, Minus } from "lucide-react";
import { cx } from "./cx";

export interface CheckboxProps {
  checked: boolean;
  indeterminate?: boolean;
  onChange: (checked: boolean, event: Event) => void;
  "aria-label"?: string;
  id?: string;
  disabled?: boolean;
  className?: string;
}

export function Checkbox({ checked, indeterminate = false, onChange, className, ...rest }: CheckboxProps) {
  const on = checked || indeterminate;
  const Mark = indeterminate ? Minus : Check;
  return (
    <span className={cx("relative inline-flex size-4 shrink-0", className)}>
      <input
        type="checkbox"
        checked={checked}
        ref={(box) => {
          if (box) box.indeterminate = indeterminate;
        }}
        onChange={(event) => onChange(event.target.checked, event.nativeEvent)}
        className={cx(
          "size-4 cursor-pointer appearance-none rounded-sm border",
          on ? "border-accent bg-accent" : "border-faint bg-surface",
        )}
        {...rest}
      />
      {on ? (
        <Mark
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto size-3 text-on-accent"
        />
      ) : null}
    </span>
  );
}

import { type ReactNode, useId } from "react";
import { cx } from "@/ui/cx";

export interface Choice<V extends string> {
  value: V;
  label: string;
  lang?: string;
  picture?: ReactNode;
}

/** Radio buttons drawn as tiles. */
export function Choices<V extends string>({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly Choice<V>[];
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-wrap gap-3">
        {options.map((option) => (
          <label
            key={option.value}
            {...(option.lang ? { lang: option.lang } : {})}
            className={cx(
              "flex min-w-32 cursor-pointer flex-col gap-2 rounded-lg border p-2 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              value === option.value ? "border-accent bg-accent-soft" : "border-line hover:border-line-strong",
            )}
          >
            {option.picture}
            <span className="flex items-center gap-2 px-1">
              <input
                type="radio"
                name={name}
                className="accent-accent outline-none"
                checked={value === option.value}
                onChange={() => onChange(option.value)}
              />
              {option.label}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

import { type ComponentProps, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "./cx";

export const inputClass =
  "h-(--control-h) w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink transition-colors hover:border-faint aria-invalid:border-danger disabled:opacity-60 focus-visible:outline-offset-0";

export function Input({ className, type = "text", ...rest }: ComponentProps<"input">) {
  return <input type={type} className={cx(inputClass, className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea className={cx(inputClass, "h-auto min-h-20 py-1.5", className)} {...rest} />;
}

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  required?: boolean;
  optional?: boolean;
  className?: string;
  children: (control: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
    required: boolean;
  }) => ReactNode;
}

/** A label, a control and the sentence under it; the sentence's line is there before the error is. */
export function Field({ label, hint, error, required = false, optional, className, children }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cx("space-y-1", className)}>
      <label htmlFor={id} className="flex gap-1.5 text-sm font-medium">
        {label}
        {required ? (
          <span aria-hidden="true" className="text-danger">
            *
          </span>
        ) : null}
        {optional ? <span className="font-normal text-faint">{t("common.optional")}</span> : null}
      </label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": error ? true : undefined,
        required,
      })}
      {note ? (
        <p id={`${id}-note`} className={cx("text-xs", error ? "text-danger" : "text-muted")}>
          {note}
        </p>
      ) : null}
    </div>
  );
}

import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx";
import { Spinner } from "./Spinner";
import { Tooltip } from "./Tooltip";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
type Size = "md" | "sm";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  secondary: "bg-surface text-ink border-line-strong hover:bg-hover",
  ghost: "bg-transparent text-ink border-transparent hover:bg-hover",
  danger: "bg-danger text-on-danger border-transparent hover:bg-danger-strong",
};

export function buttonClass(variant: ButtonVariant = "secondary", size: Size = "md"): string {
  return cx(
    "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none",
    "transition-colors disabled:opacity-55 aria-disabled:opacity-55 aria-disabled:cursor-not-allowed",
    size === "md" ? "h-(--control-h) px-3 text-sm" : "h-7 px-2 text-xs",
    variants[variant],
  );
}

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: Size;
  icon?: ReactNode;
  /** Shows a spinner and ignores presses, but keeps the focus where it is. */
  busy?: boolean;
}

export function Button({
  variant = "secondary",
  size = "md",
  icon,
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cx(buttonClass(variant, size), className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  label: string;
  icon: ReactNode;
  /** Shown after the label in the tooltip. */
  shortcut?: string;
  variant?: ButtonVariant;
  size?: Size;
  tooltip?: boolean;
}

export function IconButton({
  label,
  icon,
  shortcut,
  variant = "ghost",
  size = "md",
  tooltip = true,
  className,
  type = "button",
  ...rest
}: IconButtonProps) {
  const button = (
    <button
      type={type}
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-md border transition-colors disabled:opacity-55",
        variants[variant],
        variant === "ghost" && "text-muted hover:text-ink",
        size === "md" ? "size-(--control-h)" : "size-7",
        className,
      )}
      {...rest}
    >
      {icon}
    </button>
  );
  if (!tooltip) return button;
  return (
    <Tooltip label={label} {...(shortcut ? { shortcut } : {})}>
      {button}
    </Tooltip>
  );
}

import { ChevronRight } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { cx } from "@/ui/cx";

/** The frame of everything in a message that can be acted on. It can hold the focus when its buttons go. */
export function Card({
  label,
  testId,
  look = "plain",
  ref,
  children,
}: {
  label: string;
  testId: string;
  /** `open`: it waits to be changed. */
  look?: "plain" | "open";
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}) {
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label={label}
      data-testid={testId}
      className={cx(
        "min-w-0 overflow-hidden rounded-lg border bg-surface text-xs",
        look === "open" ? "border-dashed border-line-strong" : "border-line",
      )}
    >
      {children}
    </section>
  );
}

/** What a card is, in one line: a sign, a name, and what is to be known about it. */
export function CardHead({
  icon,
  title,
  muted = false,
  children,
}: {
  icon: ReactNode;
  title: ReactNode;
  /** It is over and done with. */
  muted?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
      <span aria-hidden="true" className={cx("flex shrink-0 *:size-4", muted ? "text-faint" : "text-accent")}>
        {icon}
      </span>
      <span className={cx("min-w-0 text-sm font-medium break-words", muted ? "text-muted" : "text-ink")}>{title}</span>
      {children}
    </div>
  );
}

/** The row of buttons below a card. */
export function CardFoot({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-t border-line px-3 py-2">{children}</div>
  );
}

/** Something that is only looked at when wanted. */
export function Fold({
  title,
  testId,
  open = false,
  children,
}: {
  title: ReactNode;
  testId?: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={open} data-testid={testId} className="group/fold text-xs">
      <summary className="flex w-fit max-w-full list-none items-center gap-1 rounded-sm text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 transition-transform group-open/fold:rotate-90"
        />
        <span className="min-w-0 break-words">{title}</span>
      </summary>
      <div className="mt-1 ml-4.5">{children}</div>
    </details>
  );
}

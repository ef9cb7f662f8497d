import { portLook } from "@/flow/portTypes";
import { cx } from "@/ui/cx";

// In the light theme these colours are too dark for a dark letter.
const DARK = new Set(["message", "json", "model"]);

/** A type's colour and letter, as its ports have them. */
export function TypeDot({ type, className }: { type: string; className?: string }) {
  const { key, letter } = portLook(type);
  return (
    <span
      aria-hidden="true"
      className={cx(
        "inline-flex size-3.5 shrink-0 items-center justify-center rounded-full text-[9px] leading-none font-bold",
        DARK.has(key) ? "text-[#ffffff] dark:text-[#111318]" : "text-[#111318]",
        className,
      )}
      style={{ backgroundColor: `var(--type-${key})` }}
    >
      {letter}
    </span>
  );
}

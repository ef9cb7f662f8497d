import { CopyButton } from "@/ui/CopyButton";
import { cx } from "@/ui/cx";

export function CodeBlock({
  code,
  label,
  caption,
  className,
}: {
  code: string;
  label: string;
  caption?: string;
  className?: string;
}) {
  return (
    <div className="rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3">
        <p className="min-w-0 text-xs text-muted">{caption ?? label}</p>
        <CopyButton text={code} size="sm" />
      </div>
      <pre
        // What scrolls must be reachable by keyboard.
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx("scroll-thin overflow-auto rounded-b-lg p-3 font-mono text-xs leading-relaxed text-ink", className)}
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}

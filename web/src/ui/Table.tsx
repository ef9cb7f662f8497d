import type { ReactNode } from "react";
import { cx } from "./cx";

export function Table({ label, head, children }: { label: string; head: ReactNode; children: ReactNode }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line bg-surface">
      <table aria-label={label} className="w-full text-left text-sm">
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** `hidden` keeps the heading for screen readers only. */
export function Th({ children, className, hidden }: { children: ReactNode; className?: string; hidden?: boolean }) {
  return (
    <th scope="col" className={cx("h-9 px-3 text-xs font-medium whitespace-nowrap text-muted", className)}>
      {hidden ? <span className="sr-only">{children}</span> : children}
    </th>
  );
}

export function Td({ children, className }: { children: ReactNode; className?: string }) {
  return <td className={cx("h-(--row-h) px-3", className)}>{children}</td>;
}

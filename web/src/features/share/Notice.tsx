import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

export function Notice({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div role="note" className="flex flex-wrap items-center gap-3 rounded-lg border border-warn/40 bg-warn-soft p-3 text-sm">
      <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warn" />
      <div className="min-w-48 flex-1">{children}</div>
      {action}
    </div>
  );
}

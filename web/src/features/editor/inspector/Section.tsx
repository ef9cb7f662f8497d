import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-3">
      <h4 className="mb-2 text-xs font-semibold text-muted">{title}</h4>
      {children}
    </section>
  );
}

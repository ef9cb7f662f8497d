import type { ReactNode } from "react";

export function EmptyState({
  icon,
  title,
  children,
  actions,
  heading: Heading = "h2",
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** "h1" where it is all that the page shows. */
  heading?: "h1" | "h2";
}) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-16 text-center">
      <div className="mb-4 flex size-12 items-center justify-center rounded-xl border border-line bg-surface text-muted *:size-5">
        {icon}
      </div>
      <Heading className="text-lg font-semibold">{title}</Heading>
      {children ? <div className="mt-1 text-sm text-muted">{children}</div> : null}
      {actions ? <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

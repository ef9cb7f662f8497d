import { Kbd } from "./Kbd";

export interface ShortcutListProps {
  groups: { title: string; rows: { id: string; label: string; keys: readonly string[] }[] }[];
  /** Said where a shortcut has no keys. */
  none: string;
}

export function ShortcutList({ groups, none }: ShortcutListProps) {
  return (
    <div className="gap-8 space-y-6 sm:columns-2">
      {groups.map((group) => (
        <section key={group.title} className="break-inside-avoid-column">
          <h2 className="mb-1 text-xs font-semibold text-muted">{group.title}</h2>
          <dl>
            {group.rows.map((row) => (
              <div
                key={row.id}
                className="flex min-h-8 break-inside-avoid items-center justify-between gap-4 border-b border-line last:border-0"
              >
                <dt>{row.label}</dt>
                <dd className="flex shrink-0 gap-2">
                  {row.keys.length === 0 ? <span className="text-xs text-muted">{none}</span> : null}
                  {row.keys.map((keys) => (
                    <Kbd key={keys} keys={keys} />
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

import { Kbd } from "./Kbd";

export interface ShortcutListProps {
  groups: { title: string; rows: { label: string; keys: string }[] }[];
}

export function ShortcutList({ groups }: ShortcutListProps) {
  return (
    <div className="gap-8 space-y-6 sm:columns-2">
      {groups.map((group) => (
        <section key={group.title} className="break-inside-avoid">
          <h2 className="mb-1 text-xs font-semibold text-muted">{group.title}</h2>
          <dl>
            {group.rows.map((row) => (
              <div
                key={`${row.label}${row.keys}`}
                className="flex min-h-8 items-center justify-between gap-4 border-b border-line last:border-0"
              >
                <dt>{row.label}</dt>
                <dd>
                  <Kbd keys={row.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

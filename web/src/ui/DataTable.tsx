import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cellText, type Grid, sortedRows } from "@/flow/jsonTree";
import { cx } from "./cx";
import { useWindowed } from "./useWindowed";

const ROW = 28;
const VIEW = 360;

/** A table of values: sorted by its headings, only the rows in view are drawn. */
export function DataTable({ grid, label }: { grid: Grid; label: string }) {
  const { t, i18n } = useTranslation();
  const [sort, setSort] = useState<{ column: number; down: boolean } | null>(null);
  const order = useMemo(
    () =>
      sort === null
        ? grid.rows.map((_, index) => index)
        : sortedRows(grid, sort.column, sort.down, i18n.language),
    [grid, sort, i18n.language],
  );
  const view = useWindowed(order.length, ROW, VIEW);
  const press = (column: number): void =>
    setSort((now) =>
      now?.column !== column ? { column, down: false } : now.down ? null : { column, down: true },
    );
  return (
    <div
      role="group"
      aria-label={label}
      tabIndex={0}
      onScroll={view.onScroll}
      className="scroll-thin max-h-90 overflow-auto rounded-md border border-line bg-surface"
    >
      <table aria-label={label} aria-rowcount={order.length + 1} className="w-full text-left text-xs">
        <thead className="sticky top-0 z-10 bg-sunken">
          <tr>
            <th scope="col" className="w-0 px-2 text-right font-normal text-faint">
              <span className="sr-only">{t("runs.value.row")}</span>
            </th>
            {grid.columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                aria-sort={sort?.column !== index ? "none" : sort.down ? "descending" : "ascending"}
                className="p-0 font-medium whitespace-nowrap"
              >
                <button
                  type="button"
                  onClick={() => press(index)}
                  className="flex h-7 w-full items-center gap-1 px-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
                >
                  {column}
                  {sort?.column !== index ? null : sort.down ? (
                    <ArrowDown aria-hidden="true" className="size-3" />
                  ) : (
                    <ArrowUp aria-hidden="true" className="size-3" />
                  )}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.before > 0 ? <Gap height={view.before} /> : null}
          {order.slice(view.from, view.to).map((row, index) => (
            <tr
              key={row}
              aria-rowindex={view.from + index + 2}
              style={{ height: ROW }}
              className="border-t border-line"
            >
              <td className="px-2 text-right text-faint tabular-nums">{row + 1}</td>
              {grid.columns.map((column, cell) => (
                <Cell key={column} value={grid.rows[row]?.[cell]} />
              ))}
            </tr>
          ))}
          {view.after > 0 ? <Gap height={view.after} /> : null}
        </tbody>
      </table>
    </div>
  );
}

function Gap({ height }: { height: number }) {
  return (
    <tr aria-hidden="true" style={{ height }}>
      <td className="p-0">{""}</td>
    </tr>
  );
}

function Cell({ value }: { value: unknown }) {
  const text = cellText(value);
  return (
    <td
      title={text.length > 40 ? text.slice(0, 2000) : undefined}
      className={cx(
        "max-w-80 truncate px-2",
        typeof value === "number" && "text-right tabular-nums",
        typeof value === "object" && "font-mono text-2xs",
      )}
    >
      {text.slice(0, 400)}
    </td>
  );
}

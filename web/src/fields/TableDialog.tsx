import { Copy, Plus, Trash2 } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { JsonRecord } from "@/flow/json";
import { insertAt, removeAt } from "@/flow/values/lists";
import { newRow, pasteSheet, readSheet, setCell, tableColumns, tableRows } from "@/flow/values/tables";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { smallButton } from "./box";
import { Island } from "./Island";
import type { ControlProps } from "./props";
import { TableCell } from "./TableCell";

const PAGE = 100;

export default function TableDialog(props: ControlProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { field, raw, label, readOnly, onChange, onLeave, onClose } = props;
  const rows = tableRows(field.value);
  const columns = tableColumns(raw.table_schema, rows);
  const [shown, setShown] = useState(PAGE);
  const grid = useRef<HTMLTableElement>(null);
  const close = () => {
    onLeave();
    onClose();
  };
  const save = (next: JsonRecord[]) => onChange(next);
  const done = (next: JsonRecord[]) => {
    save(next);
    onLeave();
  };
  const focus = (row: number, column: number) =>
    requestAnimationFrame(() =>
      grid.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus(),
    );
  const add = (at: number, row: JsonRecord = newRow(columns)) => {
    done(insertAt(rows, at, row));
    setShown((now) => Math.max(now, at + 1));
    focus(at, 0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [row, column] = cellOf(event.target) ?? [];
    if (row === undefined || column === undefined || event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !readOnly) add(row + 1);
    else if (event.key === "Enter" && !event.shiftKey && row === rows.length - 1 && !readOnly) add(row + 1);
    // In a cell of several lines the arrows and Shift+Enter are the text's own.
    else if (event.target instanceof HTMLTextAreaElement && (event.key !== "Enter" || event.shiftKey)) return;
    else if (event.key === "Enter" || event.key === "ArrowDown") focus(row + 1, column);
    else if (event.key === "ArrowUp") focus(row - 1, column);
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent) => {
    const at = cellOf(event.target);
    const cells = readSheet(event.clipboardData.getData("text/plain"));
    if (!at || !cells || readOnly) return;
    event.preventDefault();
    const [row, column] = at;
    done(pasteSheet(rows, columns, { row, column }, cells));
    setShown((now) => Math.max(now, row + cells.length));
  };
  return (
    <Island>
      <Dialog
        open
        onClose={close}
        title={label}
        size="xl"
        description={readOnly ? null : t("fields.table.hint")}
        footer={
          <>
            {readOnly ? null : (
              <Button
                className="mr-auto"
                icon={<Plus aria-hidden="true" className="size-4" />}
                onClick={() => add(rows.length)}
              >
                {t("fields.table.add")}
              </Button>
            )}
            <Button variant="primary" onClick={close}>
              {t("fields.done")}
            </Button>
          </>
        }
      >
        {columns.length === 0 ? (
          <p className="text-muted">{t("fields.table.noColumns")}</p>
        ) : (
          <div
            role="presentation"
            className="scroll-thin max-h-[56dvh] overflow-auto rounded-md border border-line"
            onKeyDown={onKeyDown}
            onPaste={onPaste}
          >
            <table ref={grid} aria-label={label} className="w-full border-collapse text-sm">
              <thead className="sticky top-0 z-10 bg-sunken text-left text-xs text-muted">
                <tr>
                  <th scope="col" className="w-10 px-2 py-1.5 text-right font-medium">
                    <span aria-hidden="true">#</span>
                    <span className="sr-only">{t("fields.table.number")}</span>
                  </th>
                  {columns.map((column) => (
                    <th key={column.name} scope="col" title={column.help || undefined} className="px-2 py-1.5 font-medium">
                      {column.label}
                    </th>
                  ))}
                  <th scope="col" className="w-16">
                    <span className="sr-only">{t("fields.table.actions")}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, shown).map((row, index) => (
                  <tr key={index} className="border-t border-line">
                    <td className="px-2 text-right text-xs text-faint tabular-nums">{index + 1}</td>
                    {columns.map((column, at) => (
                      <td key={column.name} className="min-w-24 p-0 align-top">
                        <TableCell
                          id={`${index}:${at}`}
                          value={row[column.name]}
                          column={column}
                          label={t("fields.table.cell", { column: column.label, row: index + 1 })}
                          readOnly={readOnly || column.readOnly}
                          onChange={(typed) => save(setCell(rows, index, column, typed))}
                          onLeave={onLeave}
                        />
                      </td>
                    ))}
                    <td className="p-1">
                      {readOnly ? null : (
                        <span className="flex justify-end">
                          <button
                            type="button"
                            className={smallButton}
                            aria-label={t("fields.table.duplicate", { row: index + 1 })}
                            onClick={() => add(index + 1, { ...row })}
                          >
                            <Copy aria-hidden="true" className="size-3.5" />
                          </button>
                          <button
                            type="button"
                            className={smallButton}
                            aria-label={t("fields.table.delete", { row: index + 1 })}
                            onClick={() => {
                              done(removeAt(rows, index));
                              focus(Math.max(0, index - 1), 0);
                            }}
                          >
                            <Trash2 aria-hidden="true" className="size-3.5" />
                          </button>
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {rows.length === 0 ? <p className="px-3 py-4 text-center text-muted">{t("fields.table.none")}</p> : null}
            {rows.length > shown ? (
              <Button variant="ghost" className="w-full" onClick={() => setShown(shown + PAGE)}>
                {t("fields.table.more", { count: rows.length - shown })}
              </Button>
            ) : null}
          </div>
        )}
      </Dialog>
    </Island>
  );
}

function cellOf(target: EventTarget): [number, number] | null {
  const [row, column] = (target instanceof HTMLElement ? (target.dataset.cell ?? "") : "").split(":");
  return row && column ? [Number(row), Number(column)] : null;
}

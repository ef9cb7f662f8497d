import { Table2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { text } from "@/flow/json";
import { tableRows } from "@/flow/values/tables";
import { part } from "@/lib/part";
import { OpenButton } from "./CodeControl";
import { JsonControl } from "./JsonControl";
import type { ControlProps } from "./props";

const TableDialog = lazy(() => part(() => import("./TableDialog")));

/** Rows and columns, edited in a dialog. */
export function TableControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw } = props;
  const [open, setOpen] = useState(false);
  const rows = tableRows(field.value);
  const strange = Array.isArray(field.value) ? rows.length !== field.value.length : Boolean(field.value);
  if (strange) return <JsonControl {...props} />;
  return (
    <>
      <OpenButton {...props} onOpen={() => setOpen(true)} empty={rows.length === 0}>
        <Table2 aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="truncate">
          {rows.length === 0
            ? text(raw.trigger_text) || t("fields.table.empty")
            : t("flow.value.rows", { count: rows.length })}
        </span>
      </OpenButton>
      {open ? (
        <Suspense>
          <TableDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

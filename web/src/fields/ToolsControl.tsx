import { Wrench } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { toolRows } from "@/flow/values/choices";
import { part } from "@/lib/part";
import { cx } from "@/ui/cx";
import { boxClass } from "./box";
import type { ControlProps } from "./props";

const ToolsDialog = lazy(() => part(() => import("./ToolsDialog")));
const SHOWN = 3;

/** What an agent may use of this node. */
export function ToolsControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label } = props;
  const [open, setOpen] = useState(false);
  const rows = toolRows(field.value);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        className={cx(boxClass({ ...props, readOnly: false }), "gap-1.5 overflow-hidden px-2 text-left hover:bg-hover")}
        onClick={() => setOpen(true)}
      >
        <span className="sr-only">{label}</span>
        <Wrench aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
        {rows.length === 0 ? <span className="truncate text-faint">{t("fields.tools.none")}</span> : null}
        {rows.slice(0, SHOWN).map((row) => (
          <span
            key={row.index}
            className={cx("truncate rounded-sm bg-sunken px-1.5", row.on ? "text-ink" : "text-faint line-through")}
          >
            {row.name || row.usualName}
          </span>
        ))}
        {rows.length > SHOWN ? (
          <span className="shrink-0 text-muted">{t("flow.value.more", { count: rows.length - SHOWN })}</span>
        ) : null}
      </button>
      {open ? (
        <Suspense>
          <ToolsDialog {...props} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

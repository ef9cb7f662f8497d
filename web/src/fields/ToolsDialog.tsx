import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { changeTool, toolNameFits, type ToolRow, toolRows } from "@/flow/values/choices";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, Input, Textarea } from "@/ui/Field";
import { smallButton } from "./box";
import { RefreshButton } from "./ChoiceControl";
import { Island } from "./Island";
import type { ControlProps } from "./props";
import { Toggle } from "./ToggleControls";
import { useDraft } from "./useDraft";

type Change = Parameters<typeof changeTool>[2];

export default function ToolsDialog(props: ControlProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { field, raw, label, readOnly, onChange, onLeave, onClose } = props;
  const rows = toolRows(field.value);
  const close = () => {
    onLeave();
    onClose();
  };
  return (
    <Island>
      <Dialog
        open
        onClose={close}
        title={label}
        description={t("fields.tools.hint")}
        size="lg"
        footer={
          <>
            {raw.real_time_refresh === true && !readOnly ? (
              <span className="mr-auto">
                <RefreshButton {...props} />
              </span>
            ) : null}
            <Button variant="primary" onClick={close}>
              {t("fields.done")}
            </Button>
          </>
        }
      >
        {rows.length === 0 ? <p className="text-muted">{t("fields.tools.empty")}</p> : null}
        <ul className="space-y-3">
          {rows.map((row) => (
            <Tool
              key={row.tags[0] ?? row.index}
              row={row}
              readOnly={readOnly}
              onLeave={onLeave}
              onChange={(change) => onChange(changeTool(field.value, row.index, change))}
            />
          ))}
        </ul>
      </Dialog>
    </Island>
  );
}

function Tool({
  row,
  readOnly,
  onChange,
  onLeave,
}: {
  row: ToolRow;
  readOnly: boolean;
  onChange: (change: Change) => void;
  onLeave: () => void;
}) {
  const { t } = useTranslation();
  const name = useDraft(row.name, (next) => onChange({ name: next }), onLeave);
  const description = useDraft(row.description, (next) => onChange({ description: next }), onLeave);
  const fixed = readOnly || row.readOnly;
  const shown = row.name || row.usualName;
  const set = (change: Change) => {
    onChange(change);
    onLeave();
  };
  return (
    <li className="space-y-3 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <span className="min-w-0 flex-1 truncate font-mono text-sm font-semibold">{shown}</span>
        <span className="flex items-center gap-2 text-xs text-muted">
          {t("fields.tools.on")}
          <Toggle on={row.on} label={t("fields.tools.use", { name: shown })} disabled={readOnly} onChange={(on) => set({ on })} />
        </span>
        <span className="flex items-center gap-2 text-xs text-muted">
          {t("fields.tools.approval")}
          <Toggle
            on={row.approval}
            label={t("fields.tools.ask", { name: shown })}
            disabled={readOnly || !row.on}
            onChange={(approval) => set({ approval })}
          />
        </span>
      </div>
      <Field
        label={t("fields.tools.name")}
        error={name.text !== "" && !toolNameFits(name.text) ? t("fields.tools.nameWrong") : null}
      >
        {({ required: _, ...control }) => (
          <Restorable changed={row.name !== row.usualName && !fixed} onRestore={() => set({ name: row.usualName })}>
            <Input
              {...control}
              className="font-mono"
              readOnly={fixed}
              spellCheck={false}
              value={name.text}
              onFocus={name.onFocus}
              onChange={(event) => name.onType(event.target.value)}
              onBlur={name.onBlur}
            />
          </Restorable>
        )}
      </Field>
      <Field label={t("fields.tools.description")} hint={t("fields.tools.descriptionHint")}>
        {({ required: _, ...control }) => (
          <Restorable
            changed={row.usualDescription !== "" && row.description !== row.usualDescription && !fixed}
            onRestore={() => set({ description: row.usualDescription })}
          >
            <Textarea
              {...control}
              rows={3}
              readOnly={fixed}
              value={description.text}
              onFocus={description.onFocus}
              onChange={(event) => description.onType(event.target.value)}
              onBlur={description.onBlur}
            />
          </Restorable>
        )}
      </Field>
    </li>
  );
}

function Restorable({
  changed,
  onRestore,
  children,
}: {
  changed: boolean;
  onRestore: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex items-start gap-1">
      {children}
      <button
        type="button"
        className={smallButton}
        disabled={!changed}
        aria-label={t("fields.tools.restore")}
        title={t("fields.tools.restore")}
        onClick={onRestore}
      >
        <RotateCcw aria-hidden="true" className="size-3.5" />
      </button>
    </div>
  );
}

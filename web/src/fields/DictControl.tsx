import { Braces, ListTree, Plus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isEmptyValue, toJson } from "@/flow/json";
import { type DictRow, dictProblem, dictRows, dictShape, dictValue, withText } from "@/flow/values/dicts";
import { removeAt, replaceAt } from "@/flow/values/lists";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Dialog } from "@/ui/Dialog";
import { boxClass, bareInput, smallButton } from "./box";
import { OpenButton } from "./CodeControl";
import { Island } from "./Island";
import { JsonControl, JsonDialog } from "./JsonControl";
import { LineInput } from "./LineInput";
import type { ControlProps } from "./props";
import { useOwn } from "./useDraft";

const MOST_ROWS = 200;

/** Keys and values in rows, or as JSON. */
export function DictControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, place, onLeave } = props;
  const [open, setOpen] = useState(false);
  const rows = dictRows(field.value);
  if (rows === null || rows.length > MOST_ROWS) return <JsonControl {...props} />;
  if (place === "panel") return <DictRows {...props} />;
  const close = () => {
    setOpen(false);
    onLeave();
  };
  return (
    <>
      <OpenButton {...props} onOpen={() => setOpen(true)} empty={isEmptyValue(field.value)}>
        <Braces aria-hidden="true" className="size-3.5 shrink-0" />
        {rows.length === 0 ? t("flow.value.empty") : t("flow.value.entries", { count: rows.length })}
      </OpenButton>
      {open ? (
        <Island>
          <Dialog
            open
            onClose={close}
            title={label}
            size="md"
            footer={
              <Button variant="primary" onClick={close}>
                {t("fields.done")}
              </Button>
            }
          >
            <DictRows {...props} place="panel" />
          </Dialog>
        </Island>
      ) : null}
    </>
  );
}

function DictRows(props: ControlProps) {
  const { t } = useTranslation();
  const { field, readOnly, label, onChange, onLeave } = props;
  const [json, setJson] = useState(false);
  const [shape] = useState(() => dictShape(field.value));
  const saved = toJson(field.value) ?? "";
  // Rows that cannot be saved yet, as with a key used twice, live here only.
  const { own, hold } = useOwn<DictRow[]>(saved);
  const rows = own ?? dictRows(field.value) ?? [];
  const shown = rows.length === 0 ? [{ key: "", text: "", value: "" }] : rows;
  const save = (next: DictRow[]) => {
    const value = dictValue(next, shape);
    hold(next, toJson(value) ?? "");
    onChange(value);
  };
  return (
    <div className="nodrag w-full min-w-0 space-y-1">
      <ul aria-label={label} className="space-y-1">
        {shown.map((row, index) => (
          <Row
            key={index}
            {...props}
            row={row}
            number={index + 1}
            problem={shape === "object" ? dictProblem(shown, index) : null}
            onRow={(next) => save(replaceAt(shown, index, next))}
            onRemove={() => {
              save(removeAt(shown, index));
              onLeave();
            }}
          />
        ))}
      </ul>
      {readOnly ? null : (
        <div className="flex gap-1">
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus aria-hidden="true" className="size-3.5" />}
            onClick={() => hold([...shown, { key: "", text: "", value: "" }], saved)}
          >
            {t("fields.dict.add")}
            <span className="sr-only">{label}</span>
          </Button>
          <Button
            size="sm"
            variant="ghost"
            icon={<ListTree aria-hidden="true" className="size-3.5" />}
            onClick={() => setJson(true)}
          >
            {t("fields.dict.asJson")}
            <span className="sr-only">{label}</span>
          </Button>
        </div>
      )}
      {json ? <JsonDialog {...props} onClose={() => setJson(false)} /> : null}
    </div>
  );
}

function Row({
  row,
  number,
  problem,
  onRow,
  onRemove,
  ...props
}: ControlProps & {
  row: DictRow;
  number: number;
  problem: ReturnType<typeof dictProblem>;
  onRow: (row: DictRow) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  const { label, readOnly, onLeave } = props;
  const box = boxClass({ ...props, shape: "stacked" });
  return (
    <li>
      <div className="flex items-center gap-1">
        <div className={cx(box, "flex-2")} aria-invalid={problem ? true : undefined}>
          <input
            type="text"
            aria-label={t("fields.dict.key", { name: label, number })}
            aria-invalid={problem ? true : undefined}
            placeholder={t("fields.dict.keyHint")}
            value={row.key}
            readOnly={readOnly}
            spellCheck={false}
            className={cx(bareInput, "font-mono text-xs")}
            onChange={(event) => onRow({ ...row, key: event.target.value })}
            onBlur={onLeave}
          />
        </div>
        <div className={cx(box, "flex-3")}>
          <LineInput
            aria-label={t("fields.dict.value", { name: label, number })}
            placeholder={t("fields.dict.valueHint")}
            value={row.text}
            readOnly={readOnly}
            className={bareInput}
            onText={(text) => onRow(withText(row, text))}
            onBlur={onLeave}
          />
        </div>
        {readOnly ? null : (
          <button
            type="button"
            className={smallButton}
            aria-label={t("common.removeTag", { tag: row.key || t("fields.dict.key", { name: label, number }) })}
            onClick={onRemove}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        )}
      </div>
      {problem ? (
        <p role="status" className="mt-0.5 text-xs text-danger">
          {problem === "duplicate_key" ? t("fields.dict.duplicate", { key: row.key }) : t("fields.dict.noKey")}
        </p>
      ) : null}
    </li>
  );
}

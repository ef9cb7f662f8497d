import { Braces } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isEmptyValue, isRecord, toJson } from "@/flow/json";
import { readJson } from "@/flow/values/dicts";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { CodeArea } from "./CodeArea";
import { Beginning, OpenButton } from "./CodeControl";
import { Island } from "./Island";
import type { ControlProps } from "./props";

/** Any value, as JSON: for nested objects and for kinds of fields this page does not know. */
export function JsonControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, place } = props;
  const [open, setOpen] = useState(false);
  const { value } = field;
  const empty = isEmptyValue(value);
  return (
    <>
      <OpenButton {...props} onOpen={() => setOpen(true)} empty={empty}>
        <Braces aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="truncate">
          {empty
            ? field.placeholder || t("flow.value.empty")
            : isRecord(value) || Array.isArray(value)
              ? t("flow.value.entries", { count: Object.keys(value).length })
              : (toJson(value) ?? "").slice(0, 80)}
        </span>
      </OpenButton>
      {place === "panel" && !empty ? <Beginning text={toJson(value, 2) ?? ""} /> : null}
      {open ? <JsonDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Only text that is JSON is handed on; other text stays in the dialog, which cannot be closed by mistake then. */
export function JsonDialog(props: ControlProps & { onClose: () => void }) {
  const { t } = useTranslation();
  const { field, label, readOnly, onChange, onLeave, onClose } = props;
  const [text, setText] = useState(() => startText(field.value));
  const read = text.trim() === "" ? null : readJson(text);
  const wrong = read?.kind === "problem";
  const close = () => {
    onLeave();
    onClose();
  };
  const change = (next: string) => {
    setText(next);
    if (next.trim() === "") {
      onChange(Array.isArray(field.value) ? [] : {});
      return;
    }
    const found = readJson(next);
    if (found.kind === "value") onChange(found.value);
  };
  return (
    <Island>
      <Dialog
        open
        onClose={close}
        dismissible={!wrong}
        title={label}
        size="lg"
        footer={
          <>
            {wrong ? <Button onClick={close}>{t("fields.json.discard")}</Button> : null}
            {readOnly || wrong ? null : (
              <Button onClick={() => change(formatted(text))}>{t("fields.json.format")}</Button>
            )}
            <Button variant="primary" disabled={wrong} onClick={close}>
              {t("fields.done")}
            </Button>
          </>
        }
      >
        <div className="flex h-[56dvh] min-h-40 flex-col gap-2">
          <CodeArea label={label} language="json" value={text} readOnly={readOnly} onChange={change} focused />
          <p role="status" className="min-h-4 shrink-0 text-xs text-danger">
            {read?.kind === "problem" ? t("fields.json.wrongAt", { line: read.line, column: read.column }) : ""}
          </p>
        </div>
      </Dialog>
    </Island>
  );
}

function startText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "string" && readJson(value).kind === "value") return value;
  return toJson(value, 2) ?? "";
}

function formatted(text: string): string {
  const read = readJson(text);
  return read.kind === "value" ? (toJson(read.value, 2) ?? text) : text;
}

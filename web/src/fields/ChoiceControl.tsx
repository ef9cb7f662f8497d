import { ChevronsUpDown, RefreshCw, X } from "lucide-react";
import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { text } from "@/flow/json";
import { type Choice, chosenNames, dialogForm, readChoices } from "@/flow/values/choices";
import { part } from "@/lib/part";
import { cx } from "@/ui/cx";
import { boxClass, smallButton } from "./box";
import { PickList } from "./PickList";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";

const DialogEntry = lazy(() => part(() => import("./DialogInputs")));

/** One of several options, or a text of one's own where the field allows it. */
export function ChoiceControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const chosen = chosenNames(field.value)[0] ?? "";
  const take = (value: string) => {
    setOpen(false);
    onChange(value);
    onLeave();
  };
  const free = raw.combobox === true || raw.type === "connect";
  const lost = !free && chosen !== "" && field.options.length > 0 && !readChoices(raw).some(({ value }) => value === chosen);
  return (
    <PickBox
      {...props}
      anchor={anchor}
      open={open}
      onOpen={setOpen}
      onClear={chosen !== "" && !field.required && (free || lost || raw.refresh_button === true) ? () => take("") : null}
      popup={
        open ? (
          <Popup anchor={anchor} label={label} onClose={() => setOpen(false)}>
            <PickList
              label={label}
              items={readChoices(raw).map(pickItem)}
              selected={new Set(chosen === "" ? [] : [chosen])}
              onPick={take}
              {...(free ? { onFreeText: take } : {})}
              empty={raw.refresh_button === true ? t("fields.noOptionsRefresh") : t("fields.noOptions")}
              footer={
                dialogForm(raw) ? (
                  <Suspense>
                    <DialogEntry {...props} onDone={() => setOpen(false)} />
                  </Suspense>
                ) : null
              }
            />
          </Popup>
        ) : null
      }
    >
      <span
        className={cx("min-w-0 flex-1 truncate", chosen === "" ? "text-faint" : lost && "text-warn")}
        title={lost ? t("fields.notOffered") : undefined}
      >
        {chosen || field.placeholder || t("fields.choose")}
      </span>
    </PickBox>
  );
}

export function pickItem(choice: Choice): { id: string; label: string; hint: string } {
  return { id: choice.value, label: choice.label, hint: choice.hint };
}

/** The button that opens a list, and what belongs beside it: clear and reload. */
export function PickBox({
  anchor,
  open,
  onOpen,
  onClear,
  popup,
  children,
  ...props
}: ControlProps & {
  anchor: RefObject<HTMLButtonElement | null>;
  open: boolean;
  onOpen: (open: boolean) => void;
  onClear: (() => void) | null;
  /** What opens; it is not part of the button. */
  popup: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { raw, label, readOnly, busy, place } = props;
  return (
    <div className={boxClass({ ...props, shape: props.shape === "tall" ? "stacked" : props.shape })}>
      <button
        ref={anchor}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        disabled={readOnly}
        className="flex h-full min-h-6 min-w-0 flex-1 items-center gap-1.5 rounded-md px-2 text-left outline-offset-[-1px]"
        onClick={() => onOpen(!open)}
      >
        <span className="sr-only">{label}</span>
        {children}
        <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
      </button>
      {onClear && !readOnly && place === "panel" ? (
        <button type="button" className={smallButton} aria-label={t("fields.clear", { name: label })} onClick={onClear}>
          <X aria-hidden="true" className="size-3.5" />
        </button>
      ) : null}
      {raw.refresh_button === true && !readOnly ? <RefreshButton {...props} busy={busy} /> : null}
      {popup}
    </div>
  );
}

export function RefreshButton({ raw, label, busy, onRefresh }: ControlProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={smallButton}
      disabled={busy}
      aria-label={t("fields.refresh", { name: label })}
      title={text(raw.refresh_button_text) || t("fields.refreshHint")}
      onClick={onRefresh}
    >
      <RefreshCw aria-hidden="true" className={cx("size-3.5", busy && "animate-spin")} />
    </button>
  );
}

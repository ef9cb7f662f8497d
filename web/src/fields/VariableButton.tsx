import { Globe } from "lucide-react";
import { lazy, type RefObject, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { canUseVariable } from "@/flow/values/variables";
import { part } from "@/lib/part";
import { cx } from "@/ui/cx";
import { boxClass, smallButton } from "./box";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";

const VariableList = lazy(() => part(() => import("./VariableList")));

/** The globe beside a text: take the value from a variable instead. */
export function VariableButton(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, readOnly } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  if (readOnly || !canUseVariable(field, raw)) return null;
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-label={t("fields.variable.use", { name: label })}
        title={t("fields.variable.hint")}
        aria-haspopup="dialog"
        aria-expanded={open}
        className={cx(smallButton, props.place === "card" && props.shape === "tall" && "h-5")}
        onClick={() => setOpen(!open)}
      >
        <Globe aria-hidden="true" className="size-3.5" />
      </button>
      {open ? <VariablePopup {...props} anchor={anchor} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function VariablePopup(props: ControlProps & { anchor: RefObject<HTMLElement | null>; onClose: () => void }) {
  const { t } = useTranslation();
  const { anchor, onClose, label } = props;
  return (
    <Popup anchor={anchor} label={t("fields.variable.use", { name: label })} onClose={onClose} width="wide">
      <Suspense>
        <VariableList {...props} />
      </Suspense>
    </Popup>
  );
}

/** A field that takes its value from a variable: which one, another one, or back to a value of its own. */
export function VariableChip(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, readOnly, onChange, onLeave } = props;
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const name = field.variable ?? "";
  return (
    <div className={cx(boxClass({ ...props, shape: props.shape === "tall" ? "stacked" : props.shape }), "gap-1")}>
      <button
        ref={anchor}
        type="button"
        disabled={readOnly}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={t("flow.value.variable", { name })}
        className="flex h-full min-w-0 flex-1 items-center gap-1.5 px-2 text-left"
        onClick={() => setOpen(!open)}
      >
        <Globe aria-hidden="true" className="size-3.5 shrink-0 text-accent" />
        <span className="sr-only">{t("fields.variable.from", { name: label })}</span>
        <span className="truncate font-mono">{name}</span>
      </button>
      {readOnly ? null : (
        <button
          type="button"
          className="nodrag mr-1 shrink-0 rounded-sm px-1 text-2xs text-muted hover:bg-hover hover:text-ink"
          title={t("fields.variable.leave", { name: label })}
          onClick={() => {
            onChange("");
            onLeave();
          }}
        >
          {t("fields.variable.leaveShort")}
          <span className="sr-only">{label}</span>
        </button>
      )}
      {open ? <VariablePopup {...props} anchor={anchor} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

import { Cable } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { BY_WIRE } from "@/flow/edit/modelValue";
import { chosenModel } from "@/flow/values/models";
import { part } from "@/lib/part";
import { cx } from "@/ui/cx";
import { boxClass } from "./box";
import { PickBox } from "./ChoiceControl";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";
import { ProviderDot } from "./ProviderDot";

const ModelList = lazy(() => part(() => import("./ModelList")));

/** Which model is used: chosen here, or brought by a wire. */
export function ModelControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, onLeave } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const chosen = chosenModel(field.value);
  if (raw._connection_mode === true || field.value === BY_WIRE) return <ByWire {...props} />;
  return (
    <PickBox
      {...props}
      anchor={anchor}
      open={open}
      onOpen={setOpen}
      onClear={null}
      popup={
        open ? (
          <Popup
            anchor={anchor}
            label={label}
            width="wide"
            onClose={() => {
              setOpen(false);
              onLeave();
            }}
          >
            <Suspense>
              <ModelList {...props} onClose={() => setOpen(false)} />
            </Suspense>
          </Popup>
        ) : null
      }
    >
      {chosen ? (
        <span className="flex min-w-0 flex-1 items-center gap-1.5" title={`${chosen.provider} ${chosen.name}`.trim()}>
          <ProviderDot name={chosen.provider} />
          <span className="truncate font-medium">{chosen.name}</span>
          <span className="sr-only">{chosen.provider}</span>
        </span>
      ) : (
        <span className="min-w-0 flex-1 truncate text-faint">{t("fields.model.choose")}</span>
      )}
    </PickBox>
  );
}

function ByWire(props: ControlProps) {
  const { t } = useTranslation();
  return (
    <div className={cx(boxClass(props), "gap-1.5 px-2")}>
      <Cable aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate text-muted">{t("fields.model.byWire")}</span>
      {props.readOnly ? null : (
        <button
          type="button"
          className="shrink-0 rounded-sm px-1 text-2xs text-accent hover:bg-hover"
          title={t("fields.model.backLong", { name: props.label })}
          onClick={() => props.onConnectionMode(false)}
        >
          {t("fields.model.back")}
          <span className="sr-only">{props.label}</span>
        </button>
      )}
    </div>
  );
}

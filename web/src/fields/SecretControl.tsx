import { Eye, EyeOff, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isEmptyValue } from "@/flow/json";
import { MASK } from "@/flow/secrets";
import { bareInput, boxClass, smallButton } from "./box";
import type { ControlProps } from "./props";
import { VariableButton } from "./VariableButton";

/** A secret can be typed and replaced, and seen while it is typed; what is stored is never shown. */
export function SecretControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, place, readOnly, onChange, onLeave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const stored = !isEmptyValue(field.value);
  return (
    <div
      className={boxClass({ ...props, shape: props.shape === "tall" ? "stacked" : props.shape })}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setTyped(null);
        setShown(false);
        onLeave();
      }}
    >
      <input
        type={shown ? "text" : "password"}
        aria-label={label}
        title={stored && typed === null ? t("flow.value.secretHint") : undefined}
        placeholder={stored ? MASK : field.placeholder || t("fields.secret.empty")}
        value={typed ?? ""}
        readOnly={readOnly}
        autoComplete="new-password"
        spellCheck={false}
        className={bareInput}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(event.target.value);
        }}
      />
      {typed !== null && typed !== "" ? (
        <button
          type="button"
          className={smallButton}
          aria-pressed={shown}
          aria-label={shown ? t("common.hideText") : t("common.showText")}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff aria-hidden="true" className="size-3.5" /> : <Eye aria-hidden="true" className="size-3.5" />}
        </button>
      ) : null}
      {stored && typed === null && !readOnly && place === "panel" ? (
        <button
          type="button"
          className={smallButton}
          aria-label={t("fields.clear", { name: label })}
          onClick={() => {
            onChange("");
            onLeave();
          }}
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      ) : null}
      <VariableButton {...props} />
    </div>
  );
}

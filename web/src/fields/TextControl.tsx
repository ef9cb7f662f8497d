import { Maximize2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { scalarText } from "@/flow/json";
import { cx } from "@/ui/cx";
import { bareInput, boxClass, LONG_TEXT, smallButton } from "./box";
import { CutText } from "./CutText";
import { EditorDialog } from "./EditorDialog";
import type { ControlProps } from "./props";
import { useDraft } from "./useDraft";
import { VariableButton } from "./VariableButton";

/** One line of text; a line too long for an input opens the editor. */
export function TextControl(props: ControlProps) {
  const { field, label, readOnly, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const value = scalarText(field.value);
  const draft = useDraft(value, onChange, onLeave);
  const long = value.length > LONG_TEXT || (!draft.focused && value.includes("\n"));
  return (
    <>
      <div className={boxClass(props)}>
        {long ? (
          <CutText {...props} text={value} focused={draft.focused} onOpen={() => setOpen(true)} />
        ) : (
          <input
            type="text"
            aria-label={label}
            placeholder={field.placeholder}
            value={draft.text}
            readOnly={readOnly}
            autoComplete="off"
            spellCheck={false}
            className={bareInput}
            onFocus={draft.onFocus}
            onChange={(event) => draft.onType(event.target.value)}
            onPaste={draft.onPaste}
            onBlur={draft.onBlur}
          />
        )}
        <VariableButton {...props} />
      </div>
      {open ? <TextEditor {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Several lines, and an editor that fills the page. */
export function LongTextControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, place, readOnly, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const value = scalarText(field.value);
  const draft = useDraft(value, onChange, onLeave);
  const rows = Math.min(10, Math.max(3, draft.text.slice(0, 2000).split("\n").length));
  return (
    <>
      <div className={cx(boxClass(props), "group/long relative items-start!")}>
        {value.length > LONG_TEXT ? (
          <CutText {...props} text={value} focused={draft.focused} onOpen={() => setOpen(true)} />
        ) : (
          <textarea
            aria-label={label}
            placeholder={field.placeholder}
            value={draft.text}
            readOnly={readOnly}
            {...(place === "panel" ? { rows } : {})}
            className={cx(
              bareInput,
              // Borders and not padding: a line below the last whole one would show in the padding.
              "nowheel scroll-thin resize-none border-y-4 border-transparent py-0 leading-[18px]",
              place === "panel" && "h-auto",
            )}
            onFocus={draft.onFocus}
            onChange={(event) => draft.onType(event.target.value)}
            onPaste={draft.onPaste}
            onBlur={draft.onBlur}
          />
        )}
        <span className={cx("flex shrink-0 p-px", place === "card" ? "flex-col" : "")}>
          <button
            type="button"
            className={cx(smallButton, place === "card" && "h-5")}
            aria-label={t("fields.openEditor", { name: label })}
            title={t("fields.editorHint")}
            onClick={() => setOpen(true)}
          >
            <Maximize2 aria-hidden="true" className="size-3" />
          </button>
          <VariableButton {...props} />
        </span>
      </div>
      {open ? <TextEditor {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

export function TextEditor(props: ControlProps & { onClose: () => void }) {
  const { field, label, readOnly, onChange, onLeave, onClose } = props;
  return (
    <EditorDialog
      title={label}
      language="text"
      value={scalarText(field.value)}
      readOnly={readOnly}
      onChange={onChange}
      onClose={() => {
        onLeave();
        onClose();
      }}
    />
  );
}

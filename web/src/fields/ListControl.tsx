import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { text } from "@/flow/json";
import { insertAt, itemText, listItems, moveItem, pastedLines, removeAt, replaceAt } from "@/flow/values/lists";
import { Button } from "@/ui/Button";
import { bareInput, boxClass, LONG_TEXT, smallButton } from "./box";
import { PickBox } from "./ChoiceControl";
import { ChipLine } from "./Chips";
import { LineInput } from "./LineInput";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";
import { RowButtons } from "./RowButtons";
import { useDraft } from "./useDraft";

/** Several texts. One is typed right in the card; more are listed in a box beside it. */
export function ListControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, place, readOnly, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const [alone, setAlone] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const items = listItems(field.value);
  const addLabel = text(raw.list_add_label) || t("fields.list.add");
  if (place === "panel") return <ListRows {...props} addLabel={addLabel} />;
  const popup = open ? (
    <Popup
      anchor={anchor}
      label={label}
      width="wide"
      onClose={() => {
        setOpen(false);
        onLeave();
      }}
    >
      <div className="scroll-thin min-h-0 overflow-y-auto p-2">
        <ListRows {...props} place="panel" addLabel={addLabel} />
      </div>
    </Popup>
  ) : null;
  const first = itemText(items[0]);
  if ((items.length <= 1 || alone) && first.length <= LONG_TEXT && !first.includes("\n")) {
    return (
      <div className={boxClass(props)}>
        <ItemInput
          label={label}
          value={first}
          placeholder={field.placeholder}
          readOnly={readOnly}
          // A pasted list must not take the input away under the caret.
          onFocus={() => setAlone(true)}
          onChange={(next) => onChange(next === "" && items.length <= 1 ? [] : replaceAt(items.length === 0 ? [""] : items, 0, next))}
          onLines={(lines) => onChange([...lines, ...items.slice(1)])}
          onLeave={() => {
            setAlone(false);
            onLeave();
          }}
        />
        {readOnly ? null : (
          <button
            ref={anchor}
            type="button"
            aria-haspopup="dialog"
            aria-expanded={open}
            className={smallButton}
            aria-label={t("fields.list.addTo", { name: label })}
            onClick={() => {
              if (!open && items.length > 0 && first !== "") onChange([...items, ""]);
              setOpen(!open);
            }}
          >
            <Plus aria-hidden="true" className="size-3.5" />
          </button>
        )}
        {popup}
      </div>
    );
  }
  return (
    <PickBox {...props} anchor={anchor} open={open} onOpen={setOpen} onClear={null} popup={popup}>
      <ChipLine items={items.map(itemText)} empty={field.placeholder || t("flow.value.empty")} />
    </PickBox>
  );
}

function ListRows({ addLabel, ...props }: ControlProps & { addLabel: string }) {
  const { t } = useTranslation();
  const { field, label, readOnly, onChange, onLeave } = props;
  const items = listItems(field.value);
  const list = useRef<HTMLUListElement>(null);
  // An empty list is shown as one empty line, ready to be typed in.
  const shown = items.length === 0 ? [""] : items;
  const focus = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll("input")[index]?.focus());
  const add = (index: number) => {
    onChange(insertAt(shown, index, ""));
    focus(index);
  };
  return (
    <div className="nodrag w-full min-w-0 space-y-1">
      <ul ref={list} aria-label={label} className="space-y-1">
        {shown.map((item, index) => (
          <li key={index} className="flex items-center gap-1">
            <div className={boxClass({ ...props, shape: "stacked" })}>
              <ItemInput
                label={t("fields.list.item", { name: label, number: index + 1 })}
                value={itemText(item)}
                placeholder={field.placeholder}
                readOnly={readOnly}
                onChange={(next) => onChange(replaceAt(shown, index, next))}
                onLines={(lines) => onChange([...shown.slice(0, index), ...lines, ...shown.slice(index + 1)])}
                onEnter={() => add(index + 1)}
                onLeave={onLeave}
              />
            </div>
            {readOnly ? null : (
              <RowButtons
                name={itemText(item).slice(0, 40) || t("fields.list.item", { name: label, number: index + 1 })}
                index={index}
                count={shown.length}
                onMove={(to) => {
                  onChange(moveItem(shown, index, to));
                  onLeave();
                }}
                onRemove={() => {
                  onChange(removeAt(shown, index));
                  onLeave();
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {readOnly ? null : (
        <Button size="sm" variant="ghost" icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={() => add(shown.length)}>
          {addLabel}
          <span className="sr-only">{label}</span>
        </Button>
      )}
    </div>
  );
}

function ItemInput({
  label,
  value,
  placeholder,
  readOnly,
  onFocus,
  onChange,
  onLines,
  onEnter,
  onLeave,
}: {
  label: string;
  value: string;
  placeholder: string;
  readOnly: boolean;
  onFocus?: () => void;
  onChange: (text: string) => void;
  onLines: (lines: string[]) => void;
  onEnter?: () => void;
  onLeave: () => void;
}) {
  const draft = useDraft(value, onChange, onLeave);
  return (
    <LineInput
      aria-label={label}
      placeholder={placeholder}
      value={draft.text}
      readOnly={readOnly}
      spellCheck={false}
      className={bareInput}
      onFocus={() => {
        draft.onFocus();
        onFocus?.();
      }}
      onText={draft.onType}
      onBlur={draft.onBlur}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || !onEnter || readOnly) return;
        event.preventDefault();
        onEnter();
      }}
      onPaste={(event) => {
        const lines = pastedLines(event.clipboardData.getData("text"));
        if (!lines || readOnly) return;
        event.preventDefault();
        onLines(lines);
      }}
    />
  );
}

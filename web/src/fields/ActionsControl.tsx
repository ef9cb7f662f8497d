import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Action, actionId, moveItem, readActions, removeAt, replaceAt, writeActions } from "@/flow/values/lists";
import { Button } from "@/ui/Button";
import { bareInput, boxClass } from "./box";
import { PickBox } from "./ChoiceControl";
import { ChipLine } from "./Chips";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";
import { RowButtons } from "./RowButtons";
import { useDraft } from "./useDraft";

/** Decisions a person can take: a name each; their ids stay, because wires hold on to them. */
export function ActionsControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, place, onLeave } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  if (place === "panel") return <ActionRows {...props} />;
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
            <div className="scroll-thin min-h-0 overflow-y-auto p-2">
              <ActionRows {...props} place="panel" />
            </div>
          </Popup>
        ) : null
      }
    >
      <ChipLine items={readActions(field.value).map((action) => action.label)} empty={t("flow.value.empty")} />
    </PickBox>
  );
}

function ActionRows(props: ControlProps) {
  const { t } = useTranslation();
  const { field, label, readOnly, onChange, onLeave } = props;
  const actions = readActions(field.value);
  const list = useRef<HTMLUListElement>(null);
  const save = (next: readonly Action[]) => onChange(writeActions(next));
  return (
    <div className="nodrag w-full min-w-0 space-y-1">
      <ul ref={list} aria-label={label} className="space-y-1">
        {actions.map((action, index) => (
          <li key={action.id} className="flex items-center gap-1">
            <ActionName
              {...props}
              label={t("fields.list.item", { name: label, number: index + 1 })}
              value={action.label}
              onName={(name) => save(replaceAt(actions, index, { ...action, label: name }))}
            />
            {readOnly ? null : (
              <RowButtons
                name={action.label}
                index={index}
                count={actions.length}
                onMove={(to) => {
                  save(moveItem(actions, index, to));
                  onLeave();
                }}
                onRemove={() => {
                  save(removeAt(actions, index));
                  onLeave();
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {readOnly ? null : (
        <Button
          size="sm"
          variant="ghost"
          icon={<Plus aria-hidden="true" className="size-3.5" />}
          onClick={() => {
            const name = t("fields.actions.fresh", { number: actions.length + 1 });
            const taken = actions.map(({ id }) => id);
            save([...actions, { id: actionId(name, taken), label: name, rest: {} }]);
            onLeave();
            requestAnimationFrame(() => {
              const input = [...(list.current?.querySelectorAll("input") ?? [])].at(-1);
              input?.focus();
              input?.select();
            });
          }}
        >
          {t("fields.actions.add")}
        </Button>
      )}
    </div>
  );
}

function ActionName({
  value,
  onName,
  ...props
}: ControlProps & { value: string; onName: (name: string) => void }) {
  const draft = useDraft(value, onName, props.onLeave);
  return (
    <div className={boxClass({ ...props, shape: "stacked" })}>
      <input
        type="text"
        aria-label={props.label}
        value={draft.text}
        readOnly={props.readOnly}
        className={bareInput}
        onFocus={draft.onFocus}
        onChange={(event) => draft.onType(event.target.value)}
        onBlur={draft.onBlur}
      />
    </div>
  );
}

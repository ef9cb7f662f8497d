import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { finite } from "@/flow/json";
import { chosenNames, readChoices, sortableValue } from "@/flow/values/choices";
import { pickItem, PickBox } from "./ChoiceControl";
import { ChipLine } from "./Chips";
import { OrderedRows } from "./OrderedRows";
import { PickList } from "./PickList";
import { Popup } from "./Popup";
import type { ControlProps } from "./props";

/** Several of the options. */
export function MultiselectControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const chosen = chosenNames(field.value);
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  const close = () => {
    setOpen(false);
    onLeave();
  };
  // What is chosen but no longer offered must be possible to take away.
  const lost = chosen.filter((name) => !field.options.includes(name));
  return (
    <PickBox
      {...props}
      anchor={anchor}
      open={open}
      onOpen={(next) => (next ? setOpen(true) : close())}
      onClear={
        chosen.length > 0
          ? () => {
              onChange([]);
              onLeave();
            }
          : null
      }
      popup={
        open ? (
          <Popup anchor={anchor} label={label} onClose={close}>
            <PickList
              label={label}
              multiple
              items={[
                ...readChoices(raw).map(pickItem),
                ...lost.map((name) => ({ id: name, label: name, hint: t("fields.notOffered") })),
              ]}
              selected={new Set(chosen)}
              onPick={toggle}
              {...(raw.combobox === true ? { onFreeText: toggle } : {})}
              empty={t("fields.noOptions")}
            />
          </Popup>
        ) : null
      }
    >
      <ChipLine items={chosen} empty={field.placeholder || t("fields.chooseSeveral")} />
    </PickBox>
  );
}

/** Options put into an order; often there may be one only. */
export function SortableControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, place, readOnly, onChange, onLeave } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const chosen = chosenNames(field.value);
  const choices = readChoices(raw);
  const limit = finite(raw.limit) ?? Number.POSITIVE_INFINITY;
  const save = (names: readonly string[]) => onChange(sortableValue(names, choices, field.value));
  const pick = (name: string) => {
    if (limit === 1) {
      save([name]);
      setOpen(false);
      onLeave();
    } else if (chosen.includes(name)) save(chosen.filter((each) => each !== name));
    else if (chosen.length < limit) save([...chosen, name]);
  };
  return (
    <div className="w-full min-w-0">
      <PickBox
        {...props}
        anchor={anchor}
        open={open}
        onOpen={setOpen}
        onClear={
          chosen.length > 0 && limit === 1 && !field.required
            ? () => {
                save([]);
                onLeave();
              }
            : null
        }
        popup={
          open ? (
            <Popup
              anchor={anchor}
              label={label}
              onClose={() => {
                setOpen(false);
                onLeave();
              }}
            >
              <PickList
                label={label}
                multiple={limit !== 1}
                items={choices.map((choice) => ({
                  ...pickItem(choice),
                  disabled: limit !== 1 && chosen.length >= limit && !chosen.includes(choice.value),
                }))}
                selected={new Set(chosen)}
                onPick={pick}
                empty={t("fields.noOptions")}
                footer={
                  place === "card" && chosen.length > 1 ? (
                    <OrderedRows items={chosen} readOnly={readOnly} onChange={save} />
                  ) : null
                }
              />
            </Popup>
          ) : null
        }
      >
        <ChipLine
          plain={limit === 1}
          items={chosen.map((name) => choices.find(({ value }) => value === name)?.label ?? name)}
          empty={field.placeholder || t("fields.choose")}
        />
      </PickBox>
      {place === "panel" && limit !== 1 && chosen.length > 0 ? (
        <OrderedRows items={chosen} readOnly={readOnly} onChange={save} />
      ) : null}
    </div>
  );
}

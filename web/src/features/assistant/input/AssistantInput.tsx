import { ArrowUp, AtSign, Square, X } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "@/ui/Button";
import { type Recall, PRESENT, readHistory, recall } from "../model/history";
import { MAX_INPUT } from "../model/protocol";
import { Counter, lengthOf } from "./Counter";
import { MentionList, optionId } from "./MentionList";
import { ModelSelector } from "./ModelSelector";
import { placeholderFor } from "./placeholders";
import type { AssistantInputProps } from "./props";
import { inFirstLine, inFirstRow, inLastLine } from "./rows";
import type { Suggestion } from "./suggestions";
import { usePreview } from "./usePreview";
import { useSuggestions } from "./useSuggestions";

/** Where the person writes to the assistant. */
export function AssistantInput({
  disabled,
  busy,
  step,
  refining,
  placeholderSeed,
  draft,
  onDraft,
  onSend,
  onStop,
  onRecall,
  editor,
  model,
  onModel,
  lostModel = null,
  config,
  onConfigure,
  ref,
}: AssistantInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where the cursor goes once this text is there. */
  const goal = useRef<{ text: string; at: number } | null>(null);
  const [chance] = useState(() => Math.floor(Math.random() * 1000));
  const [cursor, setCursor] = useState<number | null>(null);
  const [walk, setWalk] = useState<Recall>(PRESENT);
  const { open, move, point, dismiss } = useSuggestions(editor, draft, disabled ? null : cursor);
  const active = open?.active ?? null;
  const keepSelected = usePreview(editor, active && active.kind !== "command" ? active.node : null);

  const text = draft.trim();
  const long = lengthOf(text) > MAX_INPUT;
  const sendable = !disabled && !busy && text !== "" && !long && model !== null;

  const write = (next: string, at: number): void => {
    goal.current = next === draft ? null : { text: next, at };
    setCursor(at);
    if (next === draft) area.current?.setSelectionRange(at, at);
    else onDraft(next);
  };
  const insert = (added: string): void => {
    const field = area.current;
    // Before anything is written: taking the focus tells where the cursor was.
    field?.focus();
    const [from, to] = field ? [field.selectionStart, field.selectionEnd] : [draft.length, draft.length];
    const gap = from > 0 && !/\s/u.test(draft.charAt(from - 1)) ? " " : "";
    const rest = /^[\p{L}\p{N}]/u.test(draft.slice(to)) ? ` ${draft.slice(to)}` : draft.slice(to);
    setWalk(PRESENT);
    write(draft.slice(0, from) + gap + added + rest, from + gap.length + added.length);
  };
  const send = (): void => {
    if (!sendable) return;
    // Who asks it has seen that another model is gone.
    if (lostModel) onModel(model);
    setWalk(PRESENT);
    onSend(text);
  };
  /** Send and Stop take turns at one place: the second press of a double click was not meant for the other. */
  const pressed = (does: () => void) => (event: MouseEvent) => {
    if (event.detail > 1) return;
    // The button goes, and what it was pressed with may still be held down.
    area.current?.focus();
    does();
  };
  const pick = (suggestion: Suggestion): void => {
    if (!open || cursor === null) return;
    keepSelected();
    setWalk(PRESENT);
    write(draft.slice(0, open.from) + suggestion.text + draft.slice(cursor), open.from + suggestion.text.length);
  };

  useImperativeHandle(ref, () => ({ focus: () => area.current?.focus(), insert }));
  useLayoutEffect(() => {
    const wanted = goal.current;
    if (wanted?.text !== draft) return;
    goal.current = null;
    area.current?.setSelectionRange(wanted.at, wanted.at);
  }, [draft]);
  useEffect(() => {
    const field = area.current;
    // A draft from before is gone on with, not begun anew.
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  /** Keys of the list while it is open; true for those it took. */
  const forList = (event: KeyboardEvent): boolean => {
    if (!open) return false;
    const command = open.kind === "command";
    if (event.key === "Escape") {
      dismiss();
      // The panel around closes on Escape too.
      event.stopPropagation();
      return true;
    }
    if (!active) return false;
    if (event.key === "ArrowDown" || (event.key === "Tab" && !event.shiftKey && !command)) move(1);
    else if (event.key === "ArrowUp" || (event.key === "Tab" && event.shiftKey && !command)) move(-1);
    else if (event.key === "Tab" && !event.shiftKey) pick(active);
    // A command that is there already is meant.
    else if (event.key === "Enter" && !event.shiftKey && !(command && active.id === text.toLowerCase())) pick(active);
    else return false;
    return true;
  };
  const forHistory = (event: KeyboardEvent): boolean => {
    const field = area.current;
    if (!field || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
    if (field.selectionStart !== field.selectionEnd) return false;
    const older = event.key === "ArrowUp" && (walk.at === null ? inFirstRow(field) : inFirstLine(field));
    const newer = event.key === "ArrowDown" && inLastLine(field);
    if (!older && !newer) return false;
    const found = recall(readHistory(), walk, older ? "older" : "newer", draft);
    if (!found) return false;
    setWalk(found.recall);
    write(found.text, found.text.length);
    if (found.recall.at !== null && found.recall.at !== walk.at) onRecall?.();
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // What ends or steers a composition belongs to the input method.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (forList(event) || forHistory(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const follow = (): void => {
    const field = area.current;
    if (field) setCursor(field.selectionStart === field.selectionEnd ? field.selectionEnd : null);
  };

  return (
    <div>
      {lostModel && model ? (
        <p role="status" className="mb-1.5 flex items-center gap-2 rounded-md bg-warn-soft py-1 pr-1 pl-2.5 text-xs text-warn">
          <span className="min-w-0 flex-1">{t("assistant.input.lost", { lost: lostModel.name, name: model.name })}</span>
          <IconButton size="sm" label={t("assistant.input.lostOk")} icon={<X className="size-3.5" />} onClick={() => onModel(model)} />
        </p>
      ) : null}
      <div
        ref={box}
        className="rounded-xl border border-line-strong bg-surface p-1.5 focus-within:border-accent focus-within:outline-1 focus-within:outline-accent"
      >
        <textarea
          ref={area}
          rows={1}
          disabled={disabled}
          data-testid="assistant-input-textarea"
          aria-label={t("assistant.input.message")}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={open ? `${id}-list` : undefined}
          aria-activedescendant={open && active ? optionId(`${id}-list`, open.at) : undefined}
          aria-describedby={`${id}-counter`}
          aria-invalid={long || undefined}
          placeholder={t(placeholderFor({ busy, step, refining, seed: placeholderSeed ?? chance }))}
          // Eight lines and what is around them.
          className="scroll-thin field-sizing-content block max-h-43 w-full resize-none bg-transparent px-2 py-1.5 text-sm outline-none disabled:cursor-not-allowed"
          value={draft}
          onChange={(event) => {
            setWalk(PRESENT);
            onDraft(event.target.value);
            follow();
          }}
          onSelect={follow}
          onFocus={follow}
          onBlur={() => setCursor(null)}
          onKeyDown={onKeyDown}
        />
        <div className="flex items-center gap-1 pt-1">
          <IconButton
            size="sm"
            disabled={disabled}
            label={t("assistant.input.mention")}
            icon={<AtSign className="size-4" />}
            onClick={() => insert("@")}
          />
          <ModelSelector config={config} model={model} onModel={onModel} onConfigure={onConfigure} />
          <span className="min-w-0 flex-1" />
          <Counter id={`${id}-counter`} text={text} />
          {busy ? (
            <Button
              key="stop"
              size="sm"
              data-testid="assistant-stop-button"
              icon={<Square aria-hidden="true" className="size-3 fill-current" />}
              onClick={pressed(onStop)}
            >
              {t("assistant.input.stop")}
            </Button>
          ) : (
            <Button
              key="send"
              size="sm"
              variant="primary"
              data-testid="assistant-send-button"
              aria-disabled={!sendable || undefined}
              title={!disabled && model === null ? t("assistant.input.needsModel") : undefined}
              icon={<ArrowUp aria-hidden="true" className="size-4" />}
              onClick={pressed(send)}
            >
              {t("assistant.input.send")}
            </Button>
          )}
        </div>
      </div>
      {open ? (
        <MentionList id={`${id}-list`} anchor={box} list={open} onPoint={point} onPick={pick} />
      ) : null}
      <p role="status" className="sr-only">
        {open ? t("assistant.input.found", { count: open.items.length }) : ""}
      </p>
    </div>
  );
}

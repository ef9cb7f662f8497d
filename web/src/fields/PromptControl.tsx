import { Maximize2 } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { scalarText } from "@/flow/json";
import { promptPieces, variablesChanged } from "@/flow/values/prompts";
import { cx } from "@/ui/cx";
import { bareInput, boxClass, LONG_TEXT, smallButton } from "./box";
import { CutText } from "./CutText";
import { EditorDialog } from "./EditorDialog";
import { PromptAside } from "./PromptAside";
import type { ControlProps } from "./props";
import { useDraft } from "./useDraft";

/** A text whose variables are marked as they are typed. */
export function PromptControl(props: ControlProps) {
  const { t } = useTranslation();
  const { field, raw, label, place, readOnly, onChange, onLeave, onRefresh } = props;
  const [open, setOpen] = useState(false);
  const [before, setBefore] = useState<string | null>(null);
  const value = scalarText(field.value);
  const mustache = raw.type === "mustache";
  const draft = useDraft(value, onChange, onLeave);
  // Variables are inputs of the node, which the server makes; not while typing, or the card would jump under the hand.
  const leave = (now: string) => {
    if (before !== null && variablesChanged(before, now, mustache)) onRefresh();
    setBefore(null);
  };
  const behind = useRef<HTMLDivElement>(null);
  const rows = Math.min(12, Math.max(4, draft.text.slice(0, 4000).split("\n").length));
  const shape = cx("px-2 py-1 leading-[18px] break-words whitespace-pre-wrap", place === "panel" ? "text-sm" : "text-xs");
  return (
    <>
      <div className={cx(boxClass(props), "items-start!")}>
        {value.length > LONG_TEXT ? (
          <CutText {...props} text={value} focused={draft.focused} onOpen={() => setOpen(true)} />
        ) : (
          <div className={cx("relative min-w-0 flex-1", place === "card" && "h-full")}>
            <Marks text={draft.text} mustache={mustache} box={behind} className={shape} />
            <textarea
              aria-label={label}
              placeholder={field.placeholder || t("fields.prompt.placeholder", { name: mustache ? "{{name}}" : "{name}" })}
              value={draft.text}
              readOnly={readOnly}
              {...(place === "panel" ? { rows } : {})}
              className={cx(
                bareInput,
                shape,
                "nowheel relative block resize-none overflow-y-auto [scrollbar-width:none]",
                place === "panel" && "h-auto",
              )}
              onFocus={() => {
                draft.onFocus();
                setBefore(draft.text);
              }}
              onChange={(event) => draft.onType(event.target.value)}
              onPaste={draft.onPaste}
              onBlur={() => {
                draft.onBlur();
                leave(draft.text);
              }}
              onScroll={(event) => {
                if (behind.current) behind.current.scrollTop = event.currentTarget.scrollTop;
              }}
            />
          </div>
        )}
        <button
          type="button"
          className={cx(smallButton, "m-px")}
          aria-label={t("fields.openEditor", { name: label })}
          title={t("fields.editorHint")}
          onClick={() => {
            setBefore(value);
            setOpen(true);
          }}
        >
          <Maximize2 aria-hidden="true" className="size-3" />
        </button>
      </div>
      {open ? (
        <EditorDialog
          title={label}
          language={mustache ? "mustache" : "prompt"}
          value={value}
          readOnly={readOnly}
          onChange={onChange}
          onClose={() => {
            onLeave();
            leave(value);
            setOpen(false);
          }}
          hint={mustache ? t("fields.prompt.hintDouble", { name: "{{name}}" }) : t("fields.prompt.hint", { name: "{name}" })}
          aside={<PromptAside text={value} mustache={mustache} />}
        />
      ) : null}
    </>
  );
}

/** The same text behind the text area, seen only where a variable is. */
function Marks({
  text,
  mustache,
  box,
  className,
}: {
  text: string;
  mustache: boolean;
  box: RefObject<HTMLDivElement | null>;
  className: string;
}) {
  return (
    <div
      ref={box}
      aria-hidden="true"
      className={cx(className, "pointer-events-none absolute inset-0 overflow-hidden text-transparent select-none")}
    >
      {promptPieces(text, mustache).map((piece) =>
        piece.name === null ? (
          piece.text
        ) : (
          <mark key={piece.at} className="rounded-sm bg-accent-soft text-transparent ring-1 ring-accent/40">
            {piece.text}
          </mark>
        ),
      )}
      {"\u200b"}
    </div>
  );
}

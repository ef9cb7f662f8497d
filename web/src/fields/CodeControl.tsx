import { Code } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { scalarText } from "@/flow/json";
import { openCode, useHasCode } from "@/stores/editor/codeOpen";
import { cx } from "@/ui/cx";
import { boxClass } from "./box";
import { EditorDialog } from "./EditorDialog";
import type { ControlProps } from "./props";

const SHOWN_LINES = 6;

/** Code is read and written in the editor; the control says how much there is. */
export function CodeControl(props: ControlProps) {
  const { t } = useTranslation();
  const { nodeId, field, label, place, readOnly, onChange, onLeave } = props;
  // The code that makes the node is more than a text: saving it makes other fields.
  const own = useHasCode(nodeId) && field.name === "code";
  const [open, setOpen] = useState(false);
  const value = scalarText(field.value);
  return (
    <>
      <OpenButton {...props} onOpen={() => (own ? openCode(nodeId) : setOpen(true))} empty={value === ""}>
        <Code aria-hidden="true" className="size-3.5 shrink-0" />
        {value === "" ? t("flow.value.empty") : t("flow.value.lines", { count: lineCount(value) })}
      </OpenButton>
      {place === "panel" && value !== "" ? <Beginning text={value} /> : null}
      {open ? (
        <EditorDialog
          title={label}
          language="python"
          value={value}
          readOnly={readOnly}
          hint={t("fields.code.hint")}
          onChange={onChange}
          onClose={() => {
            setOpen(false);
            onLeave();
          }}
        />
      ) : null}
    </>
  );
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

export function Beginning({ text }: { text: string }) {
  return (
    <pre className="mt-1 max-h-32 overflow-hidden rounded-md bg-sunken px-2 py-1 font-mono text-2xs break-all whitespace-pre-wrap text-muted">
      {text.slice(0, 600).split("\n").slice(0, SHOWN_LINES).join("\n")}
    </pre>
  );
}

/** A line that says what there is and opens an editor for it. */
export function OpenButton({
  onOpen,
  empty,
  children,
  ...props
}: ControlProps & { onOpen: () => void; empty: boolean; children: ReactNode }) {
  const { label, place } = props;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={cx(
        boxClass({ ...props, readOnly: false }),
        "gap-1.5 px-2 text-left hover:bg-hover",
        props.shape === "inline" && place === "card" && "w-auto!",
        empty ? "text-faint" : "text-muted",
      )}
      onClick={onOpen}
    >
      <span className="sr-only">{label}</span>
      {children}
    </button>
  );
}

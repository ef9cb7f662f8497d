import { type ClipboardEvent, type ComponentProps, type KeyboardEvent, useState } from "react";
import { cx } from "@/ui/cx";

type Props = Pick<
  ComponentProps<"input">,
  "aria-label" | "aria-invalid" | "aria-description" | "title" | "placeholder" | "value" | "readOnly" | "className" | "spellCheck"
> & {
  "data-cell"?: string;
  value: string;
  onText: (text: string) => void;
  onFocus?: () => void;
  onBlur?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPaste?: (event: ClipboardEvent) => void;
};

/** One line of text; a text that has several already gets the lines, because an input would drop the breaks. */
export function LineInput({ value, onText, className, onFocus, onBlur, ...rest }: Props) {
  const [focused, setFocused] = useState(false);
  const [tall, setTall] = useState(value.includes("\n"));
  // Not while it is being typed in: the caret would be lost.
  if (!focused && tall !== value.includes("\n")) setTall(value.includes("\n"));
  const shared = {
    ...rest,
    value,
    autoComplete: "off",
    onFocus: () => {
      setFocused(true);
      onFocus?.();
    },
    onBlur: () => {
      setFocused(false);
      onBlur?.();
    },
  };
  if (tall)
    return (
      <textarea
        {...shared}
        rows={Math.min(4, value.split("\n", 5).length)}
        className={cx(className, "nowheel block h-auto! resize-none py-1")}
        onChange={(event) => onText(event.target.value)}
      />
    );
  return <input type="text" {...shared} className={className} onChange={(event) => onText(event.target.value)} />;
}

import { useEffect, useEffectEvent, useRef } from "react";
import { cx } from "@/ui/cx";
import { openEditor, type OpenEditor } from "./codeMirror";

export type Language = "text" | "python" | "json" | "prompt" | "mustache";

export interface CodeAreaProps {
  label: string;
  language: Language;
  value: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  /** The focus starts here. */
  focused?: boolean;
  className?: string;
}

export default function CodeMirrorArea({
  label,
  language,
  value,
  readOnly,
  onChange,
  focused = false,
  className,
}: CodeAreaProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor>(null);
  const changed = useEffectEvent(onChange);
  const start = useEffectEvent(() => ({ value, focused }));

  useEffect(() => {
    if (!host.current) return;
    const opened = openEditor(host.current, {
      ...start(),
      label,
      language,
      readOnly,
      onChange: (text) => changed(text),
    });
    editor.current = opened;
    return () => opened.close();
  }, [label, language, readOnly]);

  useEffect(() => editor.current?.show(value), [value]);

  return (
    <div
      ref={host}
      className={cx(
        "min-h-0 min-w-0 flex-1 overflow-hidden rounded-md border border-line-strong bg-bg focus-within:border-accent",
        className,
      )}
    />
  );
}

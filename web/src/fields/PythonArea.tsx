import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import type { CodeProblem } from "@/flow/codeProblems";
import { openEditor, type OpenEditor } from "./codeMirror";
import { checkedPython, showPlace, showProblems } from "./pythonLint";

/** Where the caret is sent; a new object sends it there again. */
export interface Place {
  line: number;
  column: number | null;
}

/** Python with what is wrong with it marked. */
export function PythonArea({
  host,
  label,
  given,
  readOnly,
  problems,
  place,
  onChange,
  onSave,
}: {
  /** The element around the editor; focus that is given to it goes on to the text. */
  host: RefObject<HTMLDivElement | null>;
  label: string;
  /** A text to show; a new object replaces what is there. What is typed does not come back this way. */
  given: { code: string };
  readOnly: boolean;
  problems: readonly CodeProblem[];
  place: Place | null;
  onChange: (code: string) => void;
  onSave: (close: boolean) => void;
}) {
  const editor = useRef<OpenEditor>(null);
  const changed = useEffectEvent(onChange);
  const save = useEffectEvent(onSave);
  const start = useEffectEvent(() => ({ value: given.code, focused: true }));

  useEffect(() => {
    if (!host.current) return;
    const opened = openEditor(host.current, {
      ...start(),
      label,
      language: "python",
      readOnly,
      onChange: (code) => changed(code),
      extensions: checkedPython((close) => save(close)),
    });
    editor.current = opened;
    return () => opened.close();
  }, [host, label, readOnly]);

  useEffect(() => editor.current?.show(given.code), [given]);
  useEffect(() => {
    if (editor.current) showProblems(editor.current.view, problems);
  }, [problems]);
  useEffect(() => {
    if (editor.current && place) showPlace(editor.current.view, place.line, place.column);
  }, [place]);

  return (
    <div
      ref={host}
      tabIndex={-1}
      onFocus={() => {
        const view = editor.current?.view;
        if (view && !view.hasFocus) view.focus();
      }}
      className="min-h-0 min-w-0 flex-1 overflow-hidden rounded-md border border-line-strong bg-bg outline-none focus-within:border-accent"
    />
  );
}

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useStore } from "zustand";
import { nodeCode } from "@/flow/nodeCode";
import { draftOf, dropDraft, keepDraft } from "@/stores/editor/codeDrafts";
import type { Editor } from "@/stores/editor/state";

export interface CodeText {
  text: string;
  /** What the editor is to show, as `PythonArea` takes it. */
  given: { code: string };
  typed: (code: string) => void;
  /** What is in the editor this very moment: the drawing lags behind quick typing. */
  now: () => string;
  /** Puts another text into the editor. */
  give: (code: string) => void;
  /** Null once the node is gone. */
  saved: string | null;
  changed: boolean;
  /** When it was typed, if it was left unsaved before. */
  leftAt: number | null;
}

const PAUSE = 300;

/** The code in the editor. What is not saved is kept beside the flow, so that a reload loses nothing. */
export function useCodeText(editor: Editor, id: string): CodeText {
  const { flowId } = editor.getState();
  const saved = useStore(editor, ({ flow }) => nodeCode(flow.byId.get(id)?.raw));
  const [draft] = useState(() => draftOf(flowId, id));
  const [text, setText] = useState(draft?.code ?? saved ?? "");
  const [given, setGiven] = useState({ code: text });
  const latest = useRef(text);
  const typed = (code: string): void => {
    latest.current = code;
    setText(code);
  };
  const give = (code: string): void => {
    setText(code);
    setGiven({ code });
  };
  // What an undo or another tab brings is shown, unless something else was typed here.
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    if (saved !== null && text === seen) give(saved);
  }
  const changed = text !== saved;
  useEffect(() => {
    const timer = setTimeout(() => (changed ? keepDraft(flowId, id, text) : dropDraft(flowId, id)), PAUSE);
    return () => clearTimeout(timer);
  }, [flowId, id, text, changed]);
  const keep = useEffectEvent(() => {
    if (latest.current !== saved) keepDraft(flowId, id, latest.current);
  });
  useEffect(() => {
    window.addEventListener("pagehide", keep);
    return () => window.removeEventListener("pagehide", keep);
  }, []);
  const leftAt = draft !== null && draft.code === text && changed ? draft.at : null;
  return { text, given, typed, give, now: () => latest.current, saved, changed, leftAt };
}

import { useEffect, useRef } from "react";
import { select } from "@/stores/editor/actions";
import type { Editor, EditorState } from "@/stores/editor/state";

/**
 * Shows on the canvas which node is meant by selecting it. Without one the selection from before comes back, unless
 * somebody selected something else meanwhile. The answer is called when the node was chosen: then it stays selected.
 */
export function usePreview(editor: Editor, node: string | null): () => void {
  const before = useRef<Pick<EditorState, "selection" | "wire"> | null>(null);
  const shown = useRef<string | null>(null);
  const open = node !== null;

  useEffect(() => {
    if (!open) return;
    const { selection, wire } = editor.getState();
    before.current = { selection, wire };
    return () => {
      const [kept, last] = [before.current, shown.current];
      before.current = null;
      shown.current = null;
      const now = editor.getState();
      if (kept === null || last === null || now.selection.size !== 1 || !now.selection.has(last)) return;
      const left = [...kept.selection].filter((id) => now.flow.byId.has(id));
      select(editor, left, now.flow.wires.some((wire) => wire.id === kept.wire) ? kept.wire : null);
    };
  }, [editor, open]);

  useEffect(() => {
    if (node === null) return;
    shown.current = node;
    select(editor, [node]);
  }, [editor, node]);

  return () => {
    before.current = null;
  };
}

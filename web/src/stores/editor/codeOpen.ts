import { create } from "zustand";
import { nodeCode } from "@/flow/nodeCode";
import type { Editor } from "./state";

interface CodeOpen {
  node: string;
  /** Where the caret is to be. */
  line: number | null;
}

interface State {
  /** The editor on the page, if it can show code. */
  editor: Editor | null;
  open: CodeOpen | null;
}

/** Whose code is shown. Cards, panels and messages about runs ask for it; the editor's page shows it. */
export const useCodeOpen = create<State>(() => ({ editor: null, open: null }));

export function openCode(node: string, line: number | null = null): void {
  useCodeOpen.setState({ open: { node, line } });
}

export function closeCode(): void {
  useCodeOpen.setState({ open: null });
}

/** Says where code is shown from now on; call what it gives to take that back. */
export function showCodeOf(editor: Editor): () => void {
  useCodeOpen.setState({ editor, open: null });
  return () => {
    if (useCodeOpen.getState().editor === editor) useCodeOpen.setState({ editor: null, open: null });
  };
}

/** Whether there is code of this node to be opened here. */
export function useHasCode(node: string | null): boolean {
  return useCodeOpen(
    ({ editor }) => node !== null && nodeCode(editor?.getState().flow.byId.get(node)?.raw) !== null,
  );
}

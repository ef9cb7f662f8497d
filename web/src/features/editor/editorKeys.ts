import type { RefObject } from "react";
import type { EditorCanvasHandle } from "@/canvas/EditorCanvas";
import { edit, redo, removeSelected, selectAll, undo } from "@/stores/editor/actions";
import { duplicateSelected, groupSelected, setToolMode, ungroupSelected } from "@/stores/editor/commands";
import { openCode } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { stopRun } from "@/stores/run";
import { toastError } from "@/ui/toastError";
import type { BottomTab } from "./BottomPanel";
import type { ShortcutId } from "@/stores/shortcuts";
import type { Panel } from "./views";

export type EditorKeys = Partial<Record<ShortcutId, () => void>>;

export interface Surroundings {
  editor: Editor;
  canvas: RefObject<EditorCanvasHandle | null>;
  groupName: string;
  run: (stopAt?: string) => void;
  openNode: (id: string) => void;
  showOutput: (id: string) => void;
  addNode: () => void;
  note: () => void;
  arrange: () => void;
  searchComponents: () => void;
  sidebar: () => void;
  toggle: (panel: Panel) => void;
  /** Opens it, or leaves it open, with what is typed in it at hand. */
  write: (panel: "outline" | "versions") => void;
  openBottom: (tab: BottomTab) => void;
  lock: () => void;
  assistant: () => void;
}

/** What each key does. Keys about one node do nothing while none, or several, are chosen. */
export function editorKeys(around: Surroundings): EditorKeys {
  const { editor, canvas, groupName, run, openNode, showOutput, toggle, openBottom } = around;
  const one = (act: (id: string) => void) => (): void => {
    const { selection } = editor.getState();
    const [id] = selection;
    if (selection.size === 1 && id !== undefined) act(id);
  };
  const component = (act: (node: { id: string; frozen: boolean; minimised: boolean; toolMode: boolean }) => void) =>
    one((id) => {
      const node = editor.getState().flow.byId.get(id);
      if (node?.kind === "component")
        act({ id, frozen: node.badges.frozen, minimised: node.minimised, toolMode: node.badges.toolMode });
    });
  return {
    searchComponents: around.searchComponents,
    addNode: around.addNode,
    find: () => around.write("outline"),
    outline: () => toggle("outline"),
    note: around.note,
    undo: () => undo(editor),
    redo: () => redo(editor),
    selectAll: () => selectAll(editor),
    delete: () => removeSelected(editor),
    duplicate: () => duplicateSelected(editor),
    group: () => groupSelected(editor, groupName),
    ungroup: () => ungroupSelected(editor),
    arrange: around.arrange,
    lock: around.lock,
    saveVersion: () => around.write("versions"),
    run: () => run(),
    stop: () => void stopRun(editor.getState().flowId).catch(toastError),
    runNode: one((id) => run(id)),
    output: one(showOutput),
    rename: one((id) => canvas.current?.write(id)),
    freeze: component(({ id, frozen }) => edit(editor, { op: "freeze", node: id, on: !frozen })),
    minimise: component(({ id, minimised }) => edit(editor, { op: "minimise", node: id, on: !minimised })),
    toolMode: component(({ id, toolMode }) => void setToolMode(editor, id, !toolMode)),
    openNode: one(openNode),
    code: component(({ id }) => openCode(id)),
    assistant: around.assistant,
    playground: () => toggle("playground"),
    problems: () => openBottom("problems"),
    runs: () => openBottom("runs"),
    sidebar: around.sidebar,
    pointer: () => canvas.current?.setTool("pointer"),
    hand: () => canvas.current?.setTool("hand"),
  };
}

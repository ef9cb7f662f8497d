import { type NodeProps, NodeResizeControl } from "@xyflow/react";
import { memo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { NoteNode } from "@/flow/model";
import { isLight } from "@/flow/notes";
import { edit, settleStep } from "@/stores/editor/actions";
import { type Editor, useEditorOrNull } from "@/stores/editor/state";
import { Markdown } from "@/ui/Markdown";
import { useCanvas, useCanvasStore } from "../canvasStore";
import { focusNow } from "../focusNow";
import type { CardNode } from "../elements";
import { NodeBar } from "./NodeBar";

export const NoteCard = memo(function NoteCard({ data }: NodeProps<CardNode>) {
  const { t } = useTranslation();
  const { node, mark } = data;
  const editor = useEditorOrNull();
  const selected = useCanvas((state) => state.selected.has(node.id));
  const current = useCanvas((state) => state.current === node.id);
  const writing = useCanvas((state) => state.writing === node.id);
  if (node.kind !== "note") return null;
  const { colour } = node;
  return (
    <div
      role="group"
      aria-label={t("flow.card.note")}
      tabIndex={current ? 0 : -1}
      data-node-id={node.id}
      data-selected={selected || undefined}
      data-mark={mark ?? undefined}
      data-colour={colour.kind === "named" ? colour.name : colour.kind}
      data-ink={colour.kind === "hex" ? (isLight(colour.hex) ? "dark" : "light") : undefined}
      className="ff-note ff-card size-full px-4 py-3 text-sm"
      style={colour.kind === "hex" ? { background: colour.hex, borderColor: colour.hex } : undefined}
    >
      {editor && writing ? (
        <NoteText editor={editor} node={node} />
      ) : (
        <div className="ff-note-text">
          {node.markdown === "" && editor ? (
            <p className="opacity-60">{t("editor.note.empty")}</p>
          ) : (
            <Markdown source={node.markdown} />
          )}
        </div>
      )}
      {editor && selected ? <Corner editor={editor} id={node.id} /> : null}
      {editor && selected ? <NodeBar editor={editor} node={node} /> : null}
    </div>
  );
});

function NoteText({ editor, node }: { editor: Editor; node: NoteNode }) {
  const { t } = useTranslation();
  const store = useCanvasStore();
  const before = useRef(node.markdown);
  return (
    <textarea
      aria-label={t("editor.note.text")}
      placeholder={t("editor.note.placeholder")}
      defaultValue={node.markdown}
      ref={focusNow}
      className="nodrag nowheel nopan size-full resize-none bg-transparent font-mono text-xs outline-none"
      onChange={(event) => edit(editor, { op: "note", node: node.id, text: event.currentTarget.value })}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.currentTarget.closest<HTMLElement>("[data-node-id]")?.focus({ preventScroll: true });
      }}
      onFocus={(event) => event.currentTarget.setSelectionRange(before.current.length, before.current.length)}
      onBlur={() => {
        settleStep(editor);
        store.setState({ writing: null });
      }}
    />
  );
}

const SMALLEST = { width: 280, height: 140 };

function Corner({ editor, id }: { editor: Editor; id: string }) {
  const { t } = useTranslation();
  const locked = useStore(editor, (state) => state.locked);
  if (locked) return null;
  return (
    <NodeResizeControl
      nodeId={id}
      position="bottom-right"
      minWidth={SMALLEST.width}
      minHeight={SMALLEST.height}
      className="ff-resize"
      // The drawing follows the hand through the flow itself: a note is one node, and cheap.
      onResize={(_, { width, height }) =>
        edit(editor, { op: "resize", node: id, width: Math.round(width), height: Math.round(height) })
      }
      onResizeEnd={() => settleStep(editor)}
    >
      <span className="sr-only">{t("editor.note.resize")}</span>
    </NodeResizeControl>
  );
}

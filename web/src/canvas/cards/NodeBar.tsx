import { NodeToolbar, Position } from "@xyflow/react";
import { BookOpen, Code, CopyPlus, EllipsisVertical, Eye, Minimize2, Play, Snowflake, Trash2, Wrench } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { safeHref } from "@/flow/preview";
import { nodeCode } from "@/flow/nodeCode";
import type { FlowNode, NoteColour, NoteNode } from "@/flow/model";
import { edit, removeSelected } from "@/stores/editor/actions";
import { duplicateSelected, setToolMode } from "@/stores/editor/commands";
import { openCode } from "@/stores/editor/codeOpen";
import type { Editor } from "@/stores/editor/state";
import { useKeys } from "@/stores/shortcuts";
import { IconButton } from "@/ui/Button";
import { useCanvasActions } from "../canvasActions";
import { useCanvas } from "../canvasStore";

const PRESSED = "aria-pressed:bg-accent-soft aria-pressed:text-accent";

/** Above the one selected node: what is done with it most. */
export function NodeBar({ editor, node }: { editor: Editor; node: FlowNode }) {
  const alone = useStore(editor, (state) => state.selection.size === 1 && state.selection.has(node.id));
  const pulling = useCanvas((state) => state.pulling !== null);
  return alone && !pulling ? <OpenBar editor={editor} node={node} /> : null;
}

function OpenBar({ editor, node }: { editor: Editor; node: FlowNode }) {
  const { t } = useTranslation();
  const actions = useCanvasActions();
  const locked = useStore(editor, (state) => state.locked);
  const [copyKeys, deleteKeys] = [useKeys("duplicate"), useKeys("delete")];
  const [runKeys, outputKeys, codeKeys] = [useKeys("runNode"), useKeys("output"), useKeys("code")];
  return (
    <NodeToolbar
      nodeId={node.id}
      isVisible
      position={Position.Top}
      offset={12}
      // A note lies beneath the cards, its actions do not.
      style={{ zIndex: 1000 }}
      role="toolbar"
      aria-label={t("editor.bar.label", { name: node.title || t("flow.card.note") })}
      className="nodrag nopan flex items-center gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-2"
    >
      {node.kind === "note" ? <Colours editor={editor} node={node} /> : null}
      {node.kind === "component" || node.kind === "workflow" ? (
        <>
          <IconButton
            size="sm"
            label={t("editor.bar.run")}
            shortcut={runKeys}
            icon={<Play className="size-4" />}
            onClick={() => actions?.runTo(node.id)}
          />
          <IconButton
            size="sm"
            label={t("editor.bar.output")}
            shortcut={outputKeys}
            icon={<Eye className="size-4" />}
            onClick={() => actions?.showOutput(node.id)}
          />
        </>
      ) : null}
      {node.kind === "component" && nodeCode(node.raw) !== null ? (
        <IconButton
          size="sm"
          label={t("editor.code.open")}
          shortcut={codeKeys}
          icon={<Code className="size-4" />}
          onClick={() => openCode(node.id)}
        />
      ) : null}
      {node.kind === "component" && !locked ? <Switches editor={editor} node={node} /> : null}
      {locked ? null : (
        <>
          <IconButton
            size="sm"
            label={t("editor.menu.duplicate")}
            shortcut={copyKeys}
            icon={<CopyPlus className="size-4" />}
            onClick={() => duplicateSelected(editor)}
          />
          <IconButton
            size="sm"
            label={t("editor.menu.delete")}
            shortcut={deleteKeys}
            icon={<Trash2 className="size-4" />}
            onClick={() => removeSelected(editor)}
          />
        </>
      )}
      <IconButton
        size="sm"
        label={t("editor.bar.more")}
        icon={<EllipsisVertical className="size-4" />}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          actions?.openMenu(node.id, { x: box.left, y: box.bottom + 4 });
        }}
      />
    </NodeToolbar>
  );
}

function Switches({ editor, node }: { editor: Editor; node: Extract<FlowNode, { kind: "component" }> }) {
  const { t } = useTranslation();
  const capable = useStore(
    editor,
    ({ registry }) =>
      node.badges.toolMode ||
      node.fields.some((field) => field.toolMode) ||
      registry.byType.get(node.type)?.toolCapable === true,
  );
  const [freezeKeys, toolKeys, minimiseKeys] = [useKeys("freeze"), useKeys("toolMode"), useKeys("minimise")];
  const docs = safeHref(node.documentation);
  return (
    <>
      {capable ? (
        <IconButton
          size="sm"
          label={t("editor.bar.tool")}
          shortcut={toolKeys}
          aria-pressed={node.badges.toolMode}
          className={PRESSED}
          icon={<Wrench className="size-4" />}
          onClick={() => void setToolMode(editor, node.id, !node.badges.toolMode)}
        />
      ) : null}
      <IconButton
        size="sm"
        label={t("editor.bar.freeze")}
        shortcut={freezeKeys}
        aria-pressed={node.badges.frozen}
        className={PRESSED}
        icon={<Snowflake className="size-4" />}
        onClick={() => edit(editor, { op: "freeze", node: node.id, on: !node.badges.frozen })}
      />
      <IconButton
        size="sm"
        label={t("editor.bar.minimise")}
        shortcut={minimiseKeys}
        aria-pressed={node.minimised}
        className={PRESSED}
        icon={<Minimize2 className="size-4" />}
        onClick={() => edit(editor, { op: "minimise", node: node.id, on: !node.minimised })}
      />
      {docs === null ? null : (
        <IconButton
          size="sm"
          label={t("editor.bar.docs")}
          icon={<BookOpen className="size-4" />}
          onClick={() => window.open(docs, "_blank", "noopener,noreferrer")}
        />
      )}
    </>
  );
}

const NOTE_COLOURS = ["amber", "neutral", "rose", "blue", "lime", "transparent"] as const;

const colourKeys = {
  amber: "editor.note.amber",
  neutral: "editor.note.neutral",
  rose: "editor.note.rose",
  blue: "editor.note.blue",
  lime: "editor.note.lime",
  transparent: "editor.note.transparent",
} as const;

function colourName(colour: NoteColour): string {
  return colour.kind === "named" ? colour.name : colour.kind;
}

function Colours({ editor, node }: { editor: Editor; node: NoteNode }) {
  const { t } = useTranslation();
  const locked = useStore(editor, (state) => state.locked);
  if (locked) return null;
  return (
    <div role="group" aria-label={t("editor.note.colour")} className="flex items-center gap-1 px-1">
      {NOTE_COLOURS.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={t(colourKeys[name])}
          title={t(colourKeys[name])}
          aria-pressed={colourName(node.colour) === name}
          data-colour={name}
          className="ff-note ff-swatch size-5 rounded-full"
          onClick={() => edit(editor, { op: "note", node: node.id, color: name })}
        />
      ))}
    </div>
  );
}

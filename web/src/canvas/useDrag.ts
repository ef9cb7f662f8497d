import type { NodeChange } from "@xyflow/react";
import { useMemo, useState } from "react";
import type { Point } from "@/flow/model";
import { select } from "@/stores/editor/actions";
import { moveNodes } from "@/stores/editor/commands";
import type { Editor } from "@/stores/editor/state";
import type { CardNode } from "./elements";

type Places = ReadonlyMap<string, Point>;

/** Nodes under the hand follow it here; the flow hears of it once, when they are let go. */
export function useDrag(editor: Editor, placed: CardNode[]) {
  const [drag, setDrag] = useState<Places | null>(null);
  const nodes = useMemo(
    () =>
      drag === null
        ? placed
        : placed.map((node) => {
            const position = drag.get(node.id);
            return position ? { ...node, position } : node;
          }),
    [placed, drag],
  );

  const onNodesChange = (changes: NodeChange<CardNode>[]): void => {
    let moved: Map<string, Point> | null = null;
    let selection: Set<string> | null = null;
    for (const change of changes) {
      if (change.type === "position" && change.position && change.dragging) {
        moved ??= new Map(drag);
        moved.set(change.id, change.position);
      } else if (change.type === "select") {
        selection ??= new Set(editor.getState().selection);
        if (change.selected) selection.add(change.id);
        else selection.delete(change.id);
      }
    }
    if (moved) setDrag(moved);
    if (selection) select(editor, selection);
  };

  const onStop = (_: unknown, second: CardNode | CardNode[], third?: CardNode[]): void => {
    const stopped = Array.isArray(second) ? second : (third ?? [second]);
    setDrag(null);
    const { flow } = editor.getState();
    moveNodes(
      editor,
      stopped.flatMap(({ id, position }) => {
        const place = { x: Math.round(position.x), y: Math.round(position.y) };
        const before = flow.byId.get(id)?.position;
        return before && (before.x !== place.x || before.y !== place.y) ? [{ node: id, ...place }] : [];
      }),
    );
  };

  return { nodes, onNodesChange, onStop };
}

import { useStore } from "zustand";
import { FieldControl } from "@/fields/FieldControl";
import type { FieldRow } from "@/flow/card";
import type { ComponentNode } from "@/flow/model";
import { edit, settleStep } from "@/stores/editor/actions";
import { rawField, refreshNode, setField, setVariable } from "@/stores/editor/commands";
import type { Editor } from "@/stores/editor/state";

/** A field of a card that can be set where it stands. */
export function CardField({
  editor,
  node,
  row,
  place = "card",
}: {
  editor: Editor;
  node: ComponentNode;
  row: Pick<FieldRow, "field" | "shape">;
  place?: "card" | "panel";
}) {
  const { field, shape } = row;
  const locked = useStore(editor, (state) => state.locked);
  const busy = useStore(editor, (state) => state.refreshing.has(node.id));
  return (
    <FieldControl
      flowId={editor.getState().flowId}
      nodeId={node.id}
      component={node.type}
      field={field}
      raw={rawField(editor, node.id, field.name)}
      place={place}
      shape={shape}
      label={field.label}
      readOnly={locked}
      busy={busy}
      onChange={(value, beside) => setField(editor, node.id, field.name, value, beside)}
      onVariable={(name) => setVariable(editor, node.id, field.name, name)}
      onConnectionMode={(on) => edit(editor, { op: "connection_mode", node: node.id, on })}
      onRefresh={() => void refreshNode(editor, node.id, field.name)}
      onLeave={() => settleStep(editor)}
    />
  );
}

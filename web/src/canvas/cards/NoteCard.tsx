import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { isLight } from "@/flow/notes";
import { Markdown } from "@/ui/Markdown";
import { useCanvas } from "../canvasStore";
import type { CardNode } from "../elements";

export const NoteCard = memo(function NoteCard({ data }: NodeProps<CardNode>) {
  const { t } = useTranslation();
  const { node, mark } = data;
  const selected = useCanvas((state) => state.selected === node.id);
  const current = useCanvas((state) => state.current === node.id);
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
      <div className="ff-note-text">
        <Markdown source={node.markdown} />
      </div>
    </div>
  );
});

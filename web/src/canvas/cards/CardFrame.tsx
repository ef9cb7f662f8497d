import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CardLayout } from "@/flow/card";
import type { Mark } from "@/flow/diff";
import type { FlowNode } from "@/flow/model";
import { cx } from "@/ui/cx";
import { useCanvas } from "../canvasStore";
import { NodeIcon } from "../icons/NodeIcon";
import { PortDot } from "../PortDot";
import { useEditorOrNull } from "@/stores/editor/state";
import { NodeBar } from "./NodeBar";
import { NodeStatus } from "./NodeStatus";

export interface CardProps {
  node: FlowNode;
  layout: CardLayout;
  mark: Mark | null;
}

const markKeys = {
  added: "flow.mark.added",
  changed: "flow.mark.changed",
  removed: "flow.mark.removed",
} as const;

const markTones = {
  added: "bg-ok text-surface",
  changed: "bg-warn text-surface",
  removed: "bg-danger text-on-danger",
};

/** The box every node is drawn in: focus, selection, marks, ports, and the tile it becomes when seen from afar. */
export function CardFrame({
  node,
  layout,
  mark,
  label,
  unknown,
  className,
  children,
}: CardProps & { label: string; unknown?: boolean; className?: string; children: ReactNode }) {
  const { t } = useTranslation();
  const selected = useCanvas((state) => state.selected.has(node.id));
  const current = useCanvas((state) => state.current === node.id);
  const compact = useCanvas((state) => state.compact);
  // Hundreds of cards seen from afar: their ports could be neither seen nor caught, and are most of the work.
  const bare = useCanvas((state) => state.compact && state.crowded && state.pulling === null);
  const editor = useEditorOrNull();
  return (
    <div
      role="group"
      tabIndex={current ? 0 : -1}
      aria-label={mark ? `${label}, ${t(markKeys[mark])}` : label}
      aria-current={selected || undefined}
      data-node-id={node.id}
      data-selected={selected || undefined}
      data-mark={mark ?? undefined}
      data-unknown={unknown || undefined}
      data-tile={compact || undefined}
      className={cx("ff-card relative size-full text-xs text-ink", className)}
    >
      {compact ? <Tile node={node} /> : children}
      {editor ? <NodeStatus flowId={editor.getState().flowId} nodeId={node.id} /> : null}
      {editor && selected ? <NodeBar editor={editor} node={node} /> : null}
      {mark ? (
        <span
          aria-hidden="true"
          className={cx(
            "absolute -top-2.5 right-3 rounded-full px-2 text-2xs font-semibold",
            markTones[mark],
          )}
        >
          {t(markKeys[mark])}
        </span>
      ) : null}
      {bare ? null : node.ports.map((port) => (
        <PortDot
          node={node.id}
          key={port.id}
          port={port}
          place={layout.ports.get(port.id)}
          plain={compact && port.role !== "control"}
        />
      ))}
    </div>
  );
}

/** Seen from afar only the icon and the title can be read, so they are drawn large. */
function Tile({ node }: { node: FlowNode }) {
  return (
    <div className="flex size-full items-center justify-center gap-3 overflow-hidden px-5">
      <NodeIcon name={node.icon} className="size-9 shrink-0 text-muted" />
      <span className="line-clamp-2 min-w-0 text-[26px] leading-8 font-semibold break-words">
        {node.title}
      </span>
    </div>
  );
}

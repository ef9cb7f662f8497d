import { getBezierPath, Position } from "@xyflow/react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type CardLayout, flowLayouts } from "@/flow/card";
import type { FlowDocument } from "@/flow/edit/document";
import type { Flow, Point, Wire } from "@/flow/model";
import { parseFlow } from "@/flow/parse";
import { NodeIcon } from "../icons/NodeIcon";
import { useReach } from "./useReach";

interface Drawn {
  flow: Flow;
  layouts: ReadonlyMap<string, CardLayout>;
}

/** Cards and wires that are not there yet, where they would come to stand. */
export function Ghosts({ document }: { document: FlowDocument }) {
  const { t } = useTranslation();
  const drawn = useMemo((): Drawn => {
    const flow = parseFlow(document);
    return { flow, layouts: flowLayouts(flow) };
  }, [document]);
  const { flow, layouts } = drawn;
  useInView(drawn);
  return (
    <div role="group" aria-label={t("assistant.review.ghosts", { count: flow.nodes.length })} data-testid="assistant-ghosts">
      <svg className="ff-review-wires" aria-hidden="true">
        {flow.wires.map((wire) => (
          <path key={wire.id} className="ff-review-wire" d={pathOf(wire, drawn)} />
        ))}
      </svg>
      {flow.nodes.map((node) => {
        const size = layouts.get(node.id)?.size;
        const { x, y } = node.position;
        const name = node.kind === "note" ? t("flow.card.note") : node.title || node.type;
        return (
          <div
            key={node.id}
            role="img"
            aria-label={t("assistant.review.ghost", { name })}
            className="ff-ghost"
            style={{ ...size, transform: `translate(${x}px, ${y}px)` }}
          >
            <div className="flex h-11 items-center gap-2 px-4">
              <NodeIcon name={node.icon} className="size-4 shrink-0 text-accent" />
              <span className="min-w-0 truncate text-sm font-semibold">{name}</span>
            </div>
            <p className="line-clamp-2 px-4 text-xs text-muted">{node.description}</p>
            <span className="ff-review-sign">
              <span>+</span>
              {t("assistant.review.ghostSign")}
            </span>
          </div>
        );
      })}
    </div>
  );
}

function pathOf(wire: Wire, { flow, layouts }: Drawn): string {
  const end = (id: string, port: string, side: "in" | "out"): Point => {
    const place = flow.byId.get(id)?.position ?? { x: 0, y: 0 };
    const layout = layouts.get(id);
    const { width = 0, height = 0 } = layout?.size ?? {};
    const { x, y } = layout?.ports.get(port) ?? { x: side === "out" ? width : 0, y: height / 2 };
    return { x: place.x + x, y: place.y + y };
  };
  const from = end(wire.source, wire.sourcePort, "out");
  const to = end(wire.target, wire.targetPort, "in");
  const [path] = getBezierPath({
    sourceX: from.x,
    sourceY: from.y,
    sourcePosition: Position.Right,
    targetX: to.x,
    targetY: to.y,
    targetPosition: Position.Left,
  });
  return path;
}

/** Only when it comes or grows: not with every change of the flow beside it. */
function useInView({ flow, layouts }: Drawn): void {
  const reach = useReach();
  const shown = useRef(0);
  useEffect(() => {
    const before = shown.current;
    shown.current = flow.nodes.length;
    if (flow.nodes.length <= before) return;
    reach(flow.nodes.map(({ id, position }) => ({ ...position, ...(layouts.get(id)?.size ?? { width: 0, height: 0 }) })));
  }, [flow, layouts, reach]);
}

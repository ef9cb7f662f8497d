import { type EdgeProps, getBezierPath, getSmoothStepPath } from "@xyflow/react";
import { memo } from "react";
import { portLook } from "@/flow/portTypes";
import { useCanvas } from "./canvasStore";
import type { WireEdge } from "./elements";

export const ARROW = "ff-arrow";

export const WireLine = memo(function WireLine({
  id,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
  data,
}: EdgeProps<WireEdge>) {
  const lit = useCanvas((state) => state.lit.has(id));
  const dim = useCanvas((state) => state.hovered !== null && state.lit.size > 0 && !state.lit.has(id));
  const wire = data?.wire;
  const control = wire?.kind === "control";
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  const lane = data?.lane ?? null;
  const [path] =
    lane === null
      ? getBezierPath(ends)
      : getSmoothStepPath({ ...ends, centerY: lane, borderRadius: 16, offset: 28 });
  const key = control ? "control" : portLook(wire?.type).key;
  return (
    <path
      d={path}
      className="ff-wire"
      style={{ stroke: `var(--type-${key})` }}
      markerEnd={control ? `url(#${ARROW})` : undefined}
      data-lit={lit || undefined}
      data-dim={dim || undefined}
      data-broken={wire?.broken || undefined}
      data-mark={data?.mark ?? undefined}
    />
  );
});

/** The head of control wires; drawn once and referred to by every wire. */
export function ArrowHead() {
  return (
    <svg aria-hidden="true" className="absolute size-0">
      <defs>
        <marker
          id={ARROW}
          viewBox="0 0 10 10"
          refX="8"
          refY="5"
          markerWidth="12"
          markerHeight="12"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0 L10 5 L0 10 Z" className="ff-arrow" />
        </marker>
      </defs>
    </svg>
  );
}

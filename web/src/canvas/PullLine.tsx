import { type ConnectionLineComponentProps, getBezierPath } from "@xyflow/react";
import { useCanvas } from "./canvasStore";

/** The wire under the hand. */
export function PullLine({
  fromX,
  fromY,
  toX,
  toY,
  fromPosition,
  toPosition,
  connectionStatus,
}: ConnectionLineComponentProps) {
  const side = useCanvas((state) => state.pulling?.side ?? "out");
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  });
  return <path d={path} className="ff-wire ff-pull" data-status={connectionStatus ?? "open"} data-side={side} />;
}

import { EdgeLabelRenderer, type EdgeProps, getBezierPath, getSmoothStepPath } from "@xyflow/react";
import { X } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { portLook } from "@/flow/portTypes";
import { edit } from "@/stores/editor/actions";
import { type Editor, useEditorOrNull } from "@/stores/editor/state";
import { useWireCarries } from "@/stores/run";
import type { Wire } from "@/flow/model";
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
  selected,
}: EdgeProps<WireEdge>) {
  const editor = useEditorOrNull();
  const lit = useCanvas((state) => state.lit.has(id));
  const dim = useCanvas((state) => state.hovered !== null && state.lit.size > 0 && !state.lit.has(id));
  const wire = data?.wire;
  const control = wire?.kind === "control";
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  const lane = data?.lane ?? null;
  const [path, middleX, middleY] =
    lane === null
      ? getBezierPath(ends)
      : getSmoothStepPath({ ...ends, centerY: lane, borderRadius: 16, offset: 28 });
  const key = control ? "control" : portLook(wire?.type).key;
  return (
    <>
      <path
        d={path}
        className="ff-wire"
        style={{ stroke: `var(--type-${key})` }}
        markerEnd={control ? `url(#${ARROW})` : undefined}
        data-lit={lit || undefined}
        data-dim={dim || undefined}
        data-broken={wire?.broken || undefined}
        data-mark={data?.mark ?? undefined}
        data-selected={selected || undefined}
      />
      {editor && wire ? <Carrying editor={editor} wire={wire} path={path} /> : null}
      {editor ? <path d={path} className="react-flow__edge-interaction ff-wire-ground" /> : null}
      {editor && selected ? <CutButton editor={editor} id={id} x={middleX} y={middleY} /> : null}
    </>
  );
});

/** Dashes that run along the wire while something is on its way. */
function Carrying({ editor, wire, path }: { editor: Editor; wire: Wire; path: string }) {
  const carries = useWireCarries(editor.getState().flowId, wire);
  return carries ? <path d={path} className="ff-wire-carrying" /> : null;
}

function CutButton({ editor, id, x, y }: { editor: Editor; id: string; x: number; y: number }) {
  const { t } = useTranslation();
  return (
    <EdgeLabelRenderer>
      <button
        type="button"
        aria-label={t("editor.wire.remove")}
        title={t("editor.wire.remove")}
        className="nodrag nopan ff-cut absolute flex size-6 items-center justify-center rounded-full border border-line-strong bg-raised text-muted shadow-2 hover:text-danger"
        style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        onClick={() => edit(editor, { op: "cut", wire: id })}
      >
        <X aria-hidden="true" className="size-3.5" />
      </button>
    </EdgeLabelRenderer>
  );
}

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

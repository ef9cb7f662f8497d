import { memo, useMemo } from "react";
import { miniature } from "@/flow/miniature";
import type { Flow } from "@/flow/model";
import { cx } from "@/ui/cx";

const WIDTH = 320;
const HEIGHT = 100;
/** A narrower box has no room for its name. */
const NAMED = 24;
/** Of a letter, on average. */
const LETTER = 3;

/** A flow in outline, with names where there is room. Its nodes are listed beside it for those who do not see it. */
export const MiniCanvas = memo(function MiniCanvas({ flow, muted = false }: { flow: Flow; muted?: boolean }) {
  const { nodes, wires } = useMemo(() => miniature(flow, WIDTH, HEIGHT), [flow]);
  if (nodes.length === 0) return null;
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={cx("block h-auto max-h-56 w-full bg-sunken", muted && "opacity-60 grayscale")}
    >
      {wires.map(({ id, path, type }) => (
        <path key={id} d={path} fill="none" strokeWidth="1" style={{ stroke: `var(--type-${type})` }} />
      ))}
      {nodes.map(({ id, note, ...box }) => (
        <g key={id}>
          <rect
            {...box}
            rx="2"
            strokeWidth="0.7"
            className={note ? "fill-warn-soft stroke-line-strong" : "fill-surface stroke-line-strong"}
          />
          {!note && box.width >= NAMED && box.height >= 8 ? (
            <text x={box.x + 3} y={box.y + 7} fontSize="5.5" className="fill-ink">
              {short(flow.byId.get(id)?.title ?? "", box.width - 6)}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  );
});

function short(name: string, width: number): string {
  const letters = Math.floor(width / LETTER);
  return name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;
}

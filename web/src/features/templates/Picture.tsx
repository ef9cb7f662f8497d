import { memo, useMemo } from "react";
import { miniature } from "@/flow/miniature";
import type { Flow } from "@/flow/model";

const WIDTH = 280;
const HEIGHT = 110;

/** A flow in outline. */
export const Picture = memo(function Picture({ flow }: { flow: Flow }) {
  const { nodes, wires } = useMemo(() => miniature(flow, WIDTH, HEIGHT), [flow]);
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="block h-auto w-full bg-sunken">
      {wires.map(({ id, path, type }) => (
        <path key={id} d={path} fill="none" strokeWidth="1.5" style={{ stroke: `var(--type-${type})` }} />
      ))}
      {nodes.map(({ id, note, ...box }) => (
        <rect
          key={id}
          {...box}
          rx="2.5"
          className={note ? "fill-warn-soft stroke-line-strong" : "fill-surface stroke-line-strong"}
        />
      ))}
    </svg>
  );
});

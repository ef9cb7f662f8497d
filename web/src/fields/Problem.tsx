import { CircleAlert } from "lucide-react";
import { createPortal } from "react-dom";
import type { RefObject } from "react";
import { Tooltip } from "@/ui/Tooltip";
import type { ControlProps } from "./props";

/** What is wrong with a value: under the control in a panel; in a card a sign, and a bubble while it is being typed. */
export function Problem({
  id,
  text,
  place,
  anchor,
  bubble,
}: {
  id: string;
  text: string;
  place: ControlProps["place"];
  anchor: RefObject<HTMLElement | null>;
  bubble: boolean;
}) {
  if (place === "panel")
    return (
      <p id={id} className="mt-1 text-xs text-danger">
        {text}
      </p>
    );
  return (
    <>
      <span id={id} className="sr-only">
        {text}
      </span>
      {bubble
        ? createPortal(
            <div
              aria-hidden="true"
              ref={(box) => {
                const at = anchor.current?.getBoundingClientRect();
                if (!box || !at) return;
                box.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.offsetWidth - 4))}px`;
                box.style.top = `${at.bottom + 4 + box.offsetHeight > innerHeight ? at.top - 4 - box.offsetHeight : at.bottom + 4}px`;
              }}
              className="pointer-events-none fixed top-0 left-0 z-70 max-w-72 rounded-md border border-danger bg-raised px-2 py-1 text-xs text-danger shadow-2"
            >
              {text}
            </div>,
            document.body,
          )
        : null}
    </>
  );
}

export function ProblemSign({ text }: { text: string }) {
  return (
    <Tooltip label={text}>
      <span className="nodrag mr-1 flex shrink-0 text-danger">
        <CircleAlert aria-hidden="true" className="size-3.5" />
      </span>
    </Tooltip>
  );
}

import { cx } from "@/ui/cx";
import type { ControlProps } from "./props";

/** Keeps the canvas from taking presses, wheels and keys that are meant for a control. */
export const still = "nodrag nopan nokey";

const frame =
  "w-full min-w-0 rounded-md border bg-bg transition-colors focus-within:border-accent aria-invalid:border-danger";

/** The box a control sits in, as high as its place allows. */
export function boxClass({ place, shape, readOnly }: Pick<ControlProps, "place" | "shape" | "readOnly">): string {
  return cx(
    still,
    frame,
    "flex items-center",
    place === "panel" ? "border-line-strong text-sm" : "border-line text-xs",
    place === "panel" ? (shape === "tall" ? "min-h-20" : "min-h-(--control-h)") : shape === "tall" ? "h-[46px]" : "h-7",
    readOnly ? "opacity-70" : "hover:border-faint",
  );
}

/** An input without a frame of its own: its box shows the focus. */
export const bareInput =
  "h-full w-full min-w-0 flex-1 bg-transparent px-2 outline-none disabled:cursor-not-allowed";

export const smallButton =
  "nodrag nopan nokey flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink disabled:opacity-50";

/** As a ref: what appears in answer to a press takes the focus. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

/** A text longer than this is shown cut, and edited in the editor only: an input this long would freeze the page. */
export const LONG_TEXT = 20_000;
/** From here on a text area is too slow for the editor as well. */
export const HUGE_TEXT = 100_000;

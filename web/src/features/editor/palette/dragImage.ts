import type { DragEvent } from "react";
import { DRAG_TYPE } from "@/flow/palette";

/** Puts the component into the drag and a small card under the pointer. */
export function startDrag(event: DragEvent<HTMLElement>, type: string, name: string): void {
  event.dataTransfer.effectAllowed = "copy";
  event.dataTransfer.setData(DRAG_TYPE, type);
  const card = document.createElement("div");
  card.className =
    "fixed -top-96 left-0 flex h-10 w-52 items-center gap-2 rounded-lg border border-accent bg-surface px-3 text-sm font-medium text-ink";
  const icon = event.currentTarget.querySelector("svg")?.cloneNode(true);
  if (icon) card.append(icon);
  card.append(name);
  document.body.append(card);
  event.dataTransfer.setDragImage(card, 20, 20);
  // The browser takes its picture after this handler.
  setTimeout(() => card.remove());
}

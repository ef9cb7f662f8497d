import { createContext, use } from "react";
import type { Point } from "@/flow/model";

/** What cards ask of the page around the canvas. */
export interface CanvasActions {
  runTo: (node: string) => void;
  showOutput: (node: string, output?: string) => void;
  openMenu: (node: string, at: Point) => void;
  openNode: (node: string) => void;
}

export const CanvasActionsContext = createContext<CanvasActions | null>(null);

export function useCanvasActions(): CanvasActions | null {
  return use(CanvasActionsContext);
}

import { create } from "zustand";
import type { FlowDocument } from "@/flow/edit/document";

/** What became of a node, or would. */
export type ReviewMark = "added" | "changed" | "removed";

/** One field of a node that waits for a yes. */
export interface ReviewChip {
  id: string;
  /** The field, as its card calls it. */
  label: string;
  accept: () => void;
  reject: () => void;
}

/** What the canvas shows of changes that are still to be looked at. */
export interface Review {
  marks: ReadonlyMap<string, ReviewMark>;
  /** Nodes that somebody is at work on. */
  working: ReadonlySet<string>;
  /** Nodes and wires of a proposal, where they would come to stand. */
  ghosts: FlowDocument | null;
  /** By node. */
  chips: ReadonlyMap<string, readonly ReviewChip[]>;
}

export interface ReviewState extends Review {
  /** The flow it is about; null when there is nothing to show. */
  flowId: string | null;
  /** What somebody points at: adding, or putting in the place of everything. */
  hovered: "add" | "replace" | null;
}

const NOTHING: Review = { marks: new Map(), working: new Set(), ghosts: null, chips: new Map() };

export const useReview = create<ReviewState>(() => ({
  ...NOTHING,
  flowId: null,
  hovered: null,
}));

export function showReview(flowId: string, review: Review): void {
  const { marks, working, ghosts, chips } = review;
  const empty = marks.size === 0 && working.size === 0 && ghosts === null && chips.size === 0;
  if (empty) hideReview(flowId);
  else useReview.setState({ ...review, flowId });
}

/** Takes everything off the canvas of this flow. */
export function hideReview(flowId: string): void {
  if (useReview.getState().flowId === flowId) useReview.setState({ ...NOTHING, flowId: null });
}

export function setHoveredMode(mode: "add" | "replace" | null): void {
  if (useReview.getState().hovered !== mode) useReview.setState({ hovered: mode });
}

import type { VersionEntry } from "@/api/types";

/** One side of a comparison: the draft, or a saved version. */
export type Side = { kind: "draft" } | { kind: "version"; entry: VersionEntry };

/** What the canvas shows. */
export type Shown = Side | { kind: "compare"; from: Side; to: Side };

/** What is only looked at. */
export type Looked = Exclude<Shown, { kind: "draft" }>;

export const DRAFT: Side = { kind: "draft" };

export function sideId(side: Side): string {
  return side.kind === "draft" ? "draft" : side.entry.id;
}

/** Names a drawing, so that the canvas knows when it has something else in front of it. */
export function drawingOf(shown: Shown): string {
  return shown.kind === "compare" ? `${sideId(shown.from)}…${sideId(shown.to)}` : sideId(shown);
}

/** Tenants of the dock. */
export type Panel = "inspector" | "output" | "outline" | "details" | "versions" | "playground";

import { expect, it } from "vitest";
import type { FlowHeader, FlowRead } from "@/api/types";
import { staleRows } from "./stale";

const mine = { name: "A", description: null, tags: ["x"], locked: false, access_type: "PRIVATE" } as FlowHeader;

it("shows what they changed and what this write would change", () => {
  const current = { ...mine, data: null, name: "B", tags: ["x", "y"] } as unknown as FlowRead;
  expect(staleRows({ mine, patch: { name: "C" }, current })).toEqual([
    { field: "name", before: "A", theirs: "B", mine: "C" },
    { field: "tags", before: "x", theirs: "x, y", mine: null },
  ]);
});

it("is empty when only the canvas changed", () => {
  const current = { ...mine, data: { nodes: [], edges: [] } } as unknown as FlowRead;
  expect(staleRows({ mine, patch: {}, current })).toEqual([]);
});

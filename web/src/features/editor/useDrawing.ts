import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FlowDiff, FlowRead } from "@/api/types";
import { diffVersions, getVersion, versionKeys } from "@/api/versions";
import type { Marks } from "@/canvas/elements";
import { compareFlows } from "@/flow/diff";
import type { Flow } from "@/flow/model";
import { parseFlow } from "@/flow/parse";
import { type Shown, type Side, sideId } from "./views";

export interface Drawing {
  /** Null while what is to be shown is still on its way. */
  flow: Flow | null;
  marks: Marks | null;
  diff: FlowDiff | null;
  error: unknown;
  retry: () => void;
}

function useSide(flow: FlowRead, side: Side | null) {
  const entry = side?.kind === "version" ? side.entry : null;
  const query = useQuery({
    queryKey: versionKeys.one(flow.id, entry?.id ?? ""),
    queryFn: () => getVersion(flow.id, entry?.id ?? ""),
    enabled: entry !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const document = side === null ? undefined : side.kind === "draft" ? flow.data : query.data?.data;
  const parsed = useMemo(() => (document === undefined ? null : parseFlow(document ?? {})), [document]);
  return { parsed, error: query.error, refetch: query.refetch };
}

/** Fetches and reads whatever the canvas is to show. */
export function useDrawing(flow: FlowRead, shown: Shown): Drawing {
  const comparing = shown.kind === "compare";
  const main = useSide(flow, comparing ? shown.to : shown);
  const other = useSide(flow, comparing ? shown.from : null);
  const from = comparing ? sideId(shown.from) : "";
  const to = comparing ? sideId(shown.to) : "";
  const diff = useQuery({
    queryKey: [...versionKeys.diff(flow.id, from, to), flow.revision],
    queryFn: () => diffVersions(flow.id, from, to),
    enabled: comparing,
  });
  const comparison = useMemo(() => {
    if (!comparing || !main.parsed || !other.parsed || !diff.data) return null;
    return compareFlows(
      other.parsed,
      main.parsed,
      diff.data.nodes_changed.map((entry) => entry.node.id),
    );
  }, [comparing, main.parsed, other.parsed, diff.data]);
  const marks = useMemo(
    () => (comparison ? { nodes: comparison.nodeMarks, wires: comparison.wireMarks } : null),
    [comparison],
  );
  return {
    flow: comparing ? (comparison?.flow ?? null) : main.parsed,
    marks,
    diff: comparing ? (diff.data ?? null) : null,
    error: main.error ?? other.error ?? diff.error,
    retry: () => {
      if (main.error) void main.refetch();
      if (other.error) void other.refetch();
      if (diff.error) void diff.refetch();
    },
  };
}

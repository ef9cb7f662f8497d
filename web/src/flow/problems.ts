import type { FlowNode, Problem, ProblemCode } from "./model";

/** A flow while it is being read. */
export interface Draft {
  nodes: FlowNode[];
  byId: Map<string, FlowNode>;
  problems: Problem[];
}

export function problem(
  code: ProblemCode,
  lost: boolean,
  node: string | null,
  params: Record<string, string> = {},
): Problem {
  return { code, lost, node, params };
}

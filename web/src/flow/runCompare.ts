import { byNode, type NodeSteps, type RunDetail, shownText, type StepOutput } from "./runDetail";

export interface OutputPair {
  name: string;
  a: string | null;
  b: string | null;
  same: boolean;
  /** Only the beginning of one side is known here. */
  cut: boolean;
}

/** One node in two runs. */
export interface NodePair {
  node: string;
  name: string;
  a: NodeSteps | null;
  b: NodeSteps | null;
  sameState: boolean;
  outputs: OutputPair[];
  /** Another state, another output, or in one of the runs only. */
  differs: boolean;
}

/** Two runs node by node, in the order of the first; then what only the second has. */
export function compareRuns(a: RunDetail, b: RunDetail): NodePair[] {
  const left = new Map(byNode(a.steps).map((node) => [node.node, node]));
  const right = new Map(byNode(b.steps).map((node) => [node.node, node]));
  const ids = new Set([...left.keys(), ...right.keys()]);
  return [...ids].map((id) => pair(id, left.get(id) ?? null, right.get(id) ?? null));
}

function pair(node: string, a: NodeSteps | null, b: NodeSteps | null): NodePair {
  const outputs = pairOutputs(lastOutputs(a), lastOutputs(b));
  const sameState = resultOf(a) === resultOf(b);
  return {
    node,
    name: a?.name ?? b?.name ?? node,
    a,
    b,
    sameState,
    outputs,
    differs: !sameState || outputs.some((output) => !output.same),
  };
}

/** Taken over from another run or made anew is the same result. */
function resultOf(node: NodeSteps | null): string | null {
  return node?.state === "reused" ? "done" : (node?.state ?? null);
}

function lastOutputs(node: NodeSteps | null): StepOutput[] {
  return node?.steps.findLast((step) => step.outputs.length > 0)?.outputs ?? [];
}

function pairOutputs(a: readonly StepOutput[], b: readonly StepOutput[]): OutputPair[] {
  const names = [...new Set([...a, ...b].map((output) => output.name))];
  return names.map((name) => {
    const left = a.find((output) => output.name === name);
    const right = b.find((output) => output.name === name);
    const before = left ? shownText(left.shown) : null;
    const after = right ? shownText(right.shown) : null;
    return {
      name,
      a: before,
      b: after,
      same: before === after && left?.shown.bytes === right?.shown.bytes,
      cut: left?.shown.cut === true || right?.shown.cut === true,
    };
  });
}

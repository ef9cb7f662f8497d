import type { Wire } from "./model";
import type { NodeOutput, NodeRun, RunState } from "./runState";

/** These nodes were changed after they ran: they, and all that depends on them, no longer show what would come out. */
export function markStale(run: RunState, ids: readonly string[], wires: readonly Wire[]): RunState {
  if (run.nodes.size === 0) return run;
  let nodes: Map<string, NodeRun> | null = null;
  for (const id of downstream(ids, wires)) {
    const node = run.nodes.get(id);
    if (!node || !["done", "error", "skipped", "frozen", "cancelled"].includes(node.state)) continue;
    nodes ??= new Map(run.nodes);
    nodes.set(id, { ...node, state: "stale" });
  }
  return nodes ? { ...run, nodes } : run;
}

/** The nodes themselves and all that their wires lead to. */
export function downstream(ids: readonly string[], wires: readonly Wire[]): Set<string> {
  const after = new Map<string, string[]>();
  for (const { source, target } of wires) {
    const targets = after.get(source);
    if (targets) targets.push(target);
    else after.set(source, [target]);
  }
  const reached = new Set(ids);
  // A set takes in, while it is walked, what is added to it.
  for (const id of reached) for (const target of after.get(id) ?? []) reached.add(target);
  return reached;
}

/** Whether something crosses this wire right now: its end works with what its beginning made. */
export function carries(run: RunState, wire: Wire): boolean {
  if (run.status !== "running") return false;
  const target = run.nodes.get(wire.target);
  const source = run.nodes.get(wire.source);
  if (target?.state !== "running" || !source || source.runId !== target.runId) return false;
  return source.state === "done" || source.state === "frozen"
    ? !source.stopped.includes(outputName(wire))
    : source.state === "running" && source.of !== null;
}

/** What an output's port is called without the side it is on. */
export function outputName(wire: Wire): string {
  return wire.sourcePort.slice(wire.sourcePort.indexOf(":") + 1);
}

/** What crossed a wire in the last run; null where nothing did. */
export function crossed(node: NodeRun, wire: Wire): NodeOutput | null {
  const name = outputName(wire);
  return node.outputs.find((output) => output.name === name) ?? null;
}

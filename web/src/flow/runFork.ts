import type { RunDetail, RunStep } from "./runDetail";

/** The nodes whose results a node took in, near and far. */
function before(steps: readonly RunStep[], node: string): Set<string> {
  const found = new Set<string>();
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const step of steps) {
      if (step.node !== next) continue;
      for (const { source, from } of step.inputs) {
        const origin = source === "wire" && from !== null ? from.slice(0, from.lastIndexOf(".")) : "";
        if (origin === "" || origin === node || found.has(origin)) continue;
        found.add(origin);
        open.push(origin);
      }
    }
  }
  return found;
}

/**
 * The name of the node that read the run's input and is not run again when the run begins at another node: a new
 * input would change nothing then. Null where it is read.
 */
export function unreadInput({ steps }: Pick<RunDetail, "steps">, node: string): string | null {
  if (node === "") return null;
  const readers = steps.filter((step) => step.inputs.some(({ source }) => source === "input"));
  const taken = before(steps, node);
  return readers.every((step) => taken.has(step.node)) ? (readers[0]?.name ?? null) : null;
}

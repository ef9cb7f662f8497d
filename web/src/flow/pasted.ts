import { isRecord, text } from "./json";

/** What a pasted text is, as far as an import is concerned. */
export type Pasted =
  | { kind: "flow"; name: string }
  /** Readable JSON, but there is no flow in it. */
  | { kind: "notFlow" }
  | { kind: "notJson" };

/** A flow (`{name, data}`), its bare document (`{nodes, edges}`), `{flows: […]}` or a list of flows. */
export function readPasted(pasted: string): Pasted {
  let value: unknown;
  try {
    value = JSON.parse(pasted);
  } catch {
    return { kind: "notJson" };
  }
  const flows: unknown[] = Array.isArray(value)
    ? value
    : isRecord(value) && Array.isArray(value.flows)
      ? value.flows
      : [value];
  if (flows.length === 0 || !flows.every(isFlow)) return { kind: "notFlow" };
  const [first] = flows;
  return { kind: "flow", name: flows.length === 1 && isRecord(first) ? text(first.name) : "" };
}

function isFlow(value: unknown): boolean {
  return isRecord(value) && (Array.isArray(value.nodes) || (isRecord(value.data) && Array.isArray(value.data.nodes)));
}

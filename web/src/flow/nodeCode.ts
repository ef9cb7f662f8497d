import { getAt } from "./edit/values";
import { isRecord, type JsonRecord } from "./json";

/** The Python of a node; null when it has none to read or change. */
export function nodeCode(raw: JsonRecord | undefined): string | null {
  const entry = getAt(raw, ["data", "node", "template", "code"]);
  return isRecord(entry) && typeof entry.value === "string" ? entry.value : null;
}

/** The line of the person's own code that a message speaks of. */
export function lineIn(message: string): number | null {
  const found = /\bline (\d{1,6})\b/i.exec(message)?.[1];
  return found === undefined || found === "0" ? null : Number(found);
}

/** The node and the line that a refusal speaks of first, as in "Shout (Shout-a1b2c), line 3". */
export function placeIn(message: string): { node: string; line: number } | null {
  const [, node, line] = /\(([^()\s]+)\), line (\d{1,6})\b/.exec(message) ?? [];
  return node === undefined || line === undefined || Number(line) === 0 ? null : { node, line: Number(line) };
}

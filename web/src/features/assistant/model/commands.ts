import { HISTORY_MOST, ITERATIONS_LEAST, ITERATIONS_MOST } from "./protocol";

/** What the person asks of the page itself. `limit` undefined: only to be told. */
export type Command =
  | { kind: "skipAll" }
  | { kind: "history" | "iterations"; limit: number | null | undefined }
  | { kind: "usage"; command: "history" | "iterations" };

type Limited = "history" | "iterations";

const WORDS: Record<Limited, Map<string, number | null>> = {
  history: new Map([
    ["off", 0],
    ["all", HISTORY_MOST],
    ["clear", null],
  ]),
  iterations: new Map([
    ["off", null],
    ["default", null],
    ["reset", null],
  ]),
};

const RANGE: Record<Limited, readonly [number, number]> = {
  history: [0, HISTORY_MOST],
  iterations: [ITERATIONS_LEAST, ITERATIONS_MOST],
};

/** Reads a command; null for everything that is meant for the assistant, such as a sentence that only begins like one. */
export function readCommand(text: string): Command | null {
  const trimmed = text.trim();
  if (trimmed === "/skip-all") return { kind: "skipAll" };
  const [, name, argument = ""] = /^\/(history|iterations)(?:\s+(\S[\s\S]*))?$/.exec(trimmed) ?? [];
  if (name !== "history" && name !== "iterations") return null;
  if (argument === "") return { kind: name, limit: undefined };
  const limit = readLimit(name, argument.toLowerCase());
  return limit === undefined ? { kind: "usage", command: name } : { kind: name, limit };
}

function readLimit(name: Limited, argument: string): number | null | undefined {
  const word = WORDS[name].get(argument);
  if (word !== undefined) return word;
  if (!/^\d{1,6}$/.test(argument)) return undefined;
  const [least, most] = RANGE[name];
  const number = Number(argument);
  return number >= least && number <= most ? number : undefined;
}

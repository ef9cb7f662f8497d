export interface PromptMark {
  from: number;
  to: number;
  name: string;
}

export type PromptProblem =
  | { kind: "no_end" }
  | { kind: "no_start" }
  | { kind: "no_name" }
  | { kind: "bad_name"; name: string }
  | { kind: "taken"; name: string };

interface Read {
  marks: PromptMark[];
  problem: PromptProblem | null;
}

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
// Fields of the node itself: a variable of that name would replace one.
const TAKEN = new Set(["template", "code", "_type", "use_double_brackets", "tool_placeholder"]);

/** Reads on after what is wrong, so that the rest of a prompt is marked while it is being written. */
function read(source: string, mustache: boolean): Read {
  return mustache ? readDouble(source) : readSingle(source);
}

function readSingle(source: string): Read {
  const marks: PromptMark[] = [];
  let problem: PromptProblem | null = null;
  const brace = /[{}]/g;
  for (let match = brace.exec(source); match !== null; match = brace.exec(source)) {
    const at = match.index;
    if (source[at + 1] === match[0]) {
      brace.lastIndex = at + 2;
    } else if (match[0] === "}") {
      problem ??= { kind: "no_start" };
    } else {
      const end = brace.exec(source);
      if (end?.[0] === "}") {
        const found = take(marks, source, at, 1, end.index);
        problem ??= found;
      } else problem ??= { kind: "no_end" };
      // What ends one that was not closed may begin the next.
      if (end?.[0] === "{") brace.lastIndex = end.index;
      else if (end === null) break;
    }
  }
  return { marks, problem };
}

function readDouble(source: string): Read {
  const marks: PromptMark[] = [];
  let problem: PromptProblem | null = null;
  let at = source.indexOf("{{");
  while (at !== -1) {
    const end = source.indexOf("}}", at + 2);
    if (end === -1) {
      problem ??= { kind: "no_end" };
      break;
    }
    const found = take(marks, source, at, 2, end);
    problem ??= found;
    at = source.indexOf("{{", end + 2);
  }
  return { marks, problem };
}

function take(marks: PromptMark[], source: string, at: number, width: number, end: number): PromptProblem | null {
  const name = source.slice(at + width, end).trim();
  if (name === "") return { kind: "no_name" };
  if (!NAME.test(name)) return { kind: "bad_name", name: name.slice(0, 40) };
  if (TAKEN.has(name)) return { kind: "taken", name };
  marks.push({ from: at, to: end + width, name });
  return null;
}

/** Where a prompt's variables stand: in single braces, where doubled ones are signs, or in double braces. */
export function promptMarks(source: string, mustache: boolean): PromptMark[] {
  return read(source, mustache).marks;
}

/** The first thing that keeps a prompt from being filled in, by the rules of the server. */
export function promptProblem(source: string, mustache: boolean): PromptProblem | null {
  return read(source, mustache).problem;
}

export function promptVariables(source: string, mustache: boolean): string[] {
  return [...new Set(promptMarks(source, mustache).map(({ name }) => name))];
}

/** A change of a prompt gives the node other inputs; a prompt that cannot be read gives it none. */
export function variablesChanged(before: string, now: string, mustache: boolean): boolean {
  if (before === now || promptProblem(now, mustache) !== null) return false;
  return promptVariables(before, mustache).join("\n") !== promptVariables(now, mustache).join("\n");
}

/** The text cut at its marks, for drawing. */
export function promptPieces(
  source: string,
  mustache: boolean,
): { text: string; name: string | null; at: number }[] {
  const pieces: { text: string; name: string | null; at: number }[] = [];
  let end = 0;
  for (const { from, to, name } of promptMarks(source, mustache)) {
    if (from > end) pieces.push({ text: source.slice(end, from), name: null, at: end });
    pieces.push({ text: source.slice(from, to), name, at: from });
    end = to;
  }
  if (end < source.length) pieces.push({ text: source.slice(end), name: null, at: end });
  return pieces;
}

export function countWords(source: string): number {
  return source.match(/[\p{L}\p{N}][\p{L}\p{N}'’_-]*/gu)?.length ?? 0;
}

import { arrayOr, finite, isRecord, recordOr, strings, text } from "./json";
import { lineIn } from "./nodeCode";

/** Something wrong with code. Lines and columns count from 1, columns in characters. */
export interface CodeProblem {
  severity: "error" | "warning";
  message: string;
  line: number | null;
  column: number | null;
  endLine: number | null;
  endColumn: number | null;
}

export interface CodeCheck {
  className: string | null;
  problems: CodeProblem[];
}

export function readProblems(value: unknown): CodeProblem[] {
  return arrayOr(value).flatMap((item): CodeProblem[] => {
    if (!isRecord(item) || text(item.message) === "") return [];
    return [
      {
        severity: item.severity === "warning" ? "warning" : "error",
        message: text(item.message),
        line: counted(item.line),
        column: counted(item.column),
        endLine: counted(item.end_line),
        endColumn: counted(item.end_column),
      },
    ];
  });
}

function counted(value: unknown): number | null {
  const number = finite(value);
  return number === null || number < 1 ? null : Math.floor(number);
}

export function problemAt(message: string, line = lineIn(message)): CodeProblem {
  return { severity: "error", message, line, column: null, endLine: null, endColumn: null };
}

/** What the server found without running anything. */
export function readCheck(value: unknown): CodeCheck {
  const answer = recordOr(value);
  const className = text(answer.class_name) || null;
  if (Array.isArray(answer.diagnostics)) return { className, problems: inOrder(readProblems(answer.diagnostics)) };
  const sentences = [answer.imports, answer.function].flatMap((part) => strings(recordOr(part).errors));
  return { className, problems: inOrder(sentences.map((sentence) => problemAt(sentence))) };
}

function inOrder(problems: CodeProblem[]): CodeProblem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Why the server would not take the code, as problems with their lines; none when it is about something else. */
export function refusedCode(body: unknown, sentence: string): CodeProblem[] {
  const listed = readProblems(recordOr(body).diagnostics);
  if (listed.length > 0) return inOrder(listed);
  return lineIn(sentence) === null ? [] : [problemAt(sentence)];
}

/** The part of an editor's text that a problem is about. */
export interface Lines {
  readonly lines: number;
  line: (number: number) => { from: number; to: number; text: string };
}

export function rangeOf(lines: Lines, problem: CodeProblem): { from: number; to: number } {
  const start = lines.line(within(problem.line ?? 1, lines.lines));
  if (problem.column === null) {
    const indent = start.text.length - start.text.trimStart().length;
    return { from: start.from + indent, to: start.to };
  }
  const from = start.from + offsetIn(start.text, problem.column);
  const last = lines.line(within(problem.endLine ?? problem.line ?? 1, lines.lines));
  const end = problem.endColumn === null ? from : last.from + offsetIn(last.text, problem.endColumn);
  if (end > from) return { from, to: end };
  // A place without a length could not be seen: the word there, or the last sign of the line.
  const rest = start.text.slice(from - start.from);
  const word = /^[\p{L}\p{N}_]+/u.exec(rest)?.[0].length ?? Math.min(1, rest.length);
  return word > 0 ? { from, to: from + word } : { from: Math.max(start.from, start.to - 1), to: start.to };
}

function within(line: number, count: number): number {
  return Math.min(Math.max(line, 1), count);
}

/** A column in characters as a place in a text, where some characters take two units. */
function offsetIn(line: string, column: number): number {
  let offset = 0;
  for (const letter of line) {
    if (column <= 1) break;
    offset += letter.length;
    column -= 1;
  }
  return offset;
}

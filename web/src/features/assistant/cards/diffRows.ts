import { type DiffLine, diffLines } from "@/flow/textDiff";

/** A line of a diff, or a run of lines that did not change and are not shown. */
export type DiffRow = DiffLine | { kind: "gap"; count: number };

export interface ShownDiff {
  rows: DiffRow[];
  /** Something was left out or cut. */
  cut: boolean;
}

/** Unchanged lines that stay around a change. */
const AROUND = 2;
/** Rows before the rest waits to be asked for. */
const MOST_ROWS = 14;
/** Letters of one line, likewise. */
const LONGEST = 400;
/** A page with more lines than this would be slow, whoever asks for them. */
const MOST_OF_ALL = 5000;

/** What is shown of the difference between two texts: all of it, or as much as fits a card. */
export function diffRows(before: string, after: string, all: boolean): ShownDiff {
  const lines = diffLines(before, after);
  if (all) return { rows: lines.slice(0, MOST_OF_ALL), cut: false };
  const rows = withGaps(lines);
  const shown = rows.slice(0, MOST_ROWS).map((row) => (row.kind === "gap" ? row : short(row)));
  const cut =
    rows.length > MOST_ROWS || rows.some((row) => (row.kind === "gap" ? true : row.text.length > LONGEST));
  return { rows: shown, cut };
}

function short(line: DiffLine): DiffLine {
  return line.text.length <= LONGEST ? line : { ...line, text: `${line.text.slice(0, LONGEST)}…` };
}

function withGaps(lines: readonly DiffLine[]): DiffRow[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, index) => {
    if (line.kind === "same") return;
    near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  const rows: DiffRow[] = [];
  let skipped = 0;
  lines.forEach((line, index) => {
    if (near[index] === 0) {
      skipped += 1;
      return;
    }
    if (skipped > 0) rows.push({ kind: "gap", count: skipped });
    skipped = 0;
    rows.push(line);
  });
  if (skipped > 0) rows.push({ kind: "gap", count: skipped });
  return rows;
}

export interface DiffLine {
  kind: "same" | "removed" | "added";
  text: string;
}

// The table of the longest common lines grows with the product; beyond this the middle is shown as replaced.
const MOST_CELLS = 4_000_000;

/** What changed from one text to the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const middle = middleOf(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...lines("same", a.slice(0, start)), ...middle, ...lines("same", a.slice(a.length - end))];
}

function lines(kind: DiffLine["kind"], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

function middleOf(a: readonly string[], b: readonly string[]): DiffLine[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > MOST_CELLS) {
    return [...lines("removed", a), ...lines("added", b)];
  }
  const common = commonLengths(a, b);
  const width = b.length + 1;
  const found: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      found.push({ kind: "same", text: left });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      found.push({ kind: "removed", text: left });
      i += 1;
    } else {
      found.push({ kind: "added", text: right ?? "" });
      j += 1;
    }
  }
  return found;
}

/** How many lines two ends of the texts have in common, for every pair of places to begin at. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const table = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] =
        a[i] === b[j]
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  return table;
}

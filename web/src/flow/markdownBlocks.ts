/** Longer pieces hold up the page; so do those that are nested without end, which no parser survives. */
const LONGEST = 20_000;
const GROUP = 4_000;
const FENCED = /^\s*(`{3,}|~{3,})/;
const DEEP = /^(?:[ \t]*[-*+>](?=[ \t>])){40}/m;

/**
 * Cuts Markdown where one piece cannot change how another is read, so that a text that grows at its end is laid out
 * again only there.
 */
export function markdownBlocks(source: string): string[] {
  // A definition counts for the whole text, wherever it stands; in a long one that would cost too much.
  if (source.length <= LONGEST && /^ {0,3}\[[^\]\n]+\]:/m.test(source)) return [source];
  const blocks: string[] = [];
  let begun: string[] = [];
  let fence: string | null = null;
  let blank = false;
  for (const line of source.split("\n")) {
    if (fence === null && line.trim() === "") {
      blank = true;
      begun.push(line);
      continue;
    }
    if (blank && fence === null && !belongsAbove(line)) {
      push(blocks, begun);
      begun = [];
    }
    blank = false;
    begun.push(line);
    fence = fenceAfter(fence, line);
  }
  push(blocks, begun);
  return source.length > LONGEST ? joined(blocks) : blocks;
}

/** Few larger pieces are laid out much sooner than thousands of small ones; what is finished still stays as it was. */
function joined(blocks: readonly string[]): string[] {
  const groups: string[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last !== undefined && last.length + block.length <= GROUP) groups[groups.length - 1] = `${last}\n\n${block}`;
    else groups.push(block);
  }
  return groups;
}

/** Too much to be laid out as Markdown: it is shown as it is written. */
export function isBeyondMarkdown(block: string): boolean {
  return (block.length > LONGEST && !FENCED.test(block)) || DEEP.test(block);
}

/** After an empty line, these may go on with a list or with HTML that began above. */
function belongsAbove(line: string): boolean {
  return /^(\s|[-*+](\s|$)|\d{1,9}[.)](\s|$)|<)/.test(line);
}

/** The mark that ends the code the next line is in; null outside of code. */
function fenceAfter(fence: string | null, line: string): string | null {
  const mark = /^\s*(?:(?:[-*+>]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})(.*)$/.exec(line);
  if (!mark) return fence;
  const [, ticks = "", rest = ""] = mark;
  if (fence === null) return ticks.startsWith("`") && rest.includes("`") ? null : ticks;
  const ends = ticks.startsWith(fence.charAt(0)) && ticks.length >= fence.length && rest.trim() === "";
  return ends ? null : fence;
}

function push(blocks: string[], lines: string[]): void {
  const text = lines.join("\n");
  if (text.trim() !== "") blocks.push(text);
}

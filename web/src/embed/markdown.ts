/**
 * A little Markdown as nodes: paragraphs, lists, headings, code, emphasis, links. It builds elements and sets text,
 * so that nothing a model says is ever read as HTML.
 */
export function renderMarkdown(source: string): DocumentFragment {
  const out = document.createDocumentFragment();
  const lines = source.replaceAll("\r\n", "\n").split("\n");
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.trimStart().startsWith(fence));
      const code = lines.slice(at + 1, end < 0 ? undefined : end);
      at = end < 0 ? lines.length : end + 1;
      const block = make("pre");
      // Long lines scroll, and what scrolls must be reachable by keyboard.
      block.tabIndex = 0;
      block.append(make("code", code.join("\n")));
      out.append(block);
    } else if (ITEM.test(line)) {
      const ordered = /^\s*\d/.test(line);
      const list = make(ordered ? "ol" : "ul");
      if (ordered) (list as HTMLOListElement).start = Number(/\d+/.exec(line)?.[0] ?? 1);
      for (; at < lines.length && ITEM.test(lines[at] ?? "") && /^\s*\d/.test(lines[at] ?? "") === ordered; at += 1) {
        list.append(inline((lines[at] ?? "").replace(ITEM, ""), make("li")));
      }
      out.append(list);
    } else if (/^\s*#{1,6}\s/.test(line)) {
      const heading = make("p");
      heading.append(inline(line.replace(/^\s*#+\s+/, ""), make("strong")));
      out.append(heading);
      at += 1;
    } else if (line.trim() === "") {
      at += 1;
    } else {
      const text: string[] = [];
      for (; at < lines.length && !startsBlock(lines[at] ?? ""); at += 1) text.push((lines[at] ?? "").replace(/^>\s?/, ""));
      out.append(inline(text.join("\n"), make("p")));
    }
  }
  return out;
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;

function startsBlock(line: string): boolean {
  return line.trim() === "" || ITEM.test(line) || /^\s*(#{1,6}\s|```|~~~)/.test(line);
}

// Lengths are bounded: without a bound, a line of nothing but stars or brackets takes minutes.
const PIECE =
  /`([^`\n]{1,1000})`|\*\*([^*\n](?:[^\n]{0,500}?[^*\n])?)\*\*|(^|[^\w*])[*_]([^*_\s](?:[^*_\n]{0,500}[^*_\s])?)[*_](?![\w*])|\[([^\]\n]{1,500})\]\(([^\s)]{1,2000})\)|(https?:\/\/[^\s<>"'`)\]]{0,2000}[^\s<>"'`)\].,;:!?])/g;

function inline<E extends HTMLElement>(source: string, into: E): E {
  let from = 0;
  for (const match of source.matchAll(PIECE)) {
    const [whole, code, strong, before, emphasis, label, target, bare] = match;
    into.append(source.slice(from, match.index));
    from = match.index + whole.length;
    if (code !== undefined) into.append(make("code", code));
    else if (strong !== undefined) into.append(inline(strong, make("strong")));
    else if (emphasis !== undefined) into.append(before ?? "", inline(emphasis, make("em")));
    else into.append(link(target ?? bare ?? "", label ?? bare ?? "") ?? whole);
  }
  into.append(source.slice(from));
  return into;
}

function link(target: string, label: string): HTMLAnchorElement | null {
  if (!/^(https?:\/\/|mailto:)/i.test(target)) return null;
  const anchor = make("a", label) as HTMLAnchorElement;
  anchor.href = target;
  anchor.target = "_blank";
  anchor.rel = "noopener noreferrer nofollow";
  return anchor;
}

function make(tag: string, text?: string): HTMLElement {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  return element;
}

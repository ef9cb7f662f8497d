/** What decides where a line breaks; not in short forms, which some browsers leave empty. */
const COPIED = [
  "fontFamily",
  "fontSize",
  "fontStyle",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "paddingLeft",
  "paddingRight",
  "paddingTop",
  "tabSize",
  "wordSpacing",
] as const;

/** Whether the cursor is in the first row as it is drawn: a long line without breaks has several. */
export function inFirstRow(area: HTMLTextAreaElement): boolean {
  const before = area.value.slice(0, area.selectionStart);
  if (before.includes("\n")) return false;
  const style = getComputedStyle(area);
  const copy = document.createElement("div");
  for (const name of COPIED) copy.style[name] = style[name];
  Object.assign(copy.style, {
    position: "fixed",
    visibility: "hidden",
    width: `${area.clientWidth}px`,
    boxSizing: "border-box",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
  });
  const cursor = document.createElement("span");
  cursor.textContent = "\u200b";
  copy.append(before, cursor, area.value.slice(area.selectionStart));
  document.body.append(copy);
  const first = cursor.offsetTop <= (Number.parseFloat(style.paddingTop) || 0) + cursor.offsetHeight / 2;
  copy.remove();
  return first;
}

/** Whether no line break follows the cursor. */
export function inLastLine(area: HTMLTextAreaElement): boolean {
  return !area.value.slice(area.selectionEnd).includes("\n");
}

export function inFirstLine(area: HTMLTextAreaElement): boolean {
  return !area.value.slice(0, area.selectionStart).includes("\n");
}

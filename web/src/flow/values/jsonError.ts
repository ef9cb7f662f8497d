const TOKEN =
  /([{}[\],:])|("[^"\\\n]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\n]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const SPACE = /[ \t\r\n]*/y;

type Wanted = "value" | "first_item" | "key" | "first_key" | "colon" | "more" | "end";

/** Where a text stops being JSON, counted from its beginning. Browsers do not say it for every mistake. */
export function jsonErrorAt(source: string): number {
  const open: string[] = [];
  let wanted: Wanted = "value";
  let at = 0;
  const after = (): Wanted => (open.length === 0 ? "end" : "more");
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(source);
    at = SPACE.lastIndex;
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(source);
    if (token === null || wanted === "end") return at;
    const [whole, sign, text] = token;
    const next = step(wanted, sign ?? (text === undefined ? "scalar" : "text"), open);
    if (next === null) return at;
    wanted = next === "done" ? after() : next;
    at += whole.length;
  }
}

/** What may come after this token; null where it may not stand. */
function step(wanted: Wanted, token: string, open: string[]): Wanted | "done" | null {
  const closing = open.at(-1) === "{" ? "}" : "]";
  const closes = token === closing && (wanted === "more" || wanted === "first_item" || wanted === "first_key");
  if (closes && open.length > 0) {
    open.pop();
    return "done";
  }
  switch (wanted) {
    case "value":
    case "first_item":
      if (token === "{" || token === "[") {
        open.push(token);
        return token === "{" ? "first_key" : "first_item";
      }
      return token === "text" || token === "scalar" ? "done" : null;
    case "key":
    case "first_key":
      return token === "text" ? "colon" : null;
    case "colon":
      return token === ":" ? "value" : null;
    case "more":
      if (token !== ",") return null;
      return open.at(-1) === "{" ? "key" : "value";
    case "end":
      return null;
  }
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/**
 * Valid JSON on several lines. It works on the text, because parsing would change numbers that JavaScript cannot hold.
 */
export function prettyJson(source: string): string {
  const out: string[] = [];
  let depth = 0;
  const line = (): void => void out.push(`\n${"  ".repeat(depth)}`);
  let last = "";
  for (const [token] of source.matchAll(TOKEN)) {
    const closes = token === "}" || token === "]";
    if (closes) {
      depth -= 1;
      if (last !== "{" && last !== "[") line();
    } else if (last === "{" || last === "[" || last === ",") {
      line();
    }
    out.push(token === ":" ? ": " : token);
    if (token === "{" || token === "[") depth += 1;
    last = token;
  }
  return `${out.join("")}\n`;
}

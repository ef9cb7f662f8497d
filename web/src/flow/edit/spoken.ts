import type { Flow } from "../model";
import type { Refusal } from "./refusal";

/** A refusal in the words of the canvas: nodes and ports by the names on their cards instead of their ids. */
export function spoken({ message }: Refusal, flow: Flow): string {
  const known = (id: string): string | null => {
    const node = flow.byId.get(id);
    return node ? node.title || node.type : null;
  };
  const named = (path: string): string | null => {
    const whole = known(path);
    if (whole !== null) return whole;
    const dot = path.indexOf(".");
    const title = dot > 0 ? known(path.slice(0, dot)) : null;
    if (title === null) return null;
    const port = path.slice(dot + 1);
    const label = flow.byId.get(path.slice(0, dot))?.ports.find(({ name }) => name === port)?.label;
    return `${title} · ${label || port}`;
  };
  const text = message
    .replace(/`([^`]+)`/g, (_, inside: string) => `“${named(inside) ?? inside}”`)
    // Paths stand without quotes: `a.out -> b.in`, `a -> b -> a`.
    .replace(/[^\s“”:;,]+(?= -> )|(?<= -> )[^\s“”:;,]+/g, (part) => named(part) ?? part)
    .replaceAll(" -> ", " → ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

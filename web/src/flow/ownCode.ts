import { findComponent, type Registry } from "./edit/registry";
import type { FlowNode } from "./model";
import { nodeCode } from "./nodeCode";

/** More is not read by the server, in bytes. */
export const MOST_CODE = 256 * 1024;

/** Where the palette lists what people wrote themselves. */
export const OWN_CATEGORY = "custom_component";

export function codeBytes(code: string): number {
  return new TextEncoder().encode(code).length;
}

/** Whether a node runs Python that this server did not come with. */
export function runsOwnCode(node: FlowNode, registry: Registry): boolean {
  if (node.kind !== "component" || node.group !== null || !nodeCode(node.raw)?.trim()) return false;
  if (node.badges.edited) return true;
  // Until the list is there, everything looks foreign.
  if (registry.byType.size === 0) return false;
  const known = findComponent(registry, node.type);
  return known === null || known.category === OWN_CATEGORY;
}

// Bounded: a bracket that is never closed must not be looked for again at every line.
const CLASS = /^class[ \t]+([\p{L}_][\p{L}\p{N}_]*)[ \t]*\(([^)]{0,500})\)[ \t]*:/gmu;

/** Names of the classes that look like components, in order. */
export function componentClasses(code: string): string[] {
  return [...code.matchAll(CLASS)].flatMap(([, name, bases]) =>
    name !== undefined && bases?.includes("Component") === true ? [name] : [],
  );
}

const LONGEST_PASTED = 4_000_000;

/** The source of a component in a pasted text, out of its code fence and its indentation; null when there is none. */
export function pastedComponent(pasted: string): string | null {
  if (pasted.length > LONGEST_PASTED || /^\s*[[{]/.test(pasted)) return null;
  const lines = pasted.replaceAll("\r\n", "\n").split("\n");
  const code = dedented(unfenced(lines)).join("\n");
  return componentClasses(code).length > 0 ? code : null;
}

function unfenced(lines: readonly string[]): readonly string[] {
  const isFence = (line: string): boolean => /^\s*```/.test(line);
  const start = lines.findIndex(isFence);
  if (start < 0) return lines;
  const end = lines.findIndex((line, index) => index > start && isFence(line));
  return lines.slice(start + 1, end < 0 ? undefined : end);
}

function dedented(lines: readonly string[]): string[] {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length);
  const depth = depths.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  return lines.map((line) => (Number.isFinite(depth) ? line.slice(depth) : line));
}

import { isRecord, type JsonRecord } from "../json";

/** Whether two JSON values are the same; the order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}

/** The value at the end of `path`; undefined where an object or the key is missing. */
export function getAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** How many keys of `path` are there. */
export function depthOf(value: unknown, path: readonly string[]): number {
  let at = value;
  let depth = 0;
  for (const key of path) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) break;
    at = at[key];
    depth += 1;
  }
  return depth;
}

/** Which of its object's keys the last of `path` is. */
export function placeOf(value: unknown, path: readonly string[]): number | null {
  const key = path.at(-1);
  const parent = getAt(value, path.slice(0, -1));
  if (key === undefined || !isRecord(parent)) return null;
  const place = Object.keys(parent).indexOf(key);
  return place < 0 ? null : place;
}

/**
 * A copy with another value at `path`, sharing the rest; null when an object on the way is missing. A key that was not
 * there goes to `place`, else to the end; an undefined value takes the key out.
 */
export function setAt(
  record: JsonRecord,
  path: readonly string[],
  to: unknown,
  place: number | null = null,
): JsonRecord | null {
  const [key, ...rest] = path;
  if (key === undefined) return null;
  if (rest.length > 0) {
    const inner = Object.hasOwn(record, key) ? record[key] : undefined;
    const changed = isRecord(inner) ? setAt(inner, rest, to, place) : null;
    // A computed key makes a property of its own even for `__proto__`; an assignment would not.
    return changed && { ...record, [key]: changed };
  }
  if (to === undefined) return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
  if (Object.hasOwn(record, key) || place === null) return { ...record, [key]: to };
  const entries = Object.entries(record);
  entries.splice(Math.min(place, entries.length), 0, [key, to]);
  return Object.fromEntries(entries);
}

/** Names for a sentence, each in backticks. */
export function listed(names: readonly string[]): string {
  const most = 30;
  if (names.length === 0) return "none";
  const shown = names
    .slice(0, most)
    .map((name) => `\`${name}\``)
    .join(", ");
  return names.length <= most ? shown : `${shown} and ${names.length - most} more`;
}

import { finite, recordOr, text, type JsonRecord } from "./json";
import type { NoteColour, Size } from "./model";

const NAMED = ["amber", "neutral", "rose", "blue", "lime"] as const;
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const SMALLEST: Size = { width: 280, height: 140 };
const USUAL: Size = { width: 324, height: 324 };
const LARGEST = 4000;

export function noteColour(value: unknown): NoteColour {
  const name = text(value).trim().toLowerCase();
  if (name === "transparent") return { kind: "transparent" };
  const named = NAMED.find((colour) => colour === name);
  if (named) return { kind: "named", name: named };
  if (!HEX.test(name)) return { kind: "named", name: "amber" };
  const hex = name.length === 4 ? name.replace(/[0-9a-f]/g, "$&$&") : name;
  return { kind: "hex", hex };
}

export function noteSize(node: JsonRecord): Size {
  const places = [node, recordOr(node.measured), recordOr(node.style)];
  const pick = (key: "width" | "height"): number => {
    const found = places.map((place) => finite(place[key])).find((size) => size !== null && size > 0);
    return Math.min(LARGEST, Math.max(SMALLEST[key], found ?? USUAL[key]));
  };
  return { width: pick("width"), height: pick("height") };
}

/** True when dark text reads better on the colour than light text. */
export function isLight(hex: string): boolean {
  const channel = (from: number): number => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5) > 0.18;
}

import type { PaletteItem } from "./palette";
import { plainText, stemOf, tellingWords, wordsOf } from "./words";

export interface PaletteMatch {
  item: PaletteItem;
  /** Where the words were found, the weakest place if they are in several; with the field's label for a field. */
  where: "name" | "type" | "category" | "description" | "field";
  label: string;
}

interface Place {
  where: PaletteMatch["where"];
  label: string;
  text: string;
  cost: number;
}

// Reading an item's texts costs more than looking through them.
const known = new WeakMap<PaletteItem, Map<string, Place[]>>();

/** Components in which every word is found, best first. Nothing typed finds all of them, as they stand. */
export function searchPalette(
  items: readonly PaletteItem[],
  query: string,
  categoryName: (category: string) => string,
): PaletteMatch[] {
  const words = wordsOf(query);
  if (words.length === 0 && query.trim() !== "") return [];
  const found = items.flatMap((item) => {
    const match = matchItem(item, words, categoryName(item.category));
    return match ? [match] : [];
  });
  if (words.length > 0)
    found.sort((a, b) => a.cost - b.cost || Number(a.item.legacy) - Number(b.item.legacy) || a.length - b.length);
  return found.map(({ item, where, label }) => ({ item, where, label }));
}

function matchItem(
  item: PaletteItem,
  words: readonly string[],
  category: string,
): (PaletteMatch & { cost: number; length: number }) | null {
  const places = placesOf(item, category);
  let cost = 0;
  let weakest: Place | null = null;
  for (const word of words) {
    const hit = bestPlace(places, word);
    if (!hit) return null;
    cost += hit.cost;
    if (!weakest || hit.place.cost > weakest.cost) weakest = hit.place;
  }
  // What was typed in one piece counts more than its words strewn about.
  if (words.length > 1 && (places[0]?.text ?? "").includes(words.join(" "))) cost -= words.length;
  return { item, where: weakest?.where ?? "name", label: weakest?.label ?? "", cost, length: item.name.length };
}

function placesOf(item: PaletteItem, category: string): Place[] {
  const byCategory = known.get(item) ?? new Map<string, Place[]>();
  known.set(item, byCategory);
  const read = byCategory.get(category);
  if (read) return read;
  const place = (where: Place["where"], text: string, cost: number, label = ""): Place => ({
    where,
    label,
    text: plainText(text),
    cost,
  });
  const fields = item.component.fields.filter(({ raw }) => raw.advanced !== true || raw.show !== false);
  const places = [
    place("name", item.name, 0),
    place("type", `${item.type} ${item.type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")}`, 4),
    place("category", category, 8),
    place("description", item.description, 10),
    ...fields.map(({ name, raw }) => {
      const label = typeof raw.display_name === "string" ? raw.display_name : name;
      return place("field", `${label} ${name.replaceAll("_", " ")}`, 14, label);
    }),
  ];
  byCategory.set(category, places);
  return places;
}

function bestPlace(places: readonly Place[], word: string): { place: Place; cost: number } | null {
  let best: { place: Place; cost: number } | null = null;
  for (const place of places) {
    const penalty = wordCost(place, word);
    if (penalty === null) continue;
    const cost = place.cost + penalty;
    if (!best || cost < best.cost) best = { place, cost };
  }
  return best;
}

const LETTERS = 6;

function wordCost({ where, text }: Place, word: string): number | null {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 0 : 1;
  if (at > 0) return text[at - 1] === " " || text.includes(` ${word}`) ? 2 : 3;
  // Letters in order are only worth it in a name: long texts contain everything.
  if (where !== "name" || word.length < 2) return null;
  const initials = text.split(" ").map((part) => part.charAt(0));
  if (initials.join("").startsWith(word)) return 4;
  return inOrder(text, word) ? LETTERS : null;
}

/** `chtin` in `chat input`: the first letter begins a word, and the rest follow soon. */
function inOrder(text: string, word: string): boolean {
  for (let start = 0; start < text.length; start += 1) {
    if (text[start] !== word[0] || (start > 0 && text[start - 1] !== " ")) continue;
    let at = start;
    let skipped = 0;
    let next = 1;
    while (next < word.length) {
      const found = text.indexOf(word[next] ?? "", at + 1);
      if (found < 0) break;
      skipped += found - at - 1;
      at = found;
      next += 1;
    }
    if (next === word.length && skipped <= word.length + 2) return true;
  }
  return false;
}

/** Components that have something to do with a description, best first: plain word matching, no more. */
export function suggestComponents(items: readonly PaletteItem[], description: string, atMost = 3): PaletteItem[] {
  const stems = tellingWords(description).map(stemOf);
  return items
    .map((item) => {
      const places = placesOf(item, item.category).filter(({ where }) => where !== "field" && where !== "category");
      const score = stems.reduce((sum, stem) => {
        const found = places.find(({ text }) => ` ${text}`.includes(` ${stem}`));
        return found ? sum + 12 - found.cost : sum;
      }, 0);
      return { item, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, atMost)
    .map(({ item }) => item);
}

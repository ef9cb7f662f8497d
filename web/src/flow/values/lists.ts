import { isRecord, scalarText, text, toJson } from "../json";

/** The items of a list field, whatever way it was saved: a list, one text, or nothing. */
export function listItems(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return value === null || value === undefined || value === "" ? [] : [value];
}

export function itemText(item: unknown): string {
  if (item === null || item === undefined) return "";
  if (isRecord(item)) return text(item.text) || (toJson(item) ?? "");
  return Array.isArray(item) ? (toJson(item) ?? "") : scalarText(item);
}

export function replaceAt<T>(items: readonly T[], index: number, item: T): T[] {
  return items.map((each, at) => (at === index ? item : each));
}

export function removeAt<T>(items: readonly T[], index: number): T[] {
  return items.filter((_, at) => at !== index);
}

export function insertAt<T>(items: readonly T[], index: number, ...added: T[]): T[] {
  return [...items.slice(0, index), ...added, ...items.slice(index)];
}

export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from];
  if (item === undefined || from === to || to < 0 || to >= items.length) return [...items];
  const rest = removeAt(items, from);
  return insertAt(rest, to, item);
}

/** Text with several lines pasted into one item becomes that many items. */
export function pastedLines(pasted: string): string[] | null {
  const lines = pasted
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length > 1 ? lines : null;
}

/** Decisions are known by an id made of their label; wires hold on to it, so it stays when the label changes. */
export interface Action {
  id: string;
  label: string;
  rest: Record<string, unknown>;
}

export function readActions(value: unknown): Action[] {
  return listItems(value).flatMap((item): Action[] => {
    if (typeof item === "string") return item === "" ? [] : [{ id: actionId(item, []), label: item, rest: {} }];
    if (!isRecord(item)) return [];
    const { id, label, ...rest } = item;
    const shown = text(label) || text(item.name) || text(id);
    return [{ id: text(id) || actionId(shown, []), label: shown, rest }];
  });
}

export function writeActions(actions: readonly Action[]): Record<string, unknown>[] {
  return actions.map(({ id, label, rest }) => ({ id, label, ...rest }));
}

export function actionId(label: string, taken: readonly string[]): string {
  const plain = label.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
  const base = plain === "" ? "action" : plain;
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

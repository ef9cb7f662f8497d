import { isRecord, text, textOrNull, type JsonRecord } from "./json";
import { isMarkedSecret, isSecretName } from "./secrets";
import { isReference, withoutSecrets } from "./secretText";

export interface StrippedField {
  /** Id of the node that had it. */
  node: string;
  title: string;
  field: string;
}

/** A copy of a flow without its literal secrets, by the rules the server exports by, and what was taken out. */
export function stripSecrets(document: unknown): { document: unknown; removed: StrippedField[] } {
  const removed: StrippedField[] = [];
  const place = { node: "", title: "", key: "", inValue: false, within: 0 };
  return { document: walk(document, place, removed), removed };
}

interface Place {
  node: string;
  title: string;
  /** What the value stands under. */
  key: string;
  /** Part of a field's value. */
  inValue: boolean;
  /** How many texts it stands in. */
  within: number;
}

const MAX_WITHIN = 4;

function walk(value: unknown, place: Place, removed: StrippedField[]): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, place, removed));
  if (!isRecord(value)) return place.inValue ? strippedLeaf(value, place) : value;
  const here = placeOf(value, place);
  const flag = flagOf(value, place);
  const copy: JsonRecord = {};
  for (const [key, item] of Object.entries(value)) {
    if (key !== "value") {
      copy[key] = walk(item, { ...here, key }, removed);
      continue;
    }
    const inner = walk(item, { ...here, key: "", inValue: true }, []);
    copy[key] = flag === null ? inner : emptied(inner, flag);
    if (!place.inValue && JSON.stringify(copy[key]) !== JSON.stringify(item)) {
      const field = textOrNull(value.display_name) ?? (text(value.name) || place.key);
      removed.push({ node: here.node, title: here.title, field });
    }
  }
  return copy;
}

type Flag = "marked" | "named";

function flagOf(record: JsonRecord, { key, inValue }: Place): Flag | null {
  if (record.load_from_db === true) return null;
  if (isMarkedSecret(record)) return "marked";
  const names = [text(record.name) || key, text(record.key), text(record.header)];
  // Outside of values only fields hold secrets: choices in a list may be called `Token`.
  const fits = record.type === "str" || (inValue && typeof record.type !== "string");
  return fits && names.some(isSecretName) ? "named" : null;
}

function strippedLeaf(value: unknown, { key, within, ...place }: Place): unknown {
  if (isSecretName(key)) return emptied(value, "named");
  if (typeof value !== "string") return value;
  const inner = within < MAX_WITHIN ? jsonIn(value) : undefined;
  if (inner === undefined) return withoutSecrets(value);
  const stripped = walk(inner, { ...place, key: "", within: within + 1 }, []);
  const [before, after] = [JSON.stringify(inner), JSON.stringify(stripped)];
  if (before === after) return value;
  return value.includes("\n") ? JSON.stringify(stripped, null, 2) : after;
}

function jsonIn(source: string): unknown {
  if (!/^\s*[[{]/.test(source)) return undefined;
  try {
    return JSON.parse(source) as unknown;
  } catch {
    return undefined;
  }
}

function placeOf(value: JsonRecord, place: Place): Place {
  if (!isRecord(value.data) || !isRecord(value.data.node)) return place;
  const node = text(value.id) || text(value.data.id);
  return { ...place, node, title: textOrNull(value.data.node.display_name) ?? node };
}

function emptied(value: unknown, flag: Flag): unknown {
  if (typeof value === "string") return flag === "named" && isReference(value) ? value : "";
  if (typeof value === "number") return "";
  if (Array.isArray(value)) return value.map((item) => emptied(item, flag));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, emptied(item, flag)]));
}

import type { JsonRecord } from "../json";
import type { Field } from "../model";

const KINDS = new Set<Field["kind"]>(["text", "multiline", "secret"]);

/** One text can be a variable's; lists and choices cannot. */
export function canUseVariable(field: Field, raw: JsonRecord): boolean {
  if (!KINDS.has(field.kind) || field.list) return false;
  return "load_from_db" in raw || raw.password === true || raw.type === undefined || raw.type === "str";
}

/** A credential's text must never be shown, so it fits secret fields only. */
export function variableFits(type: "Credential" | "Generic", field: Field): boolean {
  return type === "Generic" || field.kind === "secret";
}

/** A name for a new variable, made of the field's. */
export function suggestedVariable(field: Field, component: string, taken: readonly string[]): string {
  const plain = (text: string): string =>
    text
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .toUpperCase()
      .replace(/[^\p{L}\p{N}]+/gu, "_")
      .replace(/^_+|_+$/g, "");
  const names = [plain(field.name), `${plain(component)}_${plain(field.name)}`];
  return names.find((name) => !taken.includes(name)) ?? "";
}

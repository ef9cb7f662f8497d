import { isRecord, text, type JsonRecord } from "./json";

export const MASK = "••••••";

const SECRET_NAME =
  /(^|[_. -])(api[_-]?key|apikey|secret|password|passwd|passphrase|token|private[_-]?key|credentials?|authorization|cookie)$/i;
const SECRET_INPUTS = new Set(["SecretStrInput", "MultilineSecretInput", "AuthInput"]);

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** A field whose literal value must never reach the screen. */
export function isSecretField(name: string, field: JsonRecord): boolean {
  if (field.password === true || field.type === "auth" || SECRET_INPUTS.has(text(field._input_type)))
    return true;
  const plain = field.type === undefined || field.type === "str";
  return plain && isSecretName(name);
}

/** A copy of a node's JSON that is safe to show: literal secrets are masked, variable names stay. */
export function redact(value: unknown): unknown {
  return walk(value, "");
}

function walk(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => walk(item, ""));
  if (!isRecord(value)) return value;
  const secretField =
    "value" in value && isSecretField(text(value.name) || name, value) && value.load_from_db !== true;
  const pair = namedPair(value);
  const copy: JsonRecord = {};
  for (const [key, item] of Object.entries(value)) {
    if (secretField && key === "value") copy[key] = masked(item);
    else if (pair !== null && key === pair) copy[key] = masked(item);
    else if (isSecretName(key) && (typeof item === "string" || typeof item === "number"))
      copy[key] = masked(item);
    else copy[key] = walk(item, key);
  }
  return copy;
}

// Rows such as {key: "Authorization", value: "Bearer …"} carry the secret under a harmless name.
function namedPair(record: JsonRecord): string | null {
  const name = text(record.key) || text(record.header);
  return isSecretName(name) && "value" in record ? "value" : null;
}

function masked(value: unknown): unknown {
  return value === "" || value === null || value === undefined ? value : MASK;
}

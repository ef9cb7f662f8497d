import { isRecord, text, type JsonRecord } from "./json";

export const MASK = "••••••";

const SECRET_NAME =
  /(apikey|accesskey|secretkey|privatekey|secret|password|passwd|passphrase|pwd|token|credentials?|authorization|auth|cookie)$/i;
const SECRET_INPUTS = new Set(["SecretStrInput", "MultilineSecretInput", "AuthInput"]);

// Every key of every document is asked about: nearly all are told apart by how they end.
const TAILS = new Set(["key", "ret", "ord", "swd", "ase", "pwd", "ken", "ial", "als", "ion", "uth", "kie"]);

/** `x-api-key`, `accessToken`, `DB_PASSWORD` and their like. */
export function isSecretName(name: string): boolean {
  if (name.length > 128 || !TAILS.has(name.slice(-3).toLowerCase())) return false;
  return SECRET_NAME.test(name.replace(/[_. -]/g, ""));
}

/** The field says that it holds a secret. */
export function isMarkedSecret(field: JsonRecord): boolean {
  return field.password === true || field.type === "auth" || SECRET_INPUTS.has(text(field._input_type));
}

/** A field whose literal value must never reach the screen. */
export function isSecretField(name: string, field: JsonRecord): boolean {
  if (isMarkedSecret(field)) return true;
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

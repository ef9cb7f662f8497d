export type PortTypeKey =
  "message" | "json" | "table" | "embeddings" | "model" | "memory" | "tool" | "control" | "unknown";

export interface PortTypeLook {
  /** Names the colour: `--type-<key>`. */
  key: PortTypeKey;
  /** Shown inside the port so that colour is never the only sign. */
  letter: string;
}

const LOOKS: Record<string, PortTypeLook> = {
  Message: { key: "message", letter: "M" },
  Text: { key: "message", letter: "M" },
  str: { key: "message", letter: "M" },
  JSON: { key: "json", letter: "J" },
  Table: { key: "table", letter: "T" },
  Embeddings: { key: "embeddings", letter: "E" },
  LanguageModel: { key: "model", letter: "L" },
  Memory: { key: "memory", letter: "Y" },
  BaseChatMemory: { key: "memory", letter: "Y" },
  Tool: { key: "tool", letter: "O" },
  Control: { key: "control", letter: "" },
};

const RENAMED: Record<string, string> = { Data: "JSON", DataFrame: "Table" };

export function canonicalType(type: string): string {
  return Object.hasOwn(RENAMED, type) ? (RENAMED[type] ?? type) : type;
}

export function canonicalTypes(types: readonly string[]): string[] {
  return [...new Set(types.map(canonicalType))];
}

export function compatible(outputs: readonly string[], inputs: readonly string[]): boolean {
  const accepted = new Set(inputs.map(canonicalType));
  return outputs.some((type) => accepted.has(canonicalType(type)));
}

export function portLook(type: string | null | undefined): PortTypeLook {
  if (!type) return { key: "unknown", letter: "?" };
  const canonical = canonicalType(type);
  const known = Object.hasOwn(LOOKS, canonical) ? LOOKS[canonical] : undefined;
  if (known) return known;
  return { key: "unknown", letter: /[\p{L}\p{N}]/u.exec(canonical)?.[0]?.toUpperCase() ?? "?" };
}

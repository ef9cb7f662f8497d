import { isRecord, recordOr, scalarText, text, type JsonRecord } from "../json";

export interface ModelOption {
  provider: string;
  name: string;
  deprecated: boolean;
  facts: { tools: boolean; vision: boolean; reasoning: boolean; context: number | null };
  raw: JsonRecord;
}

export interface ChosenModel {
  provider: string;
  name: string;
}

export function chosenModel(value: unknown): ChosenModel | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first === "string" && first !== "" && first !== "connect_other_models")
    return { provider: "", name: first };
  const { provider, name } = recordOr(first);
  return text(name) === "" ? null : { provider: text(provider), name: text(name) };
}

export function readModelOptions(options: readonly unknown[], filters: unknown): ModelOption[] {
  const wanted = Object.entries(recordOr(filters));
  return options.filter(isRecord).flatMap((raw): ModelOption[] => {
    const metadata = recordOr(raw.metadata);
    const name = text(raw.name);
    if (name === "" || !wanted.every(([key, value]) => metadata[key] === value)) return [];
    return [
      {
        provider: text(raw.provider),
        name,
        deprecated: metadata.deprecated === true,
        facts: {
          tools: metadata.tool_calling === true,
          vision: metadata.vision === true,
          reasoning: metadata.reasoning === true,
          context: typeof metadata.context_length === "number" ? metadata.context_length : null,
        },
        raw,
      },
    ];
  });
}

/** How a choice is saved; the server works out the rest from provider and name. */
export function modelFieldValue(option: ModelOption): JsonRecord[] {
  const { name, provider, icon, category, metadata } = option.raw;
  return [
    {
      name,
      provider,
      ...(icon === undefined ? {} : { icon }),
      ...(category === undefined ? {} : { category }),
      metadata: recordOr(metadata),
    },
  ];
}

export function sameModel(one: ChosenModel | null, other: ChosenModel): boolean {
  if (!one || one.name !== other.name) return false;
  return one.provider === "" || one.provider === other.provider;
}

/** Which saved server an MCP field names. */
export function mcpServerName(value: unknown): string {
  const inside = recordOr(value);
  return text(inside.name) || text(recordOr(inside.config).name) || scalarText(value);
}

import { isRecord } from "@/flow/json";
import type { AssistantConfig, ModelChoice } from "../model/types";

export interface OfferedModel extends ModelChoice {
  label: string;
  /** Not an AI: it follows rules. */
  rehearsal: boolean;
}

export function offeredModels(config: AssistantConfig): OfferedModel[] {
  return config.providers
    .filter((provider) => provider.configured)
    .flatMap(({ name: provider, rehearsal, models }) =>
      models.map((model) => ({ provider, name: model.name, label: model.display_name || model.name, rehearsal })),
    );
}

export function sameChoice(a: ModelChoice | null, b: ModelChoice | null): boolean {
  return a?.provider === b?.provider && a?.name === b?.name;
}

export interface Picked {
  model: ModelChoice | null;
  /** What was chosen before and is no longer offered. */
  lost: ModelChoice | null;
}

/**
 * The model that is asked: the person's own choice while it is offered, else the server's, else the first.
 * The rehearsal is never chosen for anybody: who talks to it must have wanted to.
 */
export function pickModel(config: AssistantConfig | null, saved: ModelChoice | null): Picked {
  if (!config) return { model: null, lost: null };
  const offered = offeredModels(config);
  const own = offered.find((model) => sameChoice(model, saved));
  if (own) return { model: choice(own), lost: null };
  const real = offered.filter((model) => !model.rehearsal);
  const usual = real.find((model) => model.provider === config.default_provider && model.name === config.default_model);
  const next = usual ?? real[0];
  return { model: next ? choice(next) : null, lost: saved };
}

function choice({ provider, name }: ModelChoice): ModelChoice {
  return { provider, name };
}

export function parseChoice(kept: string | null): ModelChoice | null {
  if (kept === null) return null;
  try {
    const value: unknown = JSON.parse(kept);
    if (!isRecord(value) || typeof value.provider !== "string" || typeof value.name !== "string") return null;
    return value.provider === "" || value.name === "" ? null : { provider: value.provider, name: value.name };
  } catch {
    return null;
  }
}

const SMALL = new Set("nano mini micro tiny small lite instant flash haiku".split(" "));
const OLD = /^(?:gpt-3|text-davinci|claude-(?:2|v2|instant)|gemini-(?:1\.0|pro$)|llama-?2(?:$|[^\d.])|palm|codellama|vicuna|gpt-oss)/;
/** Run on the person's own machine, where a name without a size stands for one of the smaller ones. */
const LOCAL = new Set(["ollama", "lm studio"]);
const BILLIONS = 13;

/** Whether a model, to judge by its name, is likely to lose its way when it builds a flow. */
export function isWeak({ provider, name }: ModelChoice): boolean {
  // Some providers put the maker before the name.
  const plain = name.toLowerCase().replace(/^.*\//u, "");
  if (OLD.test(plain)) return true;
  const words = plain.split(/[^a-z0-9.]+/u);
  if (words.some((word) => SMALL.has(word))) return true;
  const sizes = words.flatMap(billions);
  if (sizes.length > 0) return Math.max(...sizes) <= BILLIONS;
  return LOCAL.has(provider.toLowerCase()) && !plain.includes("cloud");
}

/** "8b", "1.5b", "8x7b". */
function billions(word: string): number[] {
  const size = /^(?:(\d+)x)?(\d+(?:\.\d+)?)b$/u.exec(word);
  return size ? [Number(size[1] ?? 1) * Number(size[2])] : [];
}

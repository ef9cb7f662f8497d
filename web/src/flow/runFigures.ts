import { finite, isRecord, text } from "./json";
import type { Usage } from "./messages";
import { quoted } from "./words";

/** Why something went wrong, and what to do about it. */
export interface Trouble {
  message: string;
  advice: string;
  detail: string;
}

export function troubleOf(value: unknown): Trouble | null {
  if (!isRecord(value)) return null;
  return { message: quoted(text(value.message)), advice: text(value.advice), detail: text(value.detail) };
}

export function parseUsage(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const nano = finite(value.cost_nanousd);
  return {
    input: finite(value.input_tokens) ?? 0,
    output: finite(value.output_tokens) ?? 0,
    cached: finite(value.cached_tokens) ?? 0,
    reasoning: finite(value.reasoning_tokens) ?? 0,
    cost: nano === null ? null : nano / 1e9,
  };
}

export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cached: a.cached + b.cached,
    reasoning: a.reasoning + b.reasoning,
    // A sum with an unknown part is unknown: it must not look cheaper than it was.
    cost: a.cost === null || b.cost === null ? null : a.cost + b.cost,
  };
}

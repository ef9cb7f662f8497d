import { finite, recordOr, scalarText, text, type JsonRecord } from "../json";

export interface NumberRules {
  integer: boolean;
  min: number | null;
  max: number | null;
  step: number;
}

export type NumberProblem = "not_a_number" | "not_whole" | "too_small" | "too_large";

export type ReadNumber =
  | { kind: "empty" }
  | { kind: "number"; value: number }
  | { kind: "problem"; problem: NumberProblem };

export function numberRules(raw: JsonRecord): NumberRules {
  const range = recordOr(raw.range_spec);
  const integer = raw.type === "int" || text(range.step_type) === "int";
  const step = finite(range.step);
  return {
    integer,
    min: finite(range.min),
    max: finite(range.max),
    step: step !== null && step > 0 ? (integer ? Math.max(1, Math.round(step)) : step) : integer ? 1 : 0.1,
  };
}

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** What a person typed, as a number; nothing that is not meant as one becomes one. */
export function readNumber(typed: string, rules: NumberRules): ReadNumber {
  const trimmed = typed.trim();
  if (trimmed === "") return { kind: "empty" };
  const value = Number(trimmed);
  if (!PLAIN.test(trimmed) || !Number.isFinite(value)) return { kind: "problem", problem: "not_a_number" };
  if (rules.integer && !Number.isInteger(value)) return { kind: "problem", problem: "not_whole" };
  if (rules.min !== null && value < rules.min) return { kind: "problem", problem: "too_small" };
  if (rules.max !== null && value > rules.max) return { kind: "problem", problem: "too_large" };
  return { kind: "number", value };
}

/** One or more steps up or down from what is there, without the dust of binary fractions. */
export function stepNumber(typed: string, rules: NumberRules, steps: number): number {
  const at = Number(typed.trim() === "" ? (rules.min ?? 0) : typed);
  const start = Number.isFinite(at) ? at : (rules.min ?? 0);
  const digits = Math.max(decimals(rules.step), decimals(start));
  const next = Number((start + steps * rules.step).toFixed(Math.min(digits, 12)));
  return clamp(next, rules);
}

export function clamp(value: number, { min, max }: NumberRules): number {
  return Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, value));
}

function decimals(value: number): number {
  return (String(value).split("e-")[0]?.split(".")[1]?.length ?? 0) + Number(String(value).split("e-")[1] ?? 0);
}

export function numberText(value: unknown): string {
  return scalarText(value);
}

export interface Duration {
  value: number | null;
  unit: string;
}

export function readDuration(value: unknown, units: readonly string[]): Duration {
  const { value: amount, unit } = recordOr(value);
  const known = text(unit);
  return { value: finite(amount), unit: known === "" ? (units[0] ?? "") : known };
}

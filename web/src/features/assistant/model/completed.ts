import { arrayOr, finite, isRecord, type JsonRecord, strings, text } from "@/flow/json";
import type { Completed, Ending, ErrorDetail, Notice } from "./types";

/** A text as it came; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

/** A number of things, never less than none. */
export function countOf(value: unknown): number {
  return Math.max(0, finite(value) ?? 0);
}

function countOrNull(value: unknown): number | null {
  return finite(value) === null ? null : countOf(value);
}

function usageOf(value: unknown): Completed["usage"] {
  const usage = isRecord(value) ? value : {};
  const input = countOf(usage.input_tokens);
  const output = countOf(usage.output_tokens);
  return { input_tokens: input, output_tokens: output, total_tokens: countOrNull(usage.total_tokens) ?? input + output };
}

function noticeOf(value: unknown): Notice[] {
  if (!isRecord(value) || typeof value.reason !== "string") return [];
  if (value.type !== "model_fallback" && value.type !== "model_remediation") return [];
  const { type, reason } = value;
  return [{ type, reason, failed_model: textOf(value.failed_model), used_model: textOf(value.used_model) }];
}

function sourceOf(value: unknown): { title: string; path: string }[] {
  if (!isRecord(value) || typeof value.path !== "string") return [];
  return [{ title: text(value.title) || value.path, path: value.path }];
}

function conflictOf(value: unknown): NonNullable<Completed["conflicts"]> {
  if (!isRecord(value) || typeof value.message !== "string") return [];
  return [{ component_id: text(value.component_id), field: textOf(value.field), message: value.message }];
}

function metricsOf(value: unknown): Completed["run_metrics"] {
  if (!isRecord(value)) return null;
  return { duration_seconds: countOf(value.duration_seconds), ...usageOf(value) };
}

/** How a turn ended. Parts that make no sense are left out: an answer is not lost for a badge. */
export function readEnding(data: JsonRecord): Ending {
  const pending = Array.isArray(data.pending_edits) ? { pending_edits: strings(data.pending_edits) } : {};
  return {
    intent: textOf(data.intent),
    validated: flag(data.validated),
    class_name: textOf(data.class_name),
    validation_error: textOf(data.validation_error),
    validation_attempts: countOrNull(data.validation_attempts),
    has_flow: flag(data.has_flow),
    continuation_expected: flag(data.continuation_expected),
    ...pending,
    verified: flag(data.verified),
    verification_caveat: textOf(data.verification_caveat),
    verification_attempts: countOrNull(data.verification_attempts),
    verification_rebuilt: flag(data.verification_rebuilt),
    component_generation_failed: flag(data.component_generation_failed),
    component_failure_caveat: textOf(data.component_failure_caveat),
    changes: strings(data.changes),
    sources: arrayOr(data.sources).flatMap(sourceOf),
    conflicts: arrayOr(data.conflicts).flatMap(conflictOf),
    run_metrics: metricsOf(data.run_metrics),
    restore_version_id: textOf(data.restore_version_id),
    flow_id: textOf(data.flow_id),
    notices: arrayOr(data.notices).flatMap(noticeOf),
    usage: usageOf(data.usage),
    duration_seconds: countOf(data.duration_seconds),
    provider: textOf(data.provider),
    model_name: textOf(data.model_name),
    rehearsal: data.rehearsal === true,
  };
}

export function readCompleted(data: JsonRecord): Completed {
  return { ...readEnding(data), result: text(data.result), component_code: textOf(data.component_code) };
}

export function readDetail(value: unknown): ErrorDetail | null {
  if (!isRecord(value)) return null;
  return {
    step: text(value.step),
    component_id: textOf(value.component_id),
    tool: textOf(value.tool),
    raw_cause: textOf(value.raw_cause),
    recommendation: textOf(value.recommendation),
    restore_version_id: textOf(value.restore_version_id),
  };
}

const both = <T>(before: T[] | undefined, after: T[] | undefined): T[] => [...(before ?? []), ...(after ?? [])];

/** Two streams that a person saw as one answer: what they cost and did is told together, what they say is what was said last. */
export function joinedEndings(before: Ending | null, after: Ending): Ending {
  if (!before) return after;
  const add = (key: keyof Ending["usage"]): number => before.usage[key] + after.usage[key];
  return {
    ...after,
    usage: {
      input_tokens: add("input_tokens"),
      output_tokens: add("output_tokens"),
      total_tokens: add("total_tokens"),
    },
    duration_seconds: before.duration_seconds + after.duration_seconds,
    changes: [...new Set(both(before.changes, after.changes))],
    sources: both(before.sources, after.sources),
    conflicts: both(before.conflicts, after.conflicts),
    notices: both(before.notices, after.notices),
    run_metrics: after.run_metrics ?? before.run_metrics ?? null,
    restore_version_id: before.restore_version_id ?? after.restore_version_id ?? null,
  };
}

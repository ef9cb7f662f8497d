import { arrayOr, finite, isRecord, type JsonRecord, recordOr, text, textOrNull, toJson } from "./json";

export interface QuestionField {
  name: string;
  label: string;
  /** Given as JSON, not as a line of text. */
  structured: boolean;
  value: unknown;
}

/** What a run asks a person before it goes on. */
export interface Question {
  jobId: string | null;
  requestId: string;
  node: string;
  component: string;
  /** `human_input`, `tool_approval`, `effect_unknown`, … */
  kind: string;
  prompt: string;
  /** The tool it wants to use. */
  tool: string | null;
  options: { id: string; label: string }[];
  fields: QuestionField[];
  /** When it answers itself, in milliseconds since 1970; null when it waits for ever. */
  deadline: number | null;
  /** What it answers itself with. */
  fallback: string | null;
}

export function questionOf(data: JsonRecord): Question {
  const requestId = text(data.request_id);
  const timeout = finite(data.timeout_ms);
  const asked = timeOfId(requestId);
  const options = arrayOr(data.options).map(recordOr);
  return {
    jobId: textOrNull(data.job_id),
    requestId,
    node: text(data.component_id),
    component: text(data.component_display_name),
    kind: text(data.kind),
    prompt: text(data.prompt),
    tool: options.map((option) => textOrNull(option.tool)).find((tool) => tool !== null) ?? null,
    options: options.flatMap(({ id, label }) =>
      textOrNull(id) === null ? [] : [{ id: text(id), label: text(label) || text(id) }],
    ),
    fields: arrayOr(data.fields).flatMap((field) => fieldOf(recordOr(field)) ?? []),
    deadline: timeout === null || asked === null ? null : asked + timeout,
    fallback: textOrNull(data.fallback),
  };
}

function fieldOf({ name, display_name, value }: JsonRecord): QuestionField | null {
  const known = textOrNull(name);
  if (known === null) return null;
  return {
    name: known,
    label: text(display_name) || known,
    structured: typeof value === "object" && value !== null,
    value: value ?? "",
  };
}

/** The moment that an id of version 7 begins with. */
function timeOfId(id: string): number | null {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id);
  return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : null;
}

/** The field as it is typed. */
export function fieldText(field: QuestionField): string {
  return field.structured ? (toJson(field.value, 2) ?? "") : String(field.value);
}

export type Typed = { ok: true; value: unknown } | { ok: false; reason: string };

/** What was typed, as the run takes it: an object stays an object. */
export function typedValue(field: QuestionField, typed: string): Typed {
  if (!field.structured) return { ok: true, value: typed };
  try {
    const value: unknown = JSON.parse(typed);
    const same = Array.isArray(field.value) ? Array.isArray(value) : isRecord(value);
    return same ? { ok: true, value } : { ok: false, reason: "" };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : "" };
  }
}

export interface FieldProblem {
  field: string;
  message: string;
}

/** What went wrong, in the server's words. `status` 0 means that no answer came back. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: FieldProblem[];
  readonly retryAfter: number | null;
  readonly body: unknown;

  constructor(init: {
    status: number;
    code: string;
    detail: string;
    requestId?: string | null;
    fields?: FieldProblem[];
    retryAfter?: number | null;
    body?: unknown;
  }) {
    super(init.detail);
    this.name = "ApiError";
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId ?? null;
    this.fields = init.fields ?? [];
    this.retryAfter = init.retryAfter ?? null;
    this.body = init.body;
  }

  /** The server never answered: offline, stopped, or in the way. */
  get unreachable(): boolean {
    return this.status === 0;
  }

  field(name: string): string | undefined {
    return this.fields.find((problem) => problem.field === name)?.message;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function sentence(detail: unknown): string {
  if (typeof detail === "string") return detail;
  if (isRecord(detail) && typeof detail.message === "string") return detail.message;
  return "";
}

function problems(errors: unknown): FieldProblem[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry.message === "string"
      ? [{ field: typeof entry.field === "string" ? entry.field : "", message: entry.message }]
      : [],
  );
}

export function errorFromBody(
  status: number,
  body: unknown,
  headers?: { get(name: string): string | null },
): ApiError {
  const envelope = isRecord(body) ? body : {};
  const retry = Number(headers?.get("retry-after") ?? Number.NaN);
  return new ApiError({
    status,
    code: typeof envelope.code === "string" ? envelope.code : `http_${status}`,
    detail: sentence(envelope.detail),
    requestId:
      typeof envelope.request_id === "string"
        ? envelope.request_id
        : (headers?.get("x-request-id") ?? null),
    fields: problems(envelope.errors),
    retryAfter: Number.isFinite(retry) ? retry : null,
    body,
  });
}

export function networkError(cause: unknown): ApiError {
  return new ApiError({
    status: 0,
    code: "unreachable",
    detail: cause instanceof Error ? cause.message : "",
  });
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError({
    status: -1,
    code: "unexpected",
    detail: error instanceof Error ? error.message : String(error),
  });
}

/** What was asked for goes by what is saved, and the last changes are not. */
export function notSaved(sentence: string): ApiError {
  return new ApiError({ status: -1, code: "not_saved", detail: sentence });
}

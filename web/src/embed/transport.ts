import type { ChatEvent, Failure, Question } from "./conversation";
import type { Options } from "./options";

export interface Visit {
  visitor: string;
  session: string;
}

export class ChatFailure extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Servers that a browser would not let this page call with a key. */
const keyless = new Set<string>();

/** Says something to the flow and tells of each event until the answer is over. */
export async function converse(
  options: Options,
  visit: Visit,
  text: string,
  tell: (event: ChatEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await begin(options, visit, text, signal);
  if (!response.ok) throw new ChatFailure(await failureOf(response));
  if (!response.body) throw new ChatFailure({ kind: "failed" });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const read = lineReader();
  let over = false;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw signal.aborted ? cause : new ChatFailure({ kind: "unreachable" });
    });
    for (const event of read(done ? "\n" : decoder.decode(value, { stream: true }))) {
      over ||= event.event === "end" || event.event === "cancelled";
      tell(event);
    }
    if (done) break;
  }
  if (!over) throw new ChatFailure({ kind: "unreachable" });
}

async function begin(options: Options, visit: Visit, text: string, signal: AbortSignal): Promise<Response> {
  if (options.apiKey !== null && !keyless.has(options.host)) {
    try {
      return await withKey(options, visit, text, signal);
    } catch (cause) {
      // The server answers keys only on pages of its own; there is still the door for visitors.
      if (signal.aborted || isOwnPage(options.host)) throw unreachable(cause, signal);
      keyless.add(options.host);
    }
  }
  try {
    return await asVisitor(options, visit, text, signal);
  } catch (cause) {
    throw unreachable(cause, signal);
  }
}

function unreachable(cause: unknown, signal: AbortSignal): unknown {
  return signal.aborted ? cause : new ChatFailure({ kind: "unreachable" });
}

function isOwnPage(host: string): boolean {
  try {
    return new URL(host, location.href).origin === location.origin;
  } catch {
    return false;
  }
}

function withKey(options: Options, visit: Visit, text: string, signal: AbortSignal): Promise<Response> {
  const { host, flowId, apiKey, tweaks, run, headers } = options;
  return fetch(`${host}/api/v1/run/${encodeURIComponent(flowId)}?stream=true`, {
    method: "POST",
    credentials: "omit",
    headers: { ...headers, "content-type": "application/json", "x-api-key": apiKey ?? "" },
    body: JSON.stringify({ ...run, input_value: text, session_id: visit.session, ...(tweaks ? { tweaks } : {}) }),
    signal,
  });
}

function asVisitor({ host, flowId }: Options, visit: Visit, text: string, signal: AbortSignal): Promise<Response> {
  return fetch(`${host}/api/v2/workflows/public`, {
    method: "POST",
    credentials: "omit",
    headers: { "content-type": "application/json", "x-ferroflow-visitor": visit.visitor },
    body: JSON.stringify({ flow_id: flowId, input_value: text, session_id: visit.session, stream_protocol: "langflow" }),
    signal,
  });
}

/** Answers what the run asked; the stream that is open goes on. */
export async function answer({ host }: Options, visit: Visit, question: Question, action: string): Promise<void> {
  const response = await fetch(`${host}/api/v2/workflows/public/${encodeURIComponent(question.job)}/resume`, {
    method: "POST",
    credentials: "omit",
    headers: { "content-type": "application/json", "x-ferroflow-visitor": visit.visitor },
    body: JSON.stringify({ request_id: question.request, decision: { action_id: action } }),
  }).catch(() => {
    throw new ChatFailure({ kind: "unreachable" });
  });
  if (!response.ok) throw new ChatFailure(await failureOf(response));
}

async function failureOf(response: Response): Promise<Failure> {
  const seconds = Number(response.headers.get("retry-after"));
  switch (response.status) {
    case 429:
      return seconds > 0 ? { kind: "rate", seconds: Math.ceil(seconds) } : { kind: "busy" };
    case 404:
      return { kind: "notPublic" };
    case 413:
    case 422:
      return { kind: "tooLong" };
    case 400:
    case 401:
    case 403:
      return { kind: "refused" };
    default:
      return { kind: "failed" };
  }
}

/**
 * Reads events out of text that is cut anywhere. One door sends JSON on lines of its own, the other server-sent events;
 * both have one event on a line.
 */
export function lineReader(): (piece: string) => ChatEvent[] {
  let rest = "";
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    return lines.flatMap((line) => {
      const text = line.startsWith("data:") ? line.slice(5) : line;
      if (!text.trimStart().startsWith("{")) return [];
      try {
        const value = JSON.parse(text) as ChatEvent;
        return typeof value.event === "string" ? [value] : [];
      } catch {
        return [];
      }
    });
  };
}

import { eventReader, type ServerEvent } from "@/flow/sse";
import { reportUnreachable, sessionFetch } from "./client";
import { errorFromBody, networkError } from "./error";

export interface StreamReader {
  onEvents: (events: ServerEvent[]) => void;
  /** Told once the server has answered, with its clock's time. */
  onOpen?: (serverTime: number | null) => void;
}

/** Reads server-sent events, those after `after` if it is given, until the server has no more of them. */
export async function readStream(
  path: string,
  after: string | null,
  { onEvents, onOpen }: StreamReader,
  signal: AbortSignal,
): Promise<void> {
  const response = await sessionFetch(
    new Request(path, {
      headers: { accept: "text/event-stream", ...(after === null ? {} : { "last-event-id": after }) },
      signal,
    }),
  );
  if (!response.ok || !response.body) {
    throw errorFromBody(response.status, await response.json().catch(() => null), response.headers);
  }
  const date = Date.parse(response.headers.get("date") ?? "");
  onOpen?.(Number.isNaN(date) ? null : date);
  await readBody(response.body, onEvents);
}

/** Hands on the events of an answer as they come. */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  onEvents: (events: ServerEvent[]) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = eventReader();
  for (;;) {
    const { done, value } = await next(reader);
    if (done) return;
    const events = read(decoder.decode(value, { stream: true }));
    if (events.length > 0) onEvents(events);
  }
}

// The server says something every 15 seconds. A connection that broke on the way may never say so itself.
const SILENCE = 45_000;

async function next(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The connection fell silent.")), SILENCE);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    void reader.cancel().catch(() => {});
    reportUnreachable();
    throw networkError(cause);
  } finally {
    clearTimeout(timer);
  }
}

import type { FlowRead } from "@/api/types";
import { chat as chatFlow } from "@/flow/fixtures/build";
import type { JsonRecord } from "@/flow/json";
import type { AssistantConfig } from "./model/types";

/** A turn that a test tells: what is sent, in which pieces, and when it ends. */
export interface FakeTurn {
  body: JsonRecord;
  /** The page no longer listens. */
  left: () => boolean;
  say: (text: string) => void;
  bytes: (bytes: Uint8Array) => void;
  events: (...events: JsonRecord[]) => void;
  end: () => void;
  /** The connection breaks. */
  lose: () => void;
}

export const line = (event: JsonRecord): string => `data: ${JSON.stringify(event)}\n\n`;

export const completed = (more: JsonRecord = {}): JsonRecord => ({
  event: "complete",
  data: { result: "Done.", usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 }, duration_seconds: 1.5, ...more },
});

export const REHEARSAL: AssistantConfig = {
  enabled: true,
  configured: false,
  configured_providers: [],
  providers: [
    {
      name: "Rehearsal",
      configured: true,
      default_model: "rehearsal",
      models: [{ name: "rehearsal", display_name: "rehearsal" }],
      rehearsal: true,
    },
  ],
  default_provider: "Rehearsal",
  default_model: "rehearsal",
};

/** For tests: a server that has one flow and lets the test speak for the assistant. */
export class FakeServer {
  turns: FakeTurn[] = [];
  resets: string[] = [];
  counted: string[] = [];
  versions: string[] = [];
  activated: string[] = [];
  config: AssistantConfig = REHEARSAL;
  /** Answers the next turn instead of a stream. */
  refusal: Response | null = null;
  /** Answers the next component that is to be made. */
  making: Response | null = null;
  savingFails = false;
  /** A version is put in place only then. */
  activating: Promise<void> | null = null;
  readonly flowId: string;
  revision = 1;

  constructor(flowId: string) {
    this.flowId = flowId;
  }

  flow(data: unknown = chatFlow()): FlowRead {
    return {
      id: this.flowId,
      name: "Flow",
      data,
      revision: this.revision,
      locked: false,
      updated_at: "2026-01-01T00:00:00Z",
    } as unknown as FlowRead;
  }

  answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const body = (await request.json().catch(() => ({}))) as JsonRecord;
    if (pathname.endsWith("/assist/stream")) return this.turn(body, request.signal);
    if (pathname.endsWith("/check-config")) return Response.json(this.config);
    if (pathname.endsWith("/sessions/reset")) {
      this.resets.push(searchParams.get("session_id") ?? "");
      return Response.json({ status: "ok", components_cleared: 0 });
    }
    if (pathname.endsWith("/feedback")) {
      this.counted.push(String(body.name));
      return new Response(null, { status: 204 });
    }
    if (pathname.endsWith("/custom_component")) {
      const refused = this.making;
      this.making = null;
      return refused ?? Response.json({ type: "Loud", data: { display_name: "Loud", template: {}, outputs: [] } });
    }
    if (pathname.endsWith("/agentic/files")) return new Response("# Plan");
    if (pathname.endsWith("/activate")) {
      await this.activating;
      this.activated.push(`${pathname.split("/").at(-2) ?? ""}?${searchParams.toString()}`);
      this.revision += 1;
      return Response.json(this.flow({ nodes: [], edges: [] }));
    }
    if (pathname.endsWith("/versions")) {
      this.versions.push(String(body.description));
      return Response.json({ id: `kept-${this.versions.length}` });
    }
    if (this.savingFails) return Response.json({ detail: "No.", code: "forbidden" }, { status: 403 });
    this.revision += 1;
    return Response.json({ revision: this.revision });
  };

  private turn(body: JsonRecord, signal: AbortSignal): Response {
    const refused = this.refusal;
    this.refusal = null;
    if (refused) return refused;
    let left = false;
    let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
    const readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = controller;
      },
      cancel: () => {
        left = true;
      },
    });
    signal.addEventListener("abort", () => {
      left = true;
      stream?.error(new DOMException("It was stopped.", "AbortError"));
    });
    const bytes = (piece: Uint8Array): void => stream?.enqueue(piece);
    const say = (text: string): void => bytes(new TextEncoder().encode(text));
    this.turns.push({
      body,
      left: () => left,
      say,
      bytes,
      events: (...events) => say(events.map(line).join("")),
      end: () => stream?.close(),
      lose: () => stream?.error(new TypeError("network error")),
    });
    return new Response(readable, { headers: { "content-type": "text/event-stream" } });
  }
}

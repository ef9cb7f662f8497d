import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import type { JsonRecord } from "../src/flow/json";
import { TURNS } from "./assistantSupport";
import { type Gate, play } from "./modelServer";

/** An event, a text that is sent as it stands, or a place where the stream waits. */
export type Piece = JsonRecord | string | Gate;

/** Behind it the connection is gone, without a word. */
export const CUT = "cut off here";

export interface Canned {
  /** What is told instead of the server's own words, when the page asks next. */
  next: (...pieces: Piece[]) => void;
  /** Turns that still wait to be asked for. */
  waiting: () => number;
}

const isGate = (piece: Piece): piece is Gate => typeof piece === "object" && "reached" in piece;

async function tell(response: ServerResponse, pieces: readonly Piece[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.flushHeaders();
  const texts = pieces.map((piece) =>
    typeof piece === "string" || isGate(piece) ? piece : `data: ${JSON.stringify(piece)}\n\n`,
  );
  const end = texts.indexOf(CUT);
  await play(end < 0 ? texts : texts.slice(0, end), (text) => void response.write(text));
  if (end < 0) response.end();
  else response.socket?.end();
}

/** Turns as no well-behaved server tells them. Those that are not written down here go to the real one. */
export async function cannedTurns(page: Page): Promise<Canned> {
  const queue: Piece[][] = [];
  const telling = new Map<string, Piece[]>();
  const server = createServer((request, response) => {
    request.resume();
    tell(response, telling.get(request.url ?? "") ?? []).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  page.context().once("close", () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  await page.route(`**${TURNS}`, async (route) => {
    const turn = queue.shift();
    if (!turn) return route.fallback();
    const path = `/turn/${telling.size}`;
    telling.set(path, turn);
    return route.continue({ url: `http://127.0.0.1:${port}${path}` });
  });
  return { next: (...pieces) => void queue.push(pieces), waiting: () => queue.length };
}

export const token = (chunk: string): JsonRecord => ({ event: "token", chunk });
export const step = (name: string, more: JsonRecord = {}): JsonRecord => ({
  event: "progress",
  step: name,
  attempt: 1,
  max_attempts: 3,
  ...more,
});
export const update = (action: string, more: JsonRecord): JsonRecord => ({ event: "flow_update", action, ...more });

export function complete(result: string, more: JsonRecord = {}): JsonRecord {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  return { event: "complete", data: { result, usage, duration_seconds: 0.4, ...more } };
}

/** A whole flow that is proposed. */
export function proposal(name: string, data: unknown, ...tail: JsonRecord[]): JsonRecord[] {
  return [
    step("generating_flow"),
    update("set_flow", { flow: { name, description: "", data } }),
    ...tail,
    step("flow_proposal_ready"),
    complete("Take a look.", { intent: "build_flow", has_flow: true }),
  ];
}

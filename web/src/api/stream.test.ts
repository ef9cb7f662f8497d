import { afterEach, expect, it, vi } from "vitest";
import type { ServerEvent } from "@/flow/sse";
import { readBody } from "./stream";

afterEach(() => vi.useRealTimers());

it("gives up a connection that fell silent, and lets heartbeats keep one alive", async () => {
  vi.useFakeTimers();
  let say: (text: string) => void = () => {};
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      say = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const seen: ServerEvent[] = [];
  const read = readBody(body, (events) => seen.push(...events)).catch((error: unknown) => error);
  say("id: 1\ndata: one\n\n");
  for (let beat = 0; beat < 4; beat += 1) {
    await vi.advanceTimersByTimeAsync(30_000);
    say(": beat\n\n");
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(cancelled).toBe(false);
  await vi.advanceTimersByTimeAsync(46_000);
  expect(await read).toMatchObject({ code: "unreachable" });
  expect(cancelled).toBe(true);
  expect(seen).toEqual([{ id: "1", data: "one" }]);
});

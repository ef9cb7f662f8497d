import { describe, expect, it } from "vitest";
import { chunker } from "./chatChunks";
import { type ChatMessage, parseMessages } from "./messages";

const messages = (from: number, to: number): ChatMessage[] =>
  parseMessages(Array.from({ length: to - from }, (_, index) => raw(from + index)));
const known = new Map<number, object>();
function raw(n: number): object {
  const found = known.get(n) ?? { id: `m${n}`, text: "x" };
  known.set(n, found);
  return found;
}

describe("pieces of a conversation", () => {
  it("hold every message once, in order", () => {
    const all = messages(0, 95);
    const chunks = chunker()(all);
    expect(chunks.flatMap((chunk) => chunk.messages)).toEqual(all);
    expect(Math.max(...chunks.map((chunk) => chunk.messages.length))).toBeLessThanOrEqual(20);
  });

  it("stay the same when earlier and later messages come", () => {
    const cut = chunker();
    const first = cut(messages(100, 200));
    const longer = cut(messages(0, 201));
    expect(first.slice(0, -1).every((chunk) => longer.includes(chunk))).toBe(true);
    expect(longer.flatMap((chunk) => chunk.messages)).toHaveLength(201);
    expect(longer.at(-1)?.messages.map((message) => message.id)).toEqual(["m200"]);
  });

  it("change where a message changed, and only there", () => {
    const cut = chunker();
    const before = cut(messages(0, 60));
    const changed = messages(0, 60).map((message) => (message.id === "m30" ? { ...message, text: "y" } : message));
    const after = cut(changed);
    expect(after.map((chunk, index) => chunk === before[index])).toEqual([true, false, true]);
  });
});

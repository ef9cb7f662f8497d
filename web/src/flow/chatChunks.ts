import type { ChatMessage } from "./messages";

export interface Chunk {
  /** Id of its first message. */
  id: string;
  messages: ChatMessage[];
  /** Pixels it may take, until it has been drawn. */
  height: number;
}

const most = 20;

/**
 * Cuts a conversation into pieces of which the browser draws only those in view. A piece that did not change stays
 * the same object, also when messages come before or after it.
 */
export function chunker(): (messages: readonly ChatMessage[]) => Chunk[] {
  let before = new Map<string, Chunk>();
  return (messages) => {
    const chunks: Chunk[] = [];
    let open: ChatMessage[] = [];
    const close = (): void => {
      const [first] = open;
      if (first) chunks.push(same(before.get(first.id), open) ?? { id: first.id, messages: open, height: guess(open) });
      open = [];
    };
    for (const message of messages) {
      if (open.length >= most || (open.length > 0 && before.has(message.id))) close();
      open.push(message);
    }
    close();
    before = new Map(chunks.map((chunk) => [chunk.id, chunk]));
    return chunks;
  };
}

function same(chunk: Chunk | undefined, messages: ChatMessage[]): Chunk | null {
  const equal =
    chunk?.messages.length === messages.length &&
    chunk.messages.every((message, index) => message === messages[index]);
  return chunk && equal ? chunk : null;
}

function guess(messages: ChatMessage[]): number {
  return messages.reduce(
    (sum, { text, steps, files }) =>
      sum + 52 + 20 * Math.ceil(Math.max(1, text.length) / 90) + 38 * steps.length + (files.length > 0 ? 40 : 0),
    0,
  );
}

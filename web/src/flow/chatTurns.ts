import type { ChatMessage } from "./messages";

/** What a person said last, and what came of it. */
export interface Turn {
  question: ChatMessage;
  answers: ChatMessage[];
}

export function lastTurn(thread: readonly ChatMessage[]): Turn | null {
  const at = thread.findLastIndex((message) => message.fromPerson);
  const question = thread[at];
  return question ? { question, answers: thread.slice(at + 1) } : null;
}

import type { AssistantMessage, ChatState, Message } from "./types";

/** An answer of which nothing has come yet. */
export function newAnswer(id: string, at: number): AssistantMessage {
  return {
    id,
    role: "assistant",
    at,
    status: "streaming",
    content: "",
    progress: null,
    done: [],
    working: null,
    tasks: [],
    component: null,
    plan: null,
    proposal: null,
    preview: null,
    edits: [],
    files: [],
    failure: null,
    ending: null,
    restore: null,
    continued: false,
    hidden: false,
  };
}

export function answerOf(state: ChatState, id: string): AssistantMessage | null {
  const found = state.messages.findLast((message) => message.id === id);
  return found?.role === "assistant" ? found : null;
}

/** Replaces one answer and nothing else: everything around it stays the same object. */
export function withAnswer(state: ChatState, answer: AssistantMessage): ChatState {
  const index = state.messages.findLastIndex((message) => message.id === answer.id);
  if (index === -1 || state.messages[index] === answer) return state;
  return { ...state, messages: state.messages.with(index, answer) };
}

/** Changes those answers for which `change` gives another one. */
export function mapAnswers(
  messages: readonly Message[],
  change: (answer: AssistantMessage) => AssistantMessage,
): readonly Message[] {
  let changed = false;
  const mapped = messages.map((message) => {
    const next = message.role === "assistant" ? change(message) : message;
    changed ||= next !== message;
    return next;
  });
  return changed ? mapped : messages;
}

/** Nobody asked for anything since. */
export function isNewestAnswer(state: ChatState, id: string): boolean {
  return state.messages.findLast((message) => message.role === "assistant")?.id === id;
}

export function knowsId(state: ChatState, ...ids: string[]): boolean {
  return state.messages.some((message) => ids.includes(message.id));
}

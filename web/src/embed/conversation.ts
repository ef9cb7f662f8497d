export interface Said {
  id: string;
  from: "person" | "flow";
  text: string;
  state: "done" | "going" | "broken";
}

export type Failure =
  | { kind: "unreachable" | "busy" | "notPublic" | "refused" | "tooLong" | "failed" }
  | { kind: "rate"; seconds: number }
  | { kind: "told"; text: string };

export interface Question {
  job: string;
  request: string;
  prompt: string;
  options: { id: string; label: string }[];
}

export interface Conversation {
  messages: Said[];
  going: boolean;
  failure: Failure | null;
  question: Question | null;
}

export const NOTHING: Conversation = { messages: [], going: false, failure: null, question: null };

export interface ChatEvent {
  event: string;
  data: unknown;
}

type Bag = Record<string, unknown>;
const bag = (value: unknown): Bag => (typeof value === "object" && value !== null ? (value as Bag) : {});
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const words = (value: unknown): string => (typeof value === "string" ? value : "");

export function ask(chat: Conversation, id: string, text: string): Conversation {
  const messages: Said[] = [...chat.messages, { id, from: "person", text, state: "done" }];
  return { messages, going: true, failure: null, question: null };
}

/** The conversation after one more event of the stream. */
export function hear(chat: Conversation, { event, data }: ChatEvent): Conversation {
  const about = bag(data);
  switch (event) {
    case "add_message":
      // What the person said is shown already.
      return about.sender === "User" ? chat : { ...chat, messages: put(chat.messages, messageOf(about)) };
    case "token":
      return { ...chat, messages: grown(chat.messages, words(about.id), words(about.chunk)) };
    case "remove_message":
      return { ...chat, messages: chat.messages.filter(({ id }) => id !== about.id) };
    case "error":
      return { ...chat, failure: { kind: "told", text: words(about.text) || words(about.error) } };
    case "human_input_required":
      return { ...chat, question: questionOf(about) };
    case "end":
      return finish(answered(chat) ? chat : withResults(chat, about.result));
    case "cancelled":
      return breakOff(chat, null);
    default:
      return chat;
  }
}

/** The stream is over, as it should be. */
export function finish(chat: Conversation): Conversation {
  const messages = chat.messages.map((said) => (said.state === "going" ? { ...said, state: "done" as const } : said));
  return { ...chat, messages, going: false, question: null };
}

/** The stream ended before its time; what had come stays. */
export function breakOff(chat: Conversation, failure: Failure | null): Conversation {
  const messages = chat.messages.map((said) => (said.state === "going" ? { ...said, state: "broken" as const } : said));
  return { messages, going: false, failure: chat.failure ?? failure, question: null };
}

/** What the person said last, when nothing has answered it. */
export function unanswered(chat: Conversation): Said | null {
  const last = chat.messages.findLastIndex((said) => said.from === "person");
  return chat.messages[last] ?? null;
}

/** The conversation before its last question, to ask that again. */
export function rewind(chat: Conversation): Conversation {
  const last = chat.messages.findLastIndex((said) => said.from === "person");
  return last < 0 ? chat : { ...NOTHING, messages: chat.messages.slice(0, last) };
}

function answered(chat: Conversation): boolean {
  return chat.messages.at(-1)?.from === "flow" || chat.failure !== null;
}

function messageOf(about: Bag): Said {
  const state = words(bag(about.properties).state) === "partial" ? "going" : "done";
  return { id: words(about.id), from: "flow", text: words(about.text), state };
}

function put(messages: readonly Said[], said: Said): Said[] {
  const known = messages.some(({ id }) => id === said.id);
  return known ? messages.map((other) => (other.id === said.id ? said : other)) : [...messages, said];
}

function grown(messages: readonly Said[], id: string, chunk: string): Said[] {
  if (!messages.some((said) => said.id === id)) return [...messages, { id, from: "flow", text: chunk, state: "going" }];
  return messages.map((said) => (said.id === id ? { ...said, text: said.text + chunk, state: "going" } : said));
}

// A flow without a Chat Output adds no message; what it gives stands in the result.
function withResults(chat: Conversation, result: unknown): Conversation {
  const texts = list(bag(list(bag(result).outputs)[0]).outputs).flatMap((output) =>
    Object.values(bag(bag(output).outputs)).map((entry) => words(bag(entry).message)),
  );
  const text = texts.filter((part) => part !== "").join("\n\n");
  if (text === "") return chat;
  return { ...chat, messages: [...chat.messages, { id: `result-${chat.messages.length}`, from: "flow", text, state: "done" }] };
}

function questionOf(about: Bag): Question {
  return {
    job: words(about.job_id),
    request: words(about.request_id),
    prompt: words(about.prompt),
    options: list(about.options).flatMap((option) => {
      const { id, label } = bag(option);
      return words(id) === "" ? [] : [{ id: words(id), label: words(label) || words(id) }];
    }),
  };
}

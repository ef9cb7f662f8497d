import { isRecord, recordOr, text } from "./json";
import { type ChatMessage, parseMessage, problemOfEvent, type RunProblem } from "./messages";
import { type Question, questionOf } from "./questions";

/** What is known of a run before the server's list of messages has all of it. */
export interface ChatRun {
  jobId: string | null;
  phase: "starting" | "going" | "lost" | "over";
  outcome: "completed" | "stopped" | "failed" | null;
  stopping: boolean;
  /** Said, but not yet on the server. */
  pending: { text: string; files: string[] } | null;
  messages: ChatMessage[];
  removed: string[];
  problems: RunProblem[];
  questions: Question[];
  /** What goes when it has answered. */
  replaces: Replaces | null;
  /** Number of the last event that was read. */
  lastEvent: string | null;
  startedAt: number;
}

/** The turn that a run is to take the place of; it stays until the answer has come. */
export interface Replaces {
  ids: string[];
  /** Asked in the same words: the question need not be shown twice. */
  sameQuestion: boolean;
}

export function newRun(
  startedAt: number,
  pending: ChatRun["pending"] = null,
  replaces: Replaces | null = null,
): ChatRun {
  return {
    jobId: null,
    phase: "starting",
    outcome: null,
    stopping: false,
    pending,
    messages: [],
    removed: [],
    problems: [],
    questions: [],
    replaces,
    lastEvent: null,
    startedAt,
  };
}

export interface RunEvent {
  id: string | null;
  name: string;
  data: unknown;
}

/** One frame of a run's stream; null for what is not an event. */
export function parseRunEvent(frame: { id: string | null; data: string }): RunEvent | null {
  try {
    const value: unknown = JSON.parse(frame.data);
    return isRecord(value) ? { id: frame.id, name: text(value.event), data: value.data } : null;
  } catch {
    return null;
  }
}

/** The run after one more event. */
export function reduceRun(run: ChatRun, event: RunEvent): ChatRun {
  return { ...run, ...change(run, event), lastEvent: event.id ?? run.lastEvent };
}

function change(run: ChatRun, { name, data }: RunEvent): Partial<ChatRun> {
  switch (name) {
    case "add_message": {
      const message = parseMessage(data);
      return message ? added(run, message) : {};
    }
    case "token":
      return { messages: withToken(run.messages, recordOr(data)) };
    case "remove_message": {
      const id = text(recordOr(data).id);
      return { messages: run.messages.filter((message) => message.id !== id), removed: [...run.removed, id] };
    }
    case "error":
      return { problems: [...run.problems, problemOfEvent(data)] };
    case "end_vertex":
      return { questions: answered(run.questions, text(recordOr(recordOr(data).build_data).id)) };
    case "human_input_required": {
      const question = questionOf(recordOr(data));
      return { questions: [...answered(run.questions, question.node), question] };
    }
    case "cancelled":
      // What broke off because it was stopped is no problem of the flow.
      return { ...over("stopped"), problems: [] };
    case "end":
      return over(run.problems.length > 0 ? "failed" : "completed");
    default:
      return {};
  }
}

function over(outcome: NonNullable<ChatRun["outcome"]>): Partial<ChatRun> {
  return { phase: "over", outcome, stopping: false, pending: null, questions: [] };
}

function added(run: ChatRun, message: ChatMessage): Partial<ChatRun> {
  const exists = run.messages.some((other) => other.id === message.id);
  return {
    pending: message.fromPerson ? null : run.pending,
    questions: message.source === null ? run.questions : answered(run.questions, message.source),
    messages: exists
      ? run.messages.map((other) => (other.id === message.id ? message : other))
      : [...run.messages, message],
  };
}

function withToken(messages: ChatMessage[], token: Record<string, unknown>): ChatMessage[] {
  const id = text(token.id);
  const chunk = text(token.chunk);
  return messages.map((message) =>
    message.id === id ? { ...message, text: message.text + chunk, partial: true } : message,
  );
}

function answered(questions: Question[], node: string): Question[] {
  return questions.some((question) => question.node === node)
    ? questions.filter((question) => question.node !== node)
    : questions;
}

/**
 * The conversation: what the server has, with what the run has told since. A message is in it once, however often
 * and from wherever it was heard.
 */
export function threadOf(loaded: readonly ChatMessage[], run: ChatRun | null): ChatMessage[] {
  if (!run) return [...loaded];
  const live = new Map(run.messages.map((message) => [message.id, message]));
  const thread = loaded.map((message) => {
    const newer = live.get(message.id);
    live.delete(message.id);
    return newer ?? message;
  });
  thread.push(...live.values());
  return run.removed.length === 0 && !run.replaces
    ? thread
    : thread.filter((message) => !run.removed.includes(message.id) && !isRepeated(message, run));
}

/** The question of a run that asks again in the same words. */
function isRepeated(message: ChatMessage, run: ChatRun): boolean {
  return run.replaces?.sameQuestion === true && message.fromPerson && message.runId === run.jobId;
}

/**
 * What to go on showing of a run that is over: of an answer that broke off, the server's list may lack what the
 * stream told.
 */
export function unfinishedOf(loaded: readonly ChatMessage[], run: ChatRun): ChatMessage[] {
  const broken = new Set(loaded.flatMap((message) => (message.partial ? [message.id] : [])));
  return run.messages.filter((message) => broken.has(message.id));
}

/** Problems that no message in the conversation tells of already. */
export function problemsBeside(run: ChatRun, thread: readonly ChatMessage[]): RunProblem[] {
  const told = new Set(
    thread.flatMap((message) =>
      message.steps.flatMap((step) => (step.kind === "error" ? [step.problem.reason] : [])),
    ),
  );
  return run.problems.filter((problem, index) => {
    const first = run.problems.findIndex((other) => other.reason === problem.reason) === index;
    // The message names the node before the reason.
    const isTold = [...told].some((reason) => reason === problem.reason || reason.endsWith(`: ${problem.reason}`));
    return first && !isTold;
  });
}

import { leftBehind } from "./leaving";
import { answerOf, knowsId, newAnswer, withAnswer } from "./messages";
import type {
  Asked,
  AssistantMessage,
  ChatState,
  Effect,
  Failure,
  Message,
  ModelChoice,
  Reduced,
  SendIds,
  Turn,
  TurnRequest,
} from "./types";

export const unchanged = (state: ChatState): Reduced => ({ state, effects: [] });

export const KEEP: Effect = { do: "keep", what: "session" };

export function requestFor(
  state: ChatState,
  input: string,
  model: ModelChoice | null,
  selected: string | null,
): TurnRequest {
  const { sessionId, historyLimit, iterationsLimit } = state;
  const component = selected === null ? null : { id: selected, field: null };
  return { input, sessionId, model, historyLimit, iterationsLimit, component };
}

export function newTurn(id: string, message: string, request: TurnRequest): Turn {
  return {
    id,
    message,
    approve: false,
    plan: null,
    request,
    before: "",
    earlier: null,
    proposed: false,
    approval: null,
  };
}

/** The stream that follows another one by itself, in the same message. */
export function followingTurn(state: ChatState, turn: Turn, input: string): Turn {
  const { historyLimit, iterationsLimit } = state;
  return newTurn(`${turn.id}+`, turn.message, { ...turn.request, input, historyLimit, iterationsLimit });
}

export function askedOf({ input, component }: TurnRequest): Asked {
  return { input, component };
}

export function open(turn: Turn): Effect {
  return { do: "stream", turn: turn.id, request: turn.request };
}

/** The answer that is under way, with its stream. */
export function underWay(state: ChatState): { turn: Turn; answer: AssistantMessage } | null {
  const answer = state.turn && answerOf(state, state.turn.message);
  return state.turn && answer ? { turn: state.turn, answer } : null;
}

/** Ends the stream without a result. What was said, done and proposed stays. */
export function endEarly(state: ChatState, status: "error" | "cancelled", failure: Failure | null): ChatState {
  const now = underWay(state);
  if (!now) return state;
  const { turn, answer } = now;
  const version = failure?.detail?.restore_version_id ?? null;
  // Its approval was never sent: it can be given again.
  const plan = turn.approval && answer.plan ? { ...answer.plan, status: "pending" as const } : answer.plan;
  return {
    ...withAnswer(state, {
      ...answer,
      status,
      failure,
      plan,
      asked: askedOf(turn.request),
      content: answer.content.trimEnd(),
      // The tool that was at work is what failed.
      working: status === "error" ? answer.working : null,
      restore: answer.restore ?? (version ? { version, reverted: false } : null),
    }),
    turn: null,
  };
}

/** Gives up the stream that is open, if there is one. */
export function cutOff(state: ChatState): Reduced {
  if (!state.turn) return unchanged(state);
  return {
    state: endEarly(state, "cancelled", null),
    effects: [{ do: "abort", turn: state.turn.id }],
  };
}

export interface Question {
  /** What the person said; null where they only pressed a button. */
  text: string | null;
  input: string;
  model: ModelChoice | null;
  selected: string | null;
  ids: SendIds;
  at: number;
}

/** Ids that are taken would mix up two answers, or two streams. Whoever sends twice by mistake is heard once. */
function taken(state: ChatState, { text, ids }: Question): boolean {
  if (state.turn?.id === ids.turn) return true;
  return text === null ? knowsId(state, ids.answer) : ids.person === ids.answer || knowsId(state, ids.person, ids.answer);
}

/** Asks: whatever still waited for a word is left behind. Null where the ids are taken. */
export function ask(before: ChatState, question: Question): Reduced | null {
  if (taken(before, question)) return null;
  const { state, effects } = cutOff(before);
  const { text, input, model, selected, ids, at } = question;
  const said: Message[] = text === null ? [] : [{ id: ids.person, role: "user", text, at }];
  const turn = newTurn(ids.turn, ids.answer, requestFor(state, input, model, selected));
  return {
    state: { ...state, messages: [...leftBehind(state.messages), ...said, newAnswer(ids.answer, at)], turn },
    effects: [...effects, open(turn), KEEP],
  };
}

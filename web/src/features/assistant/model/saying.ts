import { type Command, readCommand } from "./commands";
import { released } from "./leaving";
import { answerOf, knowsId } from "./messages";
import { COUNTERS, EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT, refinementInput } from "./protocol";
import { ask, KEEP, type Question, unchanged } from "./turn";
import type { Action, Asked, ChatState, Effect, LocalMessage, PersonMessage, Reduced } from "./types";

const REPEATED: Effect = { do: "warn", text: "The same message was sent twice." };

type Send = Extract<Action, { type: "send" }>;

/** What the person typed: a command for the page, or something to ask. */
export function onSend(state: ChatState, action: Send): Reduced {
  const text = action.text.trim();
  if (text === "") return unchanged(state);
  const command = readCommand(text);
  if (command) return onCommand(state, command, text, action);
  const { model, selected, ids, at } = action;
  const stash = state.refining;
  // Quoted once, whatever becomes of it.
  const ready: ChatState = stash
    ? { ...state, refining: null, messages: released(state.messages, stash.message) }
    : state;
  const input = stash ? refinementInput(stash.markdown, text) : text;
  const asked = ask(ready, { text, input, model, selected, ids, at });
  if (!asked) return { state, effects: [REPEATED] };
  const counted: Effect[] = stash ? [{ do: "count", name: COUNTERS.refinementSent }] : [];
  return { state: asked.state, effects: [{ do: "remember", text }, ...counted, ...asked.effects] };
}

/** Nobody is asked: an answer that is under way goes on, and what waits for a word still waits. */
function onCommand(state: ChatState, command: Command, text: string, { ids, at }: Send): Reduced {
  if (ids.person === ids.answer || knowsId(state, ids.person, ids.answer))
    return { state, effects: [REPEATED] };
  const { state: next, effects, note } = obeyed(state, command);
  const echo: PersonMessage = { id: ids.person, role: "user", text, at };
  const told: LocalMessage = { id: ids.answer, role: "local", note, at };
  return {
    state: { ...next, messages: [...next.messages, echo, told] },
    effects: [{ do: "remember", text }, ...effects, KEEP],
  };
}

function obeyed(state: ChatState, command: Command): Reduced & { note: LocalMessage["note"] } {
  switch (command.kind) {
    case "skipAll":
      return { ...setSkipAll(state, !state.skipAll), note: { kind: "skipAll", on: !state.skipAll } };
    case "usage":
      return { ...unchanged(state), note: command };
    case "history": {
      const limit = command.limit === undefined ? state.historyLimit : command.limit;
      const effects: Effect[] = command.limit === undefined ? [] : [{ do: "keep", what: "historyLimit" }];
      return { state: { ...state, historyLimit: limit }, effects, note: { kind: "history", limit } };
    }
    case "iterations": {
      const limit = command.limit === undefined ? state.iterationsLimit : command.limit;
      const effects: Effect[] = command.limit === undefined ? [] : [{ do: "keep", what: "iterationsLimit" }];
      return { state: { ...state, iterationsLimit: limit }, effects, note: { kind: "iterations", limit } };
    }
  }
}

export function setSkipAll(state: ChatState, on: boolean): Reduced {
  if (on === state.skipAll) return unchanged(state);
  return {
    state: { ...state, skipAll: on },
    effects: [
      { do: "keep", what: "skipAll" },
      { do: "count", name: COUNTERS.skipAllToggled },
    ],
  };
}

/** Asks the same again, behind everything else. */
export function onRetry(state: ChatState, action: Extract<Action, { type: "retry" }>): Reduced {
  const failed = answerOf(state, action.message);
  const again =
    failed?.status === "error" || failed?.status === "cancelled" || failed?.component?.validated === false;
  if (!failed || failed.status === "streaming" || !again) return unchanged(state);
  const { model, ids, at } = action;
  const asked = failed.asked ? repeated(state, failed.id, failed.asked) : askedWith(state, failed.id);
  if (!asked) return unchanged(state);
  return ask(state, { ...asked, model, ids, at }) ?? { state, effects: [REPEATED] };
}

type Repeated = Pick<Question, "text" | "input" | "selected">;

/** The very same request: with what was quoted before the person's words, and about the same node. */
function repeated(state: ChatState, message: string, { input, component }: Asked): Repeated {
  const pressed = input === PLAN_APPROVAL_INPUT || input === EDIT_CONTINUATION_INPUT;
  const text = pressed ? null : (askedWith(state, message)?.text ?? null);
  return { text, input, selected: component?.id ?? null };
}

/** What an answer of an earlier visit answers: the person's words before it, or the approval of a plan. */
function askedWith(state: ChatState, message: string): Repeated | null {
  const end = state.messages.findIndex(({ id }) => id === message);
  for (let index = end - 1; index >= 0; index -= 1) {
    const before = state.messages[index];
    // A command and what it told stand beside the talk.
    if (before?.role === "local") index -= 1;
    else if (before?.role === "user") return { text: before.text, input: before.text, selected: null };
    else if (before?.plan?.status === "approved")
      return { text: null, input: PLAN_APPROVAL_INPUT, selected: null };
  }
  return null;
}

import { onComponent } from "./component";
import { onEdit, onEditFailed } from "./edits";
import { answerOf, withAnswer } from "./messages";
import { onPlan } from "./plan";
import { onProposal, onProposalApplied, onProposalReverted, onSettleProposal } from "./proposal";
import { CONNECTION_ENDED } from "./protocol";
import { onRetry, onSend, setSkipAll } from "./saying";
import { settledMessages } from "./settled";
import { onEvent } from "./streaming";
import { withoutTask } from "./tasks";
import { cutOff, endEarly, KEEP, unchanged } from "./turn";
import type { Action, AssistantMessage, ChatState, Effect, FlowUpdate, Reduced } from "./types";

export interface Beginning {
  flowId: string;
  sessionId: string;
  skipAll: boolean;
  historyLimit: number | null;
  iterationsLimit: number | null;
}

/** A conversation in which nothing was said. */
export function initialState({ flowId, sessionId, skipAll, historyLimit, iterationsLimit }: Beginning): ChatState {
  return { flowId, sessionId, messages: [], turn: null, skipAll, historyLimit, iterationsLimit, refining: null };
}

/** What an action makes of a conversation, and what has to happen outside. Any action is fine in any state. */
export function reduce(state: ChatState, action: Action): Reduced {
  switch (action.type) {
    case "send":
      return onSend(state, action);
    case "event":
      return onEvent(state, action);
    case "ended":
      return onEnded(state, action);
    case "stop":
      return onStop(state);
    case "retry":
      return onRetry(state, action);
    case "plan":
      return onPlan(state, action);
    case "proposal":
      return onProposal(state, action);
    case "proposalApplied":
      return onProposalApplied(state, action);
    case "proposalReverted":
      return onProposalReverted(state, action);
    case "settleProposal":
      return onSettleProposal(state, action);
    case "edit":
      return onEdit(state, action);
    case "notApplied":
      return changed(state, action.message, (answer) => withoutRow(answer, action.update));
    case "editFailed":
      return onEditFailed(state, action);
    case "component":
      return onComponent(state, action);
    case "fileRead":
      return changed(state, action.message, (answer) => withContent(answer, action.path, action.content));
    case "reverted":
      return changed(state, action.message, (answer) => reverted(answer, action.undone !== true));
    case "newSession":
      return onNewSession(state, action.sessionId);
    case "loadSession":
      return onLoadSession(state, action);
    case "mounted":
      // A talk that is going on must not lose what the server remembers of it.
      return state.messages.length > 0
        ? unchanged(state)
        : { state, effects: [{ do: "resetSession", sessionId: state.sessionId }] };
    case "setSkipAll":
      return setSkipAll(state, action.on);
    default:
      return unchanged(state);
  }
}

/** The stream ended and nobody said how: that is a failure too. */
function onEnded(state: ChatState, { turn, failure }: Extract<Action, { type: "ended" }>): Reduced {
  if (state.turn?.id !== turn) return unchanged(state);
  const reason = failure ?? { message: CONNECTION_ENDED, detail: null };
  return { state: endEarly(state, "error", reason), effects: [KEEP] };
}

function onStop(state: ChatState): Reduced {
  const stopped = cutOff(state);
  return state.turn ? { ...stopped, effects: [...stopped.effects, KEEP] } : stopped;
}

/** Changes one answer and keeps it; the same answer means that there is nothing to do. */
function changed(
  state: ChatState,
  message: string,
  change: (answer: AssistantMessage) => AssistantMessage,
): Reduced {
  const answer = answerOf(state, message);
  const next = answer && change(answer);
  if (!next || next === answer) return unchanged(state);
  return { state: withAnswer(state, next), effects: [KEEP] };
}

function withContent(answer: AssistantMessage, path: string, content: string): AssistantMessage {
  const index = answer.files.findIndex((file) => file.path === path);
  const file = answer.files[index];
  if (!file || file.content === content) return answer;
  return { ...answer, files: answer.files.with(index, { ...file, content }) };
}

function withoutRow(answer: AssistantMessage, update: FlowUpdate): AssistantMessage {
  const tasks = withoutTask(answer.tasks, update);
  return tasks === answer.tasks ? answer : { ...answer, tasks };
}

function reverted(answer: AssistantMessage, is: boolean): AssistantMessage {
  if (!answer.restore || answer.restore.reverted === is) return answer;
  return { ...answer, restore: { ...answer.restore, reverted: is } };
}

/** The open stream is given up, and what was said is kept as it was then. */
function leave(state: ChatState): Effect[] {
  const stopped = cutOff(state);
  return [...stopped.effects, { do: "keep", what: "session", of: stopped.state }];
}

function onNewSession(state: ChatState, sessionId: string): Reduced {
  return {
    state: initialState({ ...state, sessionId }),
    effects: [...leave(state), { do: "resetSession", sessionId }],
  };
}

/** Going on with earlier work: the server forgets nothing. */
function onLoadSession(state: ChatState, { sessionId, messages }: Extract<Action, { type: "loadSession" }>): Reduced {
  if (sessionId === state.sessionId) return unchanged(state);
  return {
    state: { ...initialState({ ...state, sessionId }), messages: settledMessages(messages) },
    effects: leave(state),
  };
}

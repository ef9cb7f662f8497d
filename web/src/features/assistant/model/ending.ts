import { joinedEndings } from "./completed";
import { componentOf, gateTimer } from "./component";
import { accepted, continued, withdrawn } from "./edits";
import { withAnswer } from "./messages";
import { sendApproval } from "./plan";
import { COUNTERS, EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from "./protocol";
import { askedOf, followingTurn, KEEP, open } from "./turn";
import type { AssistantMessage, ChatState, Completed, Effect, FieldEdit, Reduced, StepName, Turn } from "./types";

/** The stream is over and said how. */
export function onComplete(state: ChatState, turn: Turn, answer: AssistantMessage, data: Completed): Reduced {
  if (turn.approve && state.skipAll) return bridge(state, turn, answer, data);
  const { result, component_code: _code, ...ending } = data;
  const done = finished(answer);
  const component = componentOf(answer, done, data, state.skipAll);
  const joined = joinedEndings(turn.earlier, ending);
  const complete: AssistantMessage = {
    ...answer,
    status: "complete",
    content: result === "" ? answer.content.trimEnd() : turn.before + result,
    progress: null,
    done,
    working: null,
    component: component ?? answer.component,
    // It can be asked for again.
    ...(component?.validated === false ? { asked: askedOf(turn.request) } : {}),
    // Skip-all was switched off while the plan was on its way.
    plan: turn.approve && turn.plan !== null ? { markdown: turn.plan, status: "pending" } : answer.plan,
    edits: stillWanted(answer.edits, ending.pending_edits),
    ending: joined,
    restore: restoreOf(answer, answer.restore ? ending.restore_version_id : joined.restore_version_id),
  };
  const taken = state.skipAll ? accepted(complete, "all") : { answer: complete, effects: [] };
  const ended: ChatState = { ...withAnswer(state, taken.answer), turn: null };
  const effects: Effect[] = [...taken.effects, ...gateTimer(answer.id, component), KEEP];
  return following(ended, turn, effects);
}

/** What goes on by itself once a stream is over. */
function following(ended: ChatState, turn: Turn, effects: Effect[]): Reduced {
  const next = continued(ended, turn.message, () => followingTurn(ended, turn, EDIT_CONTINUATION_INPUT));
  const { approval } = turn;
  if (!approval) return { state: next.state, effects: [...effects, ...next.effects] };
  // The plan was approved in the meantime: that waits for what is still left of its own answer.
  if (next.state.turn) {
    const waiting: ChatState = { ...next.state, turn: { ...next.state.turn, approval } };
    return { state: waiting, effects: [...effects, ...next.effects] };
  }
  const sent = sendApproval(ended, approval);
  return { state: sent.state, effects: [...effects, ...sent.effects] };
}

/** Skip-all: the plan is approved in the same answer, and nothing of the seam is to be seen. */
function bridge(state: ChatState, turn: Turn, answer: AssistantMessage, data: Completed): Reduced {
  const { result: _result, component_code: _code, ...ending } = data;
  const next: Turn = {
    ...followingTurn(state, turn, PLAN_APPROVAL_INPUT),
    before: turn.before,
    earlier: joinedEndings(turn.earlier, ending),
  };
  return {
    state: { ...withAnswer(state, { ...answer, content: turn.before, working: null }), turn: next },
    effects: [{ do: "count", name: COUNTERS.autoApproved }, open(next)],
  };
}

/** The first version of an answer lies before all of it; it counts until it was gone back to. */
function restoreOf({ restore }: AssistantMessage, version: string | null | undefined): AssistantMessage["restore"] {
  return version && (!restore || restore.reverted) ? { version, reverted: false } : restore;
}

/** The step it was at is behind it too. */
function finished({ done, progress }: AssistantMessage): StepName[] {
  return progress && !done.includes(progress.step) ? [...done, progress.step] : done;
}

/** A server that lists nothing has nothing against any of them. */
function stillWanted(edits: FieldEdit[], ids: string[] | undefined): FieldEdit[] {
  return ids ? withdrawn(edits, (edit) => !ids.includes(edit.id)) : edits;
}

import { released } from "./leaving";
import { answerOf, withAnswer } from "./messages";
import { COUNTERS, PLAN_APPROVAL_INPUT, REFINEMENT_START } from "./protocol";
import { ask, KEEP, unchanged } from "./turn";
import type { Action, AssistantMessage, ChatState, Effect, PlanCard, Reduced, Turn } from "./types";

/** The card of a plan that arrived, or with skip-all the promise to approve it. */
export function proposePlan(state: ChatState, turn: Turn, answer: AssistantMessage, markdown: string): Reduced {
  const stash = state.refining?.message;
  const messages = stash === answer.id ? state.messages : released(state.messages, stash);
  const next: ChatState = { ...state, messages, refining: null };
  const again: Effect[] = turn.request.input.startsWith(REFINEMENT_START)
    ? [{ do: "count", name: COUNTERS.replanned }]
    : [];
  // An approval that is answered with another plan is not approved again: that could go on for ever.
  if (!state.skipAll || turn.request.input === PLAN_APPROVAL_INPUT) {
    return {
      state: {
        ...withAnswer(next, { ...answer, plan: { markdown, status: "pending" } }),
        turn: { ...turn, approve: false, plan: null, approval: null },
      },
      effects: again,
    };
  }
  // What was said before it is about waiting for an approval that nobody is asked for.
  return {
    state: {
      ...withAnswer(next, { ...answer, content: turn.before, plan: null }),
      turn: { ...turn, approve: true, plan: markdown },
    },
    effects: again,
  };
}

type PlanAction = Extract<Action, { type: "plan" }>;

export function onPlan(state: ChatState, action: PlanAction): Reduced {
  const answer = answerOf(state, action.message);
  const plan = answer?.plan;
  if (!answer || !plan) return unchanged(state);
  switch (action.do) {
    case "approve":
      return plan.status === "pending" || plan.status === "refining"
        ? approve(state, answer, action)
        : unchanged(state);
    case "dismiss":
      return plan.status === "pending" ? setAside(state, answer, plan) : unchanged(state);
    case "reset":
      return plan.status === "refining" ? reset(state, answer) : unchanged(state);
    default:
      return unchanged(state);
  }
}

function withPlan(state: ChatState, answer: AssistantMessage, status: PlanCard["status"]): ChatState {
  return answer.plan ? withAnswer(state, { ...answer, plan: { ...answer.plan, status } }) : state;
}

/** Dismissing is not the end: the next thing the person says changes it. */
function setAside(state: ChatState, answer: AssistantMessage, { markdown }: PlanCard): Reduced {
  const others = { ...state, messages: released(state.messages, state.refining?.message) };
  return {
    state: { ...withPlan(others, answer, "refining"), refining: { message: answer.id, markdown } },
    effects: [{ do: "count", name: COUNTERS.planDismissed }, KEEP],
  };
}

function reset(state: ChatState, answer: AssistantMessage): Reduced {
  const refining = state.refining?.message === answer.id ? null : state.refining;
  return {
    state: { ...withPlan(state, answer, "dismissed"), refining },
    effects: [{ do: "count", name: COUNTERS.planReset }, KEEP],
  };
}

type Approval = NonNullable<Turn["approval"]>;

function approve(state: ChatState, answer: AssistantMessage, { model, ids, at }: Approval): Reduced {
  const refining = state.refining?.message === answer.id ? null : state.refining;
  const approved: ChatState = { ...withPlan(state, answer, "approved"), refining };
  const count: Effect = { do: "count", name: COUNTERS.planApproved };
  // The server remembers a plan when its turn is over: an approval before that would be about nothing.
  if (state.turn?.message === answer.id) {
    const turn: Turn = { ...state.turn, approval: { model, ids, at } };
    return { state: { ...approved, turn }, effects: [count] };
  }
  const asked = ask(approved, { text: null, input: PLAN_APPROVAL_INPUT, model, selected: null, ids, at });
  return asked ? { ...asked, effects: [count, ...asked.effects] } : unchanged(state);
}

/** Sends an approval that was given while the plan's own stream was still open. */
export function sendApproval(state: ChatState, { model, ids, at }: Approval): Reduced {
  const asked = ask(state, { text: null, input: PLAN_APPROVAL_INPUT, model, selected: null, ids, at });
  return asked ?? unchanged(state);
}

import { withAnswer } from "./messages";
import { withdrawn, withEdit } from "./edits";
import { proposePlan } from "./plan";
import { proposalOf } from "./proposal";
import { taskOf, tellTask } from "./tasks";
import { unchanged } from "./turn";
import type { AssistantMessage, ChatState, Effect, FlowUpdate, Reduced, Turn } from "./types";

type WholeFlow = Extract<FlowUpdate, { action: "set_flow" }>;

const warning = (text: string): Effect => ({ do: "warn", text });

/** A change of the canvas: done, proposed, or put behind a proposal that waits. */
export function onUpdate(state: ChatState, turn: Turn, answer: AssistantMessage, update: FlowUpdate): Reduced {
  switch (update.action) {
    case "edit_field":
      return {
        state: withAnswer(state, { ...answer, edits: withEdit(answer.edits, update) }),
        effects: [],
      };
    case "propose_plan":
      return proposePlan(state, turn, answer, update.markdown);
    case "set_flow":
      return onWholeFlow(state, turn, answer, update);
    case "flow_ran":
      return unchanged(state);
    default:
      return turn.proposed && answer.proposal
        ? behindProposal(state, answer, update)
        : live(state, answer, update);
  }
}

function onWholeFlow(state: ChatState, turn: Turn, answer: AssistantMessage, update: WholeFlow): Reduced {
  const { proposal } = answer;
  // Edits are about the flow that was there before; the server takes them back too.
  const edits = withdrawn(answer.edits, () => true);
  if (!state.skipAll && !update.auto_apply) {
    const next = { ...answer, edits, proposal: proposalOf(update.flow) };
    return {
      state: { ...withAnswer(state, next), turn: { ...turn, proposed: true } },
      effects: proposal ? [warning("The assistant proposed a second flow in one answer.")] : [],
    };
  }
  // The person said no to it a moment ago; that it was run meanwhile does not make it a yes.
  if (turn.proposed && proposal?.status === "dismissed")
    return { state, effects: [warning("A flow that was dismissed is not applied.")] };
  // The rows before it tell of a canvas that is gone; the server says once more what came after it.
  const next = { ...answer, edits, proposal: null, tasks: [] };
  return {
    state: { ...withAnswer(state, next), turn: { ...turn, proposed: false } },
    effects: [{ do: "apply", message: answer.id, update }],
  };
}

/** What comes after a proposed flow is about that flow, not about the canvas. */
function behindProposal(state: ChatState, answer: AssistantMessage, update: FlowUpdate): Reduced {
  const { proposal } = answer;
  if (!proposal) return unchanged(state);
  const next = { ...proposal, tail: [...proposal.tail, update] };
  const warn = proposal.tail.length === 0 ? [warning("The assistant changed a flow that waits for an answer.")] : [];
  // Already taken in the place of everything, it is the canvas. Added to what was there, its nodes may have other ids.
  const there: Effect[] =
    proposal.revertible && proposal.mode === "replace" ? [{ do: "apply", message: answer.id, update }] : [];
  return { state: withAnswer(state, { ...answer, proposal: next }), effects: [...warn, ...there] };
}

function live(state: ChatState, answer: AssistantMessage, update: FlowUpdate): Reduced {
  const apply: Effect = { do: "apply", message: answer.id, update };
  const task = taskOf(update);
  if (!task) return { state: withAnswer(state, answer), effects: [apply] };
  const { tasks, repeated } = tellTask(answer.tasks, task);
  const gone = task.action === "remove" ? task.componentId : null;
  const edits = gone === null ? answer.edits : withdrawn(answer.edits, (edit) => edit.componentId === gone);
  return { state: withAnswer(state, { ...answer, tasks, edits }), effects: repeated ? [] : [apply] };
}

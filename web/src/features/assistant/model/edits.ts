import { answerOf, withAnswer } from "./messages";
import { EDIT_CONTINUATION_INPUT } from "./protocol";
import { cutOff, KEEP, newTurn, open, requestFor, unchanged } from "./turn";
import type { Action, AssistantMessage, ChatState, Effect, FieldEdit, FlowUpdate, Reduced, Turn } from "./types";

type ProposedEdit = Extract<FlowUpdate, { action: "edit_field" }>;

/** Puts an edit to the others. One for the same field, or told twice, takes the place of the earlier one that still waits. */
export function withEdit(edits: FieldEdit[], update: ProposedEdit): FieldEdit[] {
  const edit: FieldEdit = {
    id: update.id,
    componentId: update.component_id,
    componentType: update.component_type,
    field: update.field,
    oldValue: update.old_value,
    newValue: update.new_value,
    description: update.description,
    status: "pending",
  };
  const index = edits.findIndex(({ id }) => id === edit.id);
  // What the person decided about it stays.
  if (index !== -1) return edits[index]?.status === "pending" ? edits.with(index, edit) : edits;
  const sameField = (other: FieldEdit): boolean =>
    other.componentId === edit.componentId && other.field === edit.field;
  return [...withdrawn(edits, sameField), edit];
}

/** The assistant thought better of those edits. */
export function withdrawn(edits: FieldEdit[], which: (edit: FieldEdit) => boolean): FieldEdit[] {
  const goes = (edit: FieldEdit): boolean => edit.status === "pending" && which(edit);
  if (!edits.some(goes)) return edits;
  return edits.map((edit) => (goes(edit) ? { ...edit, status: "withdrawn" } : edit));
}

/** Takes the edits that wait, or one of them. */
export function accepted(answer: AssistantMessage, which: string): { answer: AssistantMessage; effects: Effect[] } {
  return decided(answer, which, "applied");
}

function decided(
  answer: AssistantMessage,
  which: string,
  status: "applied" | "dismissed",
): { answer: AssistantMessage; effects: Effect[] } {
  const effects: Effect[] = [];
  const edits = answer.edits.map((edit): FieldEdit => {
    if (edit.status !== "pending" || (which !== "all" && edit.id !== which)) return edit;
    const next: FieldEdit = { ...edit, status };
    if (status === "applied") effects.push({ do: "applyEdit", message: answer.id, edit: next });
    return next;
  });
  return { answer: { ...answer, edits }, effects };
}

/** A step of the request waited for the edits, and they are on the canvas now: once for each answer. */
function mayContinue(answer: AssistantMessage): boolean {
  const has = (status: FieldEdit["status"]): boolean => answer.edits.some((edit) => edit.status === status);
  return (
    answer.status === "complete" &&
    answer.ending?.continuation_expected === true &&
    !answer.continued &&
    !has("pending") &&
    has("applied")
  );
}

/** Goes on in the same answer, without a word of the person's, if there is something to go on with. */
export function continued(state: ChatState, message: string, next: () => Turn): Reduced {
  const answer = answerOf(state, message);
  if (!answer || state.turn || !mayContinue(answer)) return unchanged(state);
  const before = answer.content === "" ? "" : `${answer.content.trimEnd()}\n\n`;
  const turn: Turn = { ...next(), before, earlier: answer.ending };
  const streaming: AssistantMessage = { ...answer, status: "streaming", content: before, continued: true };
  return { state: { ...withAnswer(state, streaming), turn }, effects: [open(turn)] };
}

export function onEdit(state: ChatState, action: Extract<Action, { type: "edit" }>): Reduced {
  const answer = answerOf(state, action.message);
  const waits = answer?.edits.some(
    (edit) => edit.status === "pending" && (action.edit === "all" || edit.id === action.edit),
  );
  if (!answer || !waits) return unchanged(state);
  const next = decided(answer, action.edit, action.do === "accept" ? "applied" : "dismissed");
  const request = requestFor(state, EDIT_CONTINUATION_INPUT, action.model, null);
  const after = continued(withAnswer(state, next.answer), answer.id, () =>
    newTurn(action.ids.turn, answer.id, request),
  );
  return { state: after.state, effects: [...next.effects, ...after.effects, KEEP] };
}

export function onEditFailed(state: ChatState, action: Extract<Action, { type: "editFailed" }>): Reduced {
  const answer = answerOf(state, action.message);
  const index = answer?.edits.findIndex(({ id, status }) => id === action.edit && status === "applied") ?? -1;
  const edit = answer?.edits[index];
  if (!answer || !edit) return unchanged(state);
  const edits = answer.edits.with(index, { ...edit, status: "failed" });
  const next = withAnswer(state, { ...answer, edits });
  const claimed = state.turn?.message === answer.id && state.turn.request.input === EDIT_CONTINUATION_INPUT;
  if (!claimed || edits.some(({ status }) => status === "applied")) return { state: next, effects: [KEEP] };
  // "They were applied" was just sent, and none was.
  const stopped = cutOff(next);
  const ended = answerOf(stopped.state, answer.id);
  return {
    state: ended ? withAnswer(stopped.state, { ...ended, status: "complete" }) : stopped.state,
    effects: [...stopped.effects, KEEP],
  };
}

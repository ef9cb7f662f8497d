import { mapAnswers } from "./messages";
import type { AssistantMessage, FieldEdit, Message, Proposal } from "./types";

/** What was proposed in an answer can no longer be taken: the talk went on, and the canvas may be another one. */
export function left(answer: AssistantMessage): AssistantMessage {
  const plan = answer.plan?.status === "pending" ? { ...answer.plan, status: "dismissed" as const } : answer.plan;
  const proposal = leftProposal(answer.proposal);
  const edits = leftEdits(answer.edits);
  if (plan === answer.plan && proposal === answer.proposal && edits === answer.edits) return answer;
  return { ...answer, plan, proposal, edits };
}

/** One that was taken before stays so: it is on the canvas. */
function leftProposal(proposal: Proposal | null): Proposal | null {
  if (proposal?.status !== "pending") return proposal;
  return { ...proposal, status: proposal.revertible ? "applied" : "dismissed" };
}

function leftEdits(edits: FieldEdit[]): FieldEdit[] {
  if (!edits.some((edit) => edit.status === "pending")) return edits;
  return edits.map((edit) => (edit.status === "pending" ? { ...edit, status: "dismissed" } : edit));
}

export function leftBehind(messages: readonly Message[]): readonly Message[] {
  return mapAnswers(messages, left);
}

/** A plan that was set aside and of which nothing will be quoted any more. */
export function released(messages: readonly Message[], id: string | undefined): readonly Message[] {
  return mapAnswers(messages, (answer) =>
    answer.id === id && answer.plan?.status === "refining"
      ? { ...answer, plan: { ...answer.plan, status: "dismissed" } }
      : answer,
  );
}

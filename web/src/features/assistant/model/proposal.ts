import { arrayOr, type JsonRecord, recordOr, text } from "@/flow/json";
import { answerOf, isNewestAnswer, withAnswer } from "./messages";
import { BADGE_MS, COUNTERS } from "./protocol";
import { KEEP, unchanged } from "./turn";
import type { Action, AssistantMessage, ChatState, Effect, Proposal, Reduced } from "./types";

export function proposalOf(flow: JsonRecord): Proposal {
  const data = recordOr(flow.data);
  return {
    flow,
    name: text(flow.name),
    nodes: arrayOr(data.nodes).length,
    edges: arrayOr(data.edges).length,
    tail: [],
    status: "pending",
    mode: null,
    revertible: false,
  };
}

type Held = AssistantMessage & { proposal: Proposal };

function holder(state: ChatState, message: string): Held | null {
  const answer = answerOf(state, message);
  return answer?.proposal ? { ...answer, proposal: answer.proposal } : null;
}

function withProposal(state: ChatState, held: Held, change: Partial<Proposal>, effects: Effect[] = []): Reduced {
  return { state: withAnswer(state, { ...held, proposal: { ...held.proposal, ...change } }), effects };
}

/** The person's word. Only what is pending can be taken, so that a flow of yesterday does not replace today's canvas. */
export function onProposal(state: ChatState, { message, do: what }: Extract<Action, { type: "proposal" }>): Reduced {
  const held = holder(state, message);
  if (!held || held.proposal.status === "dismissed") return unchanged(state);
  const { flow, tail, status, revertible } = held.proposal;
  switch (what) {
    case "add":
    case "replace":
      if (status !== "pending") return unchanged(state);
      return {
        state,
        effects: [
          { do: "applyProposal", message, mode: what, flow, tail },
          { do: "count", name: COUNTERS.proposalTaken },
        ],
      };
    case "dismiss":
      // Behind the newest answer an applied one just says what is on the canvas.
      if (status === "applied" && !isNewestAnswer(state, message)) return unchanged(state);
      return withProposal(state, held, { status: "dismissed" }, [
        { do: "count", name: COUNTERS.proposalDismissed },
        KEEP,
      ]);
    case "revert":
      return revertible ? { state, effects: [{ do: "revertProposal", message }] } : unchanged(state);
    default:
      return unchanged(state);
  }
}

export function onProposalApplied(
  state: ChatState,
  { message, mode, ok }: Extract<Action, { type: "proposalApplied" }>,
): Reduced {
  const held = holder(state, message);
  if (!held || !ok || held.proposal.status !== "pending") return unchanged(state);
  return withProposal(state, held, { status: "applied", mode, revertible: true }, [
    { do: "later", ms: BADGE_MS, action: { type: "settleProposal", message } },
    KEEP,
  ]);
}

/** The badge goes and it can be taken once more, unless the talk went on. */
export function onSettleProposal(
  state: ChatState,
  { message }: Extract<Action, { type: "settleProposal" }>,
): Reduced {
  const held = holder(state, message);
  if (held?.proposal.status !== "applied" || !isNewestAnswer(state, message)) return unchanged(state);
  return withProposal(state, held, { status: "pending" });
}

export function onProposalReverted(
  state: ChatState,
  { message }: Extract<Action, { type: "proposalReverted" }>,
): Reduced {
  const held = holder(state, message);
  if (!held || !held.proposal.revertible || held.proposal.status === "dismissed") return unchanged(state);
  const status = isNewestAnswer(state, message) ? "pending" : "dismissed";
  return withProposal(state, held, { status, mode: null, revertible: false }, [KEEP]);
}

import type { FlowDocument } from "@/flow/edit/document";
import type { History } from "@/flow/edit/history";
import { turnChanges, type TurnChanges } from "@/flow/edit/turns";
import type { Flow } from "@/flow/model";
import type { Review, ReviewChip, ReviewMark } from "@/stores/review";
import { withTail } from "../applying";
import { additionTo } from "../model/merge";
import type { AssistantMessage, FieldEdit, Message, Proposal } from "../model/types";

/** What can be done from the canvas. The cards' actions have it all. */
export interface ReviewActions {
  proposal: (message: string, what: "add" | "replace" | "dismiss") => void;
  /** `edit`: the id of one, or `all`. */
  edit: (message: string, edit: string, what: "accept" | "dismiss") => void;
}

/** What the bar over the canvas says and offers; zero where there is nothing of a kind. */
export interface ReviewSummary {
  message: string;
  /** Nodes of a proposal that waits. */
  proposed: number;
  /** Edits that wait. */
  edits: number;
  /** What the answer changed by itself. */
  changes: number;
}

export interface Reviewed {
  shown: Review;
  summary: ReviewSummary | null;
}

/** The part of a message that the canvas shows; a token more of it changes none of this. */
export type ReviewedAnswer = Pick<
  AssistantMessage,
  "id" | "status" | "proposal" | "edits" | "working" | "restore"
>;

/** What the flow is like at the moment. */
export interface Ground {
  document: FlowDocument;
  flow: Flow;
  history: History;
}

export function newestAnswer(messages: readonly Message[]): AssistantMessage | null {
  return messages.findLast((message): message is AssistantMessage => message.role === "assistant" && !message.hidden) ?? null;
}

const NOTHING: Reviewed = {
  shown: { marks: new Map(), working: new Set(), ghosts: null, chips: new Map() },
  summary: null,
};

export function derive(
  answer: ReviewedAnswer | null,
  ground: Ground,
  { hovered, actions }: { hovered: "add" | "replace" | null; actions: ReviewActions },
): Reviewed {
  if (!answer) return NOTHING;
  const over = answer.status !== "streaming";
  const proposal = waiting(answer.proposal, hovered);
  const edits = over ? answer.edits.filter((edit) => edit.status === "pending" && ground.flow.byId.has(edit.componentId)) : [];
  const changes = answer.restore?.reverted === true ? null : turnChanges(ground.history, answer.id);
  const marks = new Map<string, ReviewMark>(changes ? marked(changes, ground.flow) : []);
  for (const { componentId } of edits) if (!marks.has(componentId)) marks.set(componentId, "changed");
  if (proposal && hovered === "replace") for (const { id } of ground.flow.nodes) marks.set(id, "removed");
  const shown: Review = {
    marks,
    working: new Set((over ? [] : (answer.working?.nodes ?? [])).filter((id) => ground.flow.byId.has(id))),
    ghosts: proposal ? ghosts(proposal, ground.document) : null,
    chips: chips(answer.id, edits, ground.flow, actions),
  };
  const summary = {
    message: answer.id,
    proposed: proposal && over ? proposal.nodes : 0,
    edits: edits.length,
    changes: over ? (changes?.count ?? 0) : 0,
  };
  const quiet = summary.proposed + summary.edits + summary.changes === 0;
  return { shown, summary: quiet ? null : summary };
}

/** One that was taken shows only when somebody points at taking it again. */
function waiting(proposal: Proposal | null, hovered: "add" | "replace" | null): Proposal | null {
  if (proposal?.status !== "pending") return null;
  return proposal.revertible && hovered === null ? null : proposal;
}

function marked({ added, changed, wired }: TurnChanges, flow: Flow): [string, ReviewMark][] {
  const here = (ids: Iterable<string>): string[] => [...ids].filter((id) => flow.byId.has(id));
  return [
    ...here([...wired, ...changed]).map((id): [string, ReviewMark] => [id, "changed"]),
    ...here(added).map((id): [string, ReviewMark] => [id, "added"]),
  ];
}

/** Where adding would put it; replacing puts it in the middle of the view anyway. */
function ghosts(proposal: Proposal, document: FlowDocument): FlowDocument | null {
  const whole = withTail(proposal.flow, proposal.tail);
  if (whole === null) return null;
  let count = 0;
  // Drawn again and again: the same ids each time.
  const addition = additionTo(document, whole, () => `ghost${(count += 1)}`);
  return addition ? { nodes: addition.nodes, edges: addition.edges } : null;
}

function chips(
  message: string,
  edits: readonly FieldEdit[],
  flow: Flow,
  actions: ReviewActions,
): ReadonlyMap<string, readonly ReviewChip[]> {
  const byNode = new Map<string, ReviewChip[]>();
  for (const { id, componentId, field } of edits) {
    const node = flow.byId.get(componentId);
    const known = node?.kind === "component" ? node.fields.find(({ name }) => name === field) : undefined;
    const chip: ReviewChip = {
      id,
      label: known?.label || field,
      accept: () => actions.edit(message, id, "accept"),
      reject: () => actions.edit(message, id, "dismiss"),
    };
    byNode.set(componentId, [...(byNode.get(componentId) ?? []), chip]);
  }
  return byNode;
}

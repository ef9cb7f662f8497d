import { describe, expect, it } from "vitest";
import { addNode, complete, connect, editField, flow, proposePlan, removeNode, setFlow, talk, type Talk } from "./fixtures/talk";
import type { Action, Proposal } from "./types";

/** States a proposal can be in, and how it got there. */
const states = {
  "pending while it streams": (): Talk => talk().send("build").update(setFlow("Chat")),
  pending: (): Talk => talk().send("build").update(setFlow("Chat")).hear(complete()),
  applied: (): Talk => take(states.pending(), "add"),
  "pending again": (): Talk => take(states.pending(), "replace").do({ type: "settleProposal", message: "a1" }),
  dismissed: (): Talk => states.pending().proposal("a1", "dismiss"),
  "sent past": (): Talk => states.pending().send("something else"),
  "sent past when applied": (): Talk => states.applied().send("something else"),
  "sent past when pending again": (): Talk => states["pending again"]().send("something else"),
  "behind a failure": (): Talk => talk().send("build").update(setFlow("Chat")).hear({ event: "error", message: "no" }),
} satisfies Record<string, () => Talk>;

function take(chat: Talk, mode: "add" | "replace"): Talk {
  chat.proposal("a1", mode);
  return chat.do({ type: "proposalApplied", message: "a1", mode, ok: true });
}

const actions = {
  add: { type: "proposal", message: "a1", do: "add" },
  replace: { type: "proposal", message: "a1", do: "replace" },
  dismiss: { type: "proposal", message: "a1", do: "dismiss" },
  revert: { type: "proposal", message: "a1", do: "revert" },
  "applied ok": { type: "proposalApplied", message: "a1", mode: "add", ok: true },
  "applied not": { type: "proposalApplied", message: "a1", mode: "add", ok: false },
  reverted: { type: "proposalReverted", message: "a1" },
  settle: { type: "settleProposal", message: "a1" },
} satisfies Record<string, Action>;

type Row = [state: keyof typeof states, action: keyof typeof actions, status: Proposal["status"], effects: string];

const TAKE = "applyProposal count";
const KEPT = "count keep";
const BADGE = "later keep";

/** Every state, every action: the state after it, and what happens outside. */
const table: Row[] = [
  ["pending while it streams", "add", "pending", TAKE],
  ["pending while it streams", "replace", "pending", TAKE],
  ["pending while it streams", "dismiss", "dismissed", KEPT],
  ["pending while it streams", "revert", "pending", ""],
  ["pending while it streams", "applied ok", "applied", BADGE],
  ["pending while it streams", "applied not", "pending", ""],
  ["pending while it streams", "reverted", "pending", ""],
  ["pending while it streams", "settle", "pending", ""],
  ["pending", "add", "pending", TAKE],
  ["pending", "replace", "pending", TAKE],
  ["pending", "dismiss", "dismissed", KEPT],
  ["pending", "revert", "pending", ""],
  ["pending", "applied ok", "applied", BADGE],
  ["pending", "applied not", "pending", ""],
  ["pending", "reverted", "pending", ""],
  ["pending", "settle", "pending", ""],
  ["applied", "add", "applied", ""],
  ["applied", "replace", "applied", ""],
  ["applied", "dismiss", "dismissed", KEPT],
  ["applied", "revert", "applied", "revertProposal"],
  ["applied", "applied ok", "applied", ""],
  ["applied", "applied not", "applied", ""],
  ["applied", "reverted", "pending", "keep"],
  ["applied", "settle", "pending", ""],
  ["pending again", "add", "pending", TAKE],
  ["pending again", "replace", "pending", TAKE],
  ["pending again", "dismiss", "dismissed", KEPT],
  ["pending again", "revert", "pending", "revertProposal"],
  ["pending again", "applied ok", "applied", BADGE],
  ["pending again", "applied not", "pending", ""],
  ["pending again", "reverted", "pending", "keep"],
  ["pending again", "settle", "pending", ""],
  ["dismissed", "add", "dismissed", ""],
  ["dismissed", "replace", "dismissed", ""],
  ["dismissed", "dismiss", "dismissed", ""],
  ["dismissed", "revert", "dismissed", ""],
  ["dismissed", "applied ok", "dismissed", ""],
  ["dismissed", "applied not", "dismissed", ""],
  ["dismissed", "reverted", "dismissed", ""],
  ["dismissed", "settle", "dismissed", ""],
  ["sent past", "add", "dismissed", ""],
  ["sent past", "replace", "dismissed", ""],
  ["sent past", "dismiss", "dismissed", ""],
  ["sent past", "revert", "dismissed", ""],
  ["sent past", "applied ok", "dismissed", ""],
  ["sent past", "applied not", "dismissed", ""],
  ["sent past", "reverted", "dismissed", ""],
  ["sent past", "settle", "dismissed", ""],
  ["sent past when applied", "add", "applied", ""],
  ["sent past when applied", "replace", "applied", ""],
  ["sent past when applied", "dismiss", "applied", ""],
  ["sent past when applied", "revert", "applied", "revertProposal"],
  ["sent past when applied", "applied ok", "applied", ""],
  ["sent past when applied", "applied not", "applied", ""],
  ["sent past when applied", "reverted", "dismissed", "keep"],
  ["sent past when applied", "settle", "applied", ""],
  ["sent past when pending again", "add", "applied", ""],
  ["sent past when pending again", "replace", "applied", ""],
  ["sent past when pending again", "dismiss", "applied", ""],
  ["sent past when pending again", "revert", "applied", "revertProposal"],
  ["sent past when pending again", "applied ok", "applied", ""],
  ["sent past when pending again", "applied not", "applied", ""],
  ["sent past when pending again", "reverted", "dismissed", "keep"],
  ["sent past when pending again", "settle", "applied", ""],
  ["behind a failure", "add", "pending", TAKE],
  ["behind a failure", "replace", "pending", TAKE],
  ["behind a failure", "dismiss", "dismissed", KEPT],
  ["behind a failure", "revert", "pending", ""],
  ["behind a failure", "applied ok", "applied", BADGE],
  ["behind a failure", "applied not", "pending", ""],
  ["behind a failure", "reverted", "pending", ""],
  ["behind a failure", "settle", "pending", ""],
];

describe("a proposal", () => {
  it.each(table)("%s, %s: %s", (state, action, status, effects) => {
    const chat = states[state]().do(actions[action]);
    expect(chat.answer("a1").proposal?.status).toBe(status);
    expect(chat.effects.map((effect) => effect.do).join(" ")).toBe(effects);
  });

  it("has a row for every state and action", () => {
    expect(table).toHaveLength(Object.keys(states).length * Object.keys(actions).length);
    expect(new Set(table.map(([state, action]) => `${state}, ${action}`)).size).toBe(table.length);
  });

  it("changes nothing of the canvas when it arrives", () => {
    const chat = talk().send("build").update(setFlow("Chat"));
    expect(chat.effects).toEqual([]);
    expect(chat.answer("a1").proposal).toEqual({
      flow: flow("Chat", "Agent-1"),
      name: "Chat",
      nodes: 1,
      edges: 0,
      tail: [],
      status: "pending",
      mode: null,
      revertible: false,
    });
    expect(chat.answer("a1").tasks).toEqual([]);
  });

  it("is taken with what came after it, in order", () => {
    const chat = talk().send("build").update(setFlow("Chat"));
    const tail = [addNode("b"), connect("a", "b"), removeNode("c"), addNode("b")];
    expect(chat.update(addNode("b")).effects).toEqual([
      { do: "warn", text: "The assistant changed a flow that waits for an answer." },
    ]);
    for (const update of tail.slice(1)) expect(chat.update(update).effects).toEqual([]);
    expect(chat.answer("a1").tasks).toEqual([]);
    chat.hear(complete()).proposal("a1", "replace");
    expect(chat.effects).toEqual([
      { do: "applyProposal", message: "a1", mode: "replace", flow: flow("Chat", "Agent-1"), tail },
      { do: "count", name: "assistant_flow_proposal_continue_total" },
    ]);
  });

  it("lets edits and plans through", () => {
    const chat = talk().send("build").update(setFlow("Chat")).update(editField("e")).update(proposePlan("M"));
    expect(chat.answer("a1")).toMatchObject({ plan: { markdown: "M" }, proposal: { tail: [] } });
    expect(chat.answer("a1").edits).toHaveLength(1);
  });

  it("gives way to a second one, with a warning", () => {
    const chat = talk().send("build").update(setFlow("One")).update(addNode("b")).update(setFlow("Two"));
    expect(chat.of("warn")).toHaveLength(1);
    expect(chat.answer("a1").proposal).toMatchObject({ name: "Two", tail: [], status: "pending" });
  });

  it("goes when the server says that it is to be applied, and its tail is told again", () => {
    const chat = talk().send("build and run").update(setFlow("Chat")).update(addNode("b"));
    chat.update(setFlow("Chat", true));
    expect(chat.effects).toEqual([{ do: "apply", message: "a1", update: setFlow("Chat", true) }]);
    expect(chat.answer("a1").proposal).toBeNull();
    expect(chat.update(addNode("b")).of("apply")).toHaveLength(1);
    expect(chat.answer("a1").tasks).toHaveLength(1);
  });

  it("is applied at once with skip-all", () => {
    const chat = talk({ skipAll: true }).send("build").update(setFlow("Chat"));
    expect(chat.effects).toEqual([{ do: "apply", message: "a1", update: setFlow("Chat") }]);
    expect(chat.answer("a1").proposal).toBeNull();
  });

  it("that was dismissed is not applied after all, nor what came after it", () => {
    const chat = talk().send("build").update(setFlow("Chat")).proposal("a1", "dismiss");
    for (const update of [addNode("b"), setFlow("Chat", true), addNode("b"), connect("a", "b")])
      expect(chat.update(update).of("apply")).toEqual([]);
    expect(chat.answer("a1").proposal?.status).toBe("dismissed");
  });

  it("taken in the place of everything gets at once what comes after it", () => {
    const chat = take(talk().send("build").update(setFlow("Chat")), "replace");
    expect(chat.update(addNode("b")).of("apply")).toHaveLength(1);
    const added = take(talk().send("build").update(setFlow("Chat")), "add");
    expect(added.update(addNode("b")).of("apply")).toEqual([]);
    for (const talk of [chat, added]) expect(talk.answer("a1").proposal?.tail).toEqual([addNode("b")]);
  });

  it("does not hold back the changes of a later stream in the same answer", () => {
    const chat = talk().send("edit and run").update(setFlow("Chat")).update(editField("e"));
    chat.hear(complete({ continuation_expected: true, pending_edits: ["e"] })).edit("a1", "e", "accept");
    expect(chat.of("stream")).toHaveLength(1);
    expect(chat.update(addNode("b")).of("apply")).toHaveLength(1);
  });

  it("is left behind by an approval and by another try too", () => {
    const chat = talk().send("build").update(setFlow("Chat")).update(proposePlan("M")).hear(complete());
    expect(chat.plan("a1", "approve").answer("a1").proposal?.status).toBe("dismissed");
    const failed = states["behind a failure"]().retry("a1");
    expect(failed.answer("a1").proposal?.status).toBe("dismissed");
  });
});

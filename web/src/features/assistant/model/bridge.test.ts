import { expect, it } from "vitest";
import { complete, proposePlan, setFlow, talk, type Talk, token } from "./fixtures/talk";

/** Skip-all between two streams: the plan came, and its approval is under way. */
const states = {
  promised: (): Talk => talk({ skipAll: true }).send("build").hear(token("A plan.")).update(proposePlan("M")),
  bridged: (): Talk => states.promised().hear(complete()),
};

const actions = {
  token: (chat: Talk): Talk => chat.hear(token("words")),
  complete: (chat: Talk): Talk => chat.hear(complete({ result: "Built." })),
  error: (chat: Talk): Talk => chat.hear({ event: "error", message: "no" }),
  cancelled: (chat: Talk): Talk => chat.hear({ event: "cancelled" }),
  "a flow": (chat: Talk): Talk => chat.update(setFlow("Chat")),
  "a plan": (chat: Talk): Talk => chat.update(proposePlan("M2")),
  stop: (chat: Talk): Talk => chat.do({ type: "stop" }),
  cut: (chat: Talk): Talk => chat.do({ type: "ended", turn: chat.state.turn?.id ?? "", failure: null }),
  send: (chat: Talk): Talk => chat.send("other"),
  "approve by hand": (chat: Talk): Talk => chat.plan("a1", "approve"),
  "a late word": (chat: Talk): Talk => chat.do({ type: "event", turn: "t0", event: token("late") }),
};

type Row = [keyof typeof states, keyof typeof actions, string];

/** Status, content and plan of the answer; the stream that is open; what happens outside. */
const table: Row[] = [
  ["promised", "token", "streaming '' no plan, t1, "],
  ["promised", "complete", "streaming '' no plan, t1+, count stream"],
  ["promised", "error", "error '' no plan, none, keep"],
  ["promised", "cancelled", "cancelled '' no plan, none, keep"],
  ["promised", "a flow", "streaming '' no plan, t1, apply"],
  ["promised", "a plan", "streaming '' no plan, t1, "],
  ["promised", "stop", "cancelled '' no plan, none, abort keep"],
  ["promised", "cut", "error '' no plan, none, keep"],
  ["promised", "send", "cancelled '' no plan, t2, remember abort stream keep"],
  ["promised", "approve by hand", "streaming '' no plan, t1, "],
  ["promised", "a late word", "streaming '' no plan, t1, "],
  ["bridged", "token", "streaming 'words' no plan, t1+, "],
  ["bridged", "complete", "complete 'Built.' no plan, none, keep"],
  ["bridged", "error", "error '' no plan, none, keep"],
  ["bridged", "cancelled", "cancelled '' no plan, none, keep"],
  ["bridged", "a flow", "streaming '' no plan, t1+, apply"],
  ["bridged", "a plan", "streaming '' pending, t1+, "],
  ["bridged", "stop", "cancelled '' no plan, none, abort keep"],
  ["bridged", "cut", "error '' no plan, none, keep"],
  ["bridged", "send", "cancelled '' no plan, t2, remember abort stream keep"],
  ["bridged", "approve by hand", "streaming '' no plan, t1+, "],
  ["bridged", "a late word", "streaming '' no plan, t1+, "],
];

it.each(table)("%s, %s: %s", (state, action, expected) => {
  const chat = actions[action](states[state]());
  const { status, content, plan } = chat.answer("a1");
  const outside = chat.effects.map((effect) => effect.do).join(" ");
  const turn = chat.state.turn?.id ?? "none";
  expect(`${status} '${content}' ${plan?.status ?? "no plan"}, ${turn}, ${outside}`).toBe(expected);
  expect(chat.state.messages).toHaveLength(action === "send" ? 4 : 2);
});

it("has a row for every state and action", () => {
  const rows = new Set(table.map(([state, action]) => `${state}, ${action}`));
  expect(rows.size).toBe(Object.keys(states).length * Object.keys(actions).length);
});

import { describe, expect, it } from "vitest";
import { addNode, complete, MODEL, proposePlan, setFlow, talk, type Talk, texts, token } from "./fixtures/talk";
import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT, refinementInput } from "./protocol";
import type { PlanCard } from "./types";

const states = {
  "pending while it streams": (): Talk => talk().send("build").update(proposePlan("M")),
  pending: (): Talk => talk().send("build").update(proposePlan("M")).hear(complete()),
  refining: (): Talk => states.pending().plan("a1", "dismiss"),
  approved: (): Talk => states.pending().plan("a1", "approve"),
  dismissed: (): Talk => states.refining().plan("a1", "reset"),
  "sent past": (): Talk => states.pending().send("something else"),
  quoted: (): Talk => states.refining().send("use Claude"),
} satisfies Record<string, () => Talk>;

type State = keyof typeof states;
type Word = "approve" | "dismiss" | "reset";

const ASK = "count stream keep";

const table: [state: State, word: Word, status: PlanCard["status"], effects: string, stash: boolean][] = [
  ["pending while it streams", "approve", "approved", "count", false],
  ["pending while it streams", "dismiss", "refining", "count keep", true],
  ["pending while it streams", "reset", "pending", "", false],
  ["pending", "approve", "approved", ASK, false],
  ["pending", "dismiss", "refining", "count keep", true],
  ["pending", "reset", "pending", "", false],
  ["refining", "approve", "approved", ASK, false],
  ["refining", "dismiss", "refining", "", true],
  ["refining", "reset", "dismissed", "count keep", false],
  ["approved", "approve", "approved", "", false],
  ["approved", "dismiss", "approved", "", false],
  ["approved", "reset", "approved", "", false],
  ["dismissed", "approve", "dismissed", "", false],
  ["dismissed", "dismiss", "dismissed", "", false],
  ["dismissed", "reset", "dismissed", "", false],
  ["sent past", "approve", "dismissed", "", false],
  ["sent past", "dismiss", "dismissed", "", false],
  ["sent past", "reset", "dismissed", "", false],
  ["quoted", "approve", "dismissed", "", false],
  ["quoted", "dismiss", "dismissed", "", false],
  ["quoted", "reset", "dismissed", "", false],
];

describe("a plan", () => {
  it.each(table)("%s, %s: %s", (state, word, status, effects, stash) => {
    const chat = states[state]().plan("a1", word);
    expect(chat.answer("a1").plan).toEqual({ markdown: "M", status });
    expect(chat.effects.map((effect) => effect.do).join(" ")).toBe(effects);
    expect(chat.state.refining).toEqual(stash ? { message: "a1", markdown: "M" } : null);
  });

  it("has a row for every state and word", () => {
    expect(new Set(table.map(([state, word]) => `${state} ${word}`)).size).toBe(Object.keys(states).length * 3);
  });

  it("that is approved is built in a new answer, without a word of the protocol in the chat", () => {
    const chat = states.pending().plan("a1", "approve");
    expect(texts(chat.state.messages)).toEqual(["user: build", "assistant: complete", "assistant: streaming"]);
    expect(chat.of("stream")[0]).toMatchObject({ turn: "t2", request: { input: PLAN_APPROVAL_INPUT, model: MODEL } });
    expect(chat.of("count")).toEqual([{ do: "count", name: "assistant_plan_continue_total" }]);
  });

  it("approved before its stream is over is built when it is: only then the server knows it", () => {
    const chat = states["pending while it streams"]().plan("a1", "approve");
    expect(texts(chat.state.messages)).toEqual(["user: build", "assistant: streaming"]);
    chat.hear(token("I wait."), complete({ result: "Here is the plan." }));
    expect(chat.answer("a1")).toMatchObject({ status: "complete", content: "Here is the plan." });
    expect(chat.of("stream")).toMatchObject([{ turn: "t2", request: { input: PLAN_APPROVAL_INPUT } }]);
    expect(chat.state.turn).toMatchObject({ id: "t2", message: "a2" });
  });

  it("approved in a stream that fails can be approved again", () => {
    for (const end of ["stop", "error", "send"] as const) {
      const chat = states["pending while it streams"]().plan("a1", "approve");
      if (end === "stop") chat.do({ type: "stop" });
      else if (end === "error") chat.hear({ event: "error", message: "no" });
      else chat.send("other");
      expect(chat.answer("a1").plan?.status).toBe(end === "send" ? "dismissed" : "pending");
    }
  });

  it("approved in its stream is not the approval of another plan", () => {
    const chat = states["pending while it streams"]().plan("a1", "approve").update(proposePlan("M2"));
    expect(chat.hear(complete()).of("stream")).toEqual([]);
    expect(chat.answer("a1").plan).toEqual({ markdown: "M2", status: "pending" });
  });

  it("approved twice is sent once", () => {
    const chat = states["pending while it streams"]().plan("a1", "approve").plan("a1", "approve");
    expect(chat.effects).toEqual([]);
    expect(chat.hear(complete()).of("stream")).toHaveLength(1);
  });
});

describe("a plan that is set aside", () => {
  it("asks nobody", () => {
    expect(states.refining().of("stream")).toEqual([]);
    expect(states.refining().of("count")).toEqual([{ do: "count", name: "assistant_plan_dismiss_total" }]);
  });

  it("is quoted before the next thing the person says, and the chat shows what they said", () => {
    const chat = states.refining().send("use Claude");
    expect(chat.of("stream")[0]?.request.input).toBe(refinementInput("M", "use Claude"));
    expect(texts(chat.state.messages)).toContain("user: use Claude");
    expect(chat.of("count")).toEqual([{ do: "count", name: "assistant_plan_refinement_send_total" }]);
    expect(chat.state.refining).toBeNull();
    expect(chat.answer("a1").plan?.status).toBe("dismissed");
    const id = chat.state.turn?.id;
    chat.hear({ event: "error", message: "no" }).send("again");
    expect(chat.state.turn?.id).not.toBe(id);
    expect(chat.of("stream")[0]?.request.input).toBe("again");
  });

  it("is quoted no more after Reset, an approval, or in another session", () => {
    const next = (chat: Talk): string | undefined => chat.send("hello").of("stream")[0]?.request.input;
    expect(next(states.dismissed())).toBe("hello");
    expect(next(states.refining().plan("a1", "approve"))).toBe("hello");
    expect(next(states.refining().do({ type: "newSession", sessionId: "s2" }))).toBe("hello");
    expect(next(states.refining().do({ type: "loadSession", sessionId: "s2", messages: [] }))).toBe("hello");
  });

  it("is replaced by the next plan", () => {
    const chat = states.refining().send("use Claude").update(proposePlan("M2"));
    expect(chat.of("count")).toEqual([{ do: "count", name: "assistant_plan_replan_total" }]);
    const answer = chat.state.messages.at(-1)?.id ?? "";
    expect(chat.answer(answer).plan).toEqual({ markdown: "M2", status: "pending" });
    expect(chat.hear(complete()).send("hello").of("stream")[0]?.request.input).toBe("hello");
  });

  it("is given up when a plan comes that was asked for otherwise", () => {
    const chat = talk().send("x").hear({ event: "error", message: "no" }).send("build").update(proposePlan("M"));
    chat.hear(complete()).plan("a2", "dismiss").retry("a1");
    expect(chat.of("stream")[0]?.request.input).toBe("x");
    expect(chat.state.refining).not.toBeNull();
    chat.update(proposePlan("M2"));
    expect(chat.state.refining).toBeNull();
    expect(chat.answer("a2").plan?.status).toBe("dismissed");
  });

  it("in the same stream as another plan is forgotten", () => {
    const chat = states["pending while it streams"]().plan("a1", "dismiss").update(proposePlan("M2"));
    expect(chat.state.refining).toBeNull();
    expect(chat.answer("a1").plan).toEqual({ markdown: "M2", status: "pending" });
  });

  it("stays so over a command", () => {
    const chat = states.refining().send("/history 5");
    expect(chat.answer("a1").plan?.status).toBe("refining");
    expect(chat.send("use Claude").of("stream")[0]?.request.input).toBe(refinementInput("M", "use Claude"));
  });
});

it("a sentence that is nothing but the protocol's is still the person's", () => {
  const chat = talk().send(EDIT_CONTINUATION_INPUT);
  expect(texts(chat.state.messages)[0]).toBe(`user: ${EDIT_CONTINUATION_INPUT}`);
});

describe("skip-all", () => {
  const waiting = (): Talk =>
    talk({ skipAll: true }).send("build").hear(token("I propose a plan.")).update(proposePlan("M"));
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
  const bridged = (): Talk => waiting().hear(complete({ usage, duration_seconds: 2, restore_version_id: "v1" }));

  it("shows no card and nothing of what was said about it", () => {
    const chat = waiting();
    expect(chat.answer("a1")).toMatchObject({ plan: null, content: "", status: "streaming" });
    expect(chat.hear(token("I wait for you.")).answer("a1").content).toBe("");
    expect(chat.state.turn).toMatchObject({ id: "t1", approve: true });
  });

  it("approves in the same answer, which never stops streaming", () => {
    const before = waiting().hear({ event: "progress", step: "generating_plan", attempt: 1, max_attempts: 1 });
    const { length } = before.state.messages;
    const progress = before.answer("a1").progress;
    const chat = before.hear(complete({ usage, duration_seconds: 2 }));
    expect(chat.state.messages).toHaveLength(length);
    expect(chat.answer("a1")).toMatchObject({ status: "streaming", content: "", ending: null, plan: null });
    expect(chat.answer("a1").progress).toBe(progress);
    expect(chat.state.turn).toMatchObject({ id: "t1+", message: "a1", approve: false });
    expect(chat.effects.map((effect) => effect.do)).toEqual(["count", "stream"]);
    expect(chat.of("stream")[0]).toMatchObject({ turn: "t1+", request: { input: PLAN_APPROVAL_INPUT, model: MODEL } });
    expect(chat.of("count")[0]?.name).toBe("assistant_skip_all_auto_approve_total");
  });

  it("applies what is built, and tells what both streams cost", () => {
    const chat = bridged().update(setFlow("Chat"));
    expect(chat.of("apply")).toHaveLength(1);
    expect(chat.update(addNode("b")).of("apply")).toHaveLength(1);
    chat.hear(complete({ result: "Built.", usage, duration_seconds: 1, restore_version_id: "v2" }));
    expect(chat.answer("a1")).toMatchObject({
      status: "complete",
      content: "Built.",
      ending: { usage: { input_tokens: 2, output_tokens: 4, total_tokens: 6 }, duration_seconds: 3 },
      restore: { version: "v1" },
    });
    expect(chat.state.turn).toBeNull();
    expect(texts(chat.state.messages)).toEqual(["user: build", "assistant: complete"]);
  });

  it("does not hear the first stream any more", () => {
    const chat = bridged();
    const { state } = chat;
    chat.do({ type: "event", turn: "t1", event: complete() });
    chat.do({ type: "ended", turn: "t1", failure: null });
    expect(chat.state).toBe(state);
  });

  it("approves once: another plan is shown", () => {
    const chat = bridged().update(proposePlan("M2")).hear(complete());
    expect(chat.of("stream")).toEqual([]);
    expect(chat.answer("a1")).toMatchObject({ status: "complete", plan: { markdown: "M2", status: "pending" } });
  });

  it("can be stopped, and can fail, on both sides of the seam", () => {
    for (const make of [waiting, bridged]) {
      expect(make().do({ type: "stop" }).answer("a1")).toMatchObject({ status: "cancelled", plan: null });
      expect(make().hear({ event: "error", message: "no" }).answer("a1").status).toBe("error");
      const id = make().state.turn?.id ?? "";
      expect(make().do({ type: "ended", turn: id, failure: null }).answer("a1").status).toBe("error");
      expect(make().send("other").state.turn?.id).toBe("t2");
    }
    expect(bridged().do({ type: "stop" }).of("abort")).toEqual([{ do: "abort", turn: "t1+" }]);
  });

  it("switched off on the way shows the plan after all", () => {
    const chat = waiting().send("/skip-all").hear(complete());
    expect(chat.of("stream")).toEqual([]);
    expect(chat.answer("a1")).toMatchObject({ status: "complete", plan: { markdown: "M", status: "pending" } });
    const replanned = waiting().do({ type: "setSkipAll", on: false }).update(proposePlan("M2")).hear(complete());
    expect(replanned.answer("a1").plan).toEqual({ markdown: "M2", status: "pending" });
  });

  it("switched on later does not take what waits already", () => {
    const chat = talk().send("build").update(proposePlan("M")).do({ type: "setSkipAll", on: true }).hear(complete());
    expect(chat.answer("a1").plan?.status).toBe("pending");
    expect(chat.of("stream")).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { damaged, random } from "@/flow/fixtures/random";
import { readEvent } from "./events";
import { anything } from "./fixtures/anything";
import { START, talk } from "./fixtures/talk";
import { COUNTERS, EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT } from "./protocol";
import { initialState, reduce } from "./reduce";
import { keptSession, readSessions } from "./sessions";
import type { Action, AssistantMessage, ChatState, Effect, FlowUpdate, Reduced } from "./types";

/** Says what is wrong; cheaper than `expect` where it is asked millions of times. */
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const answers = (state: ChatState): AssistantMessage[] =>
  state.messages.filter((message) => message.role === "assistant");

/** What is true of every state. */
function checkState(state: ChatState): void {
  const all = answers(state);
  const streaming = all.filter(({ status }) => status === "streaming");
  must(streaming.length <= 1, "two answers stream");
  must((state.turn === null) === (streaming.length === 0), "a stream without an answer, or the other way round");
  must(state.turn === null || state.turn.message === streaming[0]?.id, "the stream fills another answer");
  must(new Set(state.messages.map(({ id }) => id)).size === state.messages.length, "an id is there twice");
  for (const answer of all) {
    const newest = answer === all.at(-1);
    const waits =
      answer.plan?.status === "pending" ||
      answer.proposal?.status === "pending" ||
      answer.edits.some(({ status }) => status === "pending");
    must(newest || !waits, "something waits in an answer that was left behind");
    const aside = answer.plan?.status === "refining";
    must(aside === (state.refining?.message === answer.id), "the plan set aside is not the one to be quoted");
    must(!aside || answer.plan?.markdown === state.refining?.markdown, "another plan would be quoted");
    must(new Set(answer.tasks.map(({ key }) => key)).size === answer.tasks.length, "a task is there twice");
    must(new Set(answer.edits.map(({ id }) => id)).size === answer.edits.length, "an edit is there twice");
    must(new Set(answer.done).size === answer.done.length, "a step is done twice");
    must(answer.status !== "complete" || answer.ending !== null, "an answer ended without saying how");
  }
  must(state.refining === null || all.some(({ id }) => id === state.refining?.message), "the stash is of nobody");
}

/** What is true of a whole talk: remembers what happened in it. */
function witness(): (before: ChatState, action: Action, after: Reduced) => void {
  const open = new Set<string>();
  const tails = new Map<unknown, FlowUpdate[]>();
  const refused = new Set<unknown>();
  const continued = new Set<string>();
  const autoApproved = new Map<string, number>();
  const quoted = new Map<string, number>();
  let proposed: unknown = null;

  const watchStreams = (action: Action, state: ChatState, effects: readonly Effect[], before: ChatState): void => {
    const over =
      (action.type === "event" && ["complete", "error", "cancelled"].includes(action.event.event)) ||
      action.type === "ended";
    if (over && "turn" in action && before.turn?.id === action.turn) open.delete(action.turn);
    for (const effect of effects) {
      if (effect.do === "abort") must(open.delete(effect.turn), "a stream is given up that is not open");
      if (effect.do !== "stream") continue;
      must(!open.has(effect.turn), "a stream is opened twice");
      open.add(effect.turn);
      const { input } = effect.request;
      const message = state.turn?.message ?? "";
      if (input === EDIT_CONTINUATION_INPUT) {
        must(!continued.has(message), "an answer is continued twice");
        continued.add(message);
      }
      for (const [markdown] of input.matchAll(/<plan M\d+>/g)) {
        quoted.set(markdown, (quoted.get(markdown) ?? 0) + 1);
        must(quoted.get(markdown) === 1 || action.type === "retry", "a plan is quoted twice");
      }
    }
    must(open.size <= 1 && (state.turn === null ? open.size === 0 : open.has(state.turn.id)), "streams and state differ");
  };

  const watchProposals = (before: ChatState, action: Action, { state, effects }: Reduced): void => {
    for (const answer of answers(before))
      if (answer.proposal?.status === "dismissed") refused.add(answer.proposal.flow);
    for (const effect of effects) {
      if (effect.do === "applyProposal") {
        const held = answers(before).find(({ id }) => id === effect.message)?.proposal;
        must(held?.status === "pending" && held.flow === effect.flow, "a proposal is taken that does not wait");
        must(answers(before).at(-1)?.id === effect.message, "a proposal is taken that was left behind");
        must(!refused.has(effect.flow), "a proposal is taken that was dismissed");
        const tail = tails.get(effect.flow) ?? [];
        must(effect.tail.length === tail.length && effect.tail.every((update, index) => sameUpdate(update, tail[index])), "the tail is in another order");
      }
      if (effect.do !== "apply" || effect.update.action !== "set_flow") continue;
      const { flow } = effect.update;
      must(!refused.has(flow), "a flow is applied that was dismissed");
      must(answers(state).every(({ proposal }) => proposal?.flow !== flow), "a flow is applied and waits at once");
      must(effect.update.auto_apply === true || before.skipAll, "a flow is applied without a word");
    }
    if (action.type !== "event" || action.event.event !== "flow_update" || action.turn !== before.turn?.id) return;
    const { event } = action;
    const held = answers(state).at(-1)?.proposal;
    if (event.action === "set_flow") {
      proposed = held?.flow === event.flow ? event.flow : held && state.turn?.proposed ? held.flow : null;
      if (held?.flow === event.flow) tails.set(event.flow, []);
    } else if (event.action !== "edit_field" && event.action !== "propose_plan" && proposed && state.turn?.proposed) {
      tails.get(proposed)?.push(event);
    }
  };

  return (before, action, after) => {
    const { state, effects } = after;
    checkState(state);
    watchStreams(action, state, effects, before);
    watchProposals(before, action, after);
    const fresh = action.type === "newSession" || action.type === "loadSession";
    must(fresh || state.messages.length >= before.messages.length, "a message is gone");
    const ids = state.messages.slice(0, before.messages.length).map(({ id }) => id);
    must(fresh || before.messages.every(({ id }, index) => ids[index] === id), "messages changed places");
    const bridged = effects.some((effect) => effect.do === "count" && effect.name === COUNTERS.autoApproved);
    if (bridged) {
      must(state.messages.length === before.messages.length, "a bridge adds a message");
      const message = state.turn?.message ?? "";
      must(before.turn?.message === message, "a bridge leads to another answer");
      // One for what was asked, one for its continuation: an approval is never followed by another.
      must(before.turn?.request.input !== PLAN_APPROVAL_INPUT, "an approval is approved");
      autoApproved.set(message, (autoApproved.get(message) ?? 0) + 1);
      must((autoApproved.get(message) ?? 0) <= 2, "an answer approves for ever");
    }
    if (action.type === "event" && action.turn !== before.turn?.id)
      must(state === before && effects.length === 0, "a stream that is over was heard");
    for (const message of state.messages)
      must(
        message.role !== "user" || ![PLAN_APPROVAL_INPUT, EDIT_CONTINUATION_INPUT].some((text) => message.text.includes(text)),
        "the chat shows the protocol",
      );
  };
}

function sameUpdate(one: FlowUpdate, other: FlowUpdate | undefined): boolean {
  const { event: _kind, ...rest } = { event: "", ...other };
  return JSON.stringify(one) === JSON.stringify(rest);
}

const isContinuation = (effect: Effect): boolean =>
  effect.do === "stream" && effect.request.input === EDIT_CONTINUATION_INPUT;

/** A reducer that changes what it was given would be found out. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}

it("keeps its promises whatever happens in whatever order", () => {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  for (let seed = 1; seed <= 2500; seed += 1) {
    const next = random(seed);
    const source = anything(next);
    const check = witness();
    let state = initialState({ ...START, skipAll: seed % 3 === 0 });
    const past: string[] = [];
    for (let step = 0; step < 45; step += 1) {
      const action = source.action(state);
      past.push(JSON.stringify(action));
      if (seed % 10 === 0) frozen(state);
      try {
        const after = reduce(state, action);
        check(state, action, after);
        source.remember(after.effects);
        for (const effect of after.effects) count(effect.do === "count" ? effect.name : effect.do);
        if (after.effects.some(isContinuation)) count("continued");
        state = after.state;
      } catch (error) {
        throw new Error(`seed ${seed}, step ${step}: ${String(error)}\n${past.slice(-12).join("\n")}`, { cause: error });
      }
    }
    const kept = keptSession(state, 1);
    if (seed % 20 === 0 && kept) expect(readSessions(JSON.stringify([kept]))).toHaveLength(1);
  }
  // Nothing of it is worth much if the ways were never gone.
  for (const what of ["stream", "abort", "apply", "applyProposal", "revertProposal", "applyEdit", "later", "resetSession", "warn"])
    expect(seen.get(what) ?? 0, what).toBeGreaterThan(100);
  for (const name of Object.values(COUNTERS))
    if (name !== COUNTERS.inputRecalled) expect(seen.get(name) ?? 0, name).toBeGreaterThan(10);
  expect(seen.get("continued") ?? 0).toBeGreaterThan(50);
}, 60_000);

it("takes whatever a broken server sends", () => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const next = random(seed);
    const source = anything(next);
    const chat = talk({ skipAll: seed % 2 === 0 }).send("hi");
    for (let step = 0; step < 25; step += 1) {
      const action = source.action(chat.state);
      if (action.type !== "event") continue;
      const read = readEvent(JSON.stringify(damaged(next, action.event, 0.1)) ?? "");
      if ("event" in read) chat.hear(read.event);
      checkState(chat.state);
      if (!chat.state.turn) chat.send("again");
    }
  }
}, 30_000);

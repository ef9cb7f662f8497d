import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { damaged, random } from "@/flow/fixtures/random";
import { parseFlow } from "@/flow/parse";
import { addNode, complete, editField, flow, proposePlan, setFlow, talk, type Talk, token, toolStart } from "./fixtures/talk";
import { KEYS } from "./protocol";
import { dropSession, keptSession, readSessions, type SavedSession, sessionsOf, storeSession, withoutSession, withSession } from "./sessions";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const kept = (chat: Talk): SavedSession => {
  const session = keptSession(chat.state, 5);
  if (!session) throw new Error("nothing was kept");
  return session;
};
const again = (session: SavedSession): SavedSession => {
  const [read] = readSessions(JSON.stringify([session]));
  if (!read) throw new Error("it was not read");
  return read;
};
const session = (id: string, at: number, flowId = "flow"): SavedSession => ({
  ...kept(talk().send(`say ${id}`).hear(complete())),
  id,
  at,
  flowId,
});
const answer = (saved: SavedSession): Extract<SavedSession["messages"][number], { role: "assistant" }> => {
  const found = saved.messages.find((message) => message.role === "assistant");
  if (found?.role !== "assistant") throw new Error("no answer");
  return found;
};

describe("what is kept of a talk", () => {
  it("has the first thing the person said for a title", () => {
    const saved = kept(talk().send("/history 5").send("Build\n  a chatbot").hear(complete()).send("more"));
    expect(saved).toMatchObject({ id: "agentic_one", flowId: "flow", title: "Build a chatbot", at: 5 });
    const long = kept(talk().send("😀".repeat(200)));
    expect([...long.title]).toHaveLength(80);
    expect(long.title.endsWith("😀…")).toBe(true);
    expect(kept(talk().send("x".repeat(80))).title).toBe("x".repeat(80));
  });

  it("is nothing where nothing was asked", () => {
    expect(keptSession(talk().state, 1)).toBeNull();
    expect(keptSession(talk().send("/skip-all").send("/history").state, 1)).toBeNull();
  });

  it("does not run and waits for nothing", () => {
    const chat = talk().send("build").hear(token("Half"), toolStart("x", "a"));
    chat.update(setFlow("Chat")).update(addNode("b")).update(editField("e")).update(proposePlan("M"));
    chat.hear({ event: "progress", step: "generating", attempt: 1, max_attempts: 1 });
    expect(answer(kept(chat))).toMatchObject({
      status: "cancelled",
      content: "Half",
      progress: null,
      working: null,
      plan: { status: "dismissed" },
      proposal: { status: "dismissed", tail: [], nodes: 1, name: "Chat" },
      edits: [{ status: "dismissed" }],
    });
    expect(chat.answer("a1").status).toBe("streaming");
    const refining = talk().send("build").update(proposePlan("M")).hear(complete()).plan("a1", "dismiss");
    expect(answer(kept(refining)).plan?.status).toBe("dismissed");
    const failed = talk().send("x").hear(toolStart("run_flow"), { event: "error", message: "no" });
    expect(answer(kept(failed)).working?.tool).toBe("run_flow");
  });

  it("still says what it cost and what happened", () => {
    const chat = talk().send("build").update(addNode("Agent-1"));
    chat.hear({ event: "file_written", action: "write_file", path: "a.md", size: 2, content: "ab" });
    const usage = { input_tokens: 1200, output_tokens: 340, total_tokens: 1540 };
    chat.hear(complete({ usage, duration_seconds: 3.1, restore_version_id: "v", changes: ["Added Agent."] }));
    const { asked: _, ...shown } = chat.answer("a1");
    expect(answer(again(kept(chat)))).toEqual({
      ...shown,
      ending: expect.objectContaining({ usage, duration_seconds: 3.1, changes: ["Added Agent."] }),
    });
  });

  it("does not tell the cause that only an administrator is told", () => {
    const detail = { step: "tool", raw_cause: "401 sk-1234", recommendation: "Wait." };
    const chat = talk().send("build").hear({ event: "error", message: "no", detail });
    expect(chat.answer("a1").failure?.detail?.raw_cause).toBe("401 sk-1234");
    expect(JSON.stringify(kept(chat))).not.toContain("sk-1234");
    expect(answer(again(kept(chat))).failure?.detail).toMatchObject({ step: "tool", recommendation: "Wait." });
  });

  it("comes back the same as it was kept", () => {
    const chat = talk().send("one").update(setFlow("Chat")).update(editField("e")).hear(complete());
    chat.proposal("a1", "add").do({ type: "proposalApplied", message: "a1", mode: "add", ok: true });
    chat.send("two").hear(complete({ validated: true, component_code: "class A(Component):", class_name: "A" }));
    chat.send("/iterations 9").send("/history no").send("/skip-all");
    chat.send("three").hear({ event: "error", message: "no", detail: { step: "tool", recommendation: "Wait." } });
    const saved = again(kept(chat));
    expect(again(saved)).toEqual(saved);
    expect(saved.messages.map(({ id }) => id)).toEqual(chat.state.messages.map(({ id }) => id));
    expect(answer(saved).proposal).toMatchObject({ status: "applied", mode: "add", revertible: false });
    const loaded = talk().do({ type: "loadSession", sessionId: "agentic_two", messages: saved.messages });
    expect(loaded.state.messages).toEqual(saved.messages);
  });

  it("has no more of a flow than a miniature needs", () => {
    const template = {
      input_value: { type: "str", input_types: ["Message"], display_name: "Input", show: true, value: "secret" },
      code: { type: "code", value: "x".repeat(50_000) },
    };
    const node = (id: string): object => ({
      id,
      type: "genericNode",
      position: { x: 1, y: 2 },
      data: { id, type: "Agent", node: { display_name: "Agent", template, outputs: [{ name: "out", types: ["Message"] }] } },
    });
    const whole = { name: "Big", data: { nodes: [node("a"), node("b")], edges: [{ id: "e", source: "a", target: "b" }] } };
    const chat = talk().send("build");
    chat.hear({ event: "flow_preview", flow: whole, name: "Big", node_count: 2, edge_count: 1, graph: "" });
    chat.update({ action: "set_flow", flow: whole }).hear(complete());
    const text = JSON.stringify(kept(chat));
    expect(text.length).toBeLessThan(8000);
    expect(text).not.toContain("secret");
    const slim = parseFlow(answer(kept(chat)).proposal?.flow);
    expect(slim.nodes.map(({ id, kind }) => [id, kind])).toEqual([["a", "component"], ["b", "component"]]);
    expect(slim.nodes[0]?.position).toEqual({ x: 1, y: 2 });
  });

  it("leaves out flows and files beyond reason", () => {
    const many = Array.from({ length: 500 }, (_, index) => `Agent-${index}`);
    const chat = talk().send("build").update({ action: "set_flow", flow: flow("Big", ...many) });
    chat.hear({ event: "file_written", action: "write_file", path: "a", size: 9, content: "x".repeat(90_000) });
    const { proposal, files } = answer(kept(chat.hear(complete())));
    expect(proposal).toMatchObject({ nodes: 500, flow: { data: { nodes: [] } } });
    expect(files[0]?.content).toBeNull();
  });
});

describe("the list of talks", () => {
  it("has the newest first, ten of each flow, each once", () => {
    let list: SavedSession[] = [session("other", 1, "another flow")];
    for (let at = 1; at <= 14; at += 1) list = withSession(list, session(`s${at}`, at));
    expect(list.filter(({ flowId }) => flowId === "flow").map(({ id }) => id)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((at) => `s${at}`),
    );
    expect(list.some(({ id }) => id === "other")).toBe(true);
    list = withSession(list, { ...session("s6", 20), title: "renewed" });
    expect(list[0]).toMatchObject({ id: "s6", title: "renewed" });
    expect(list.filter(({ id }) => id === "s6")).toHaveLength(1);
    expect(withoutSession(list, "s6").some(({ id }) => id === "s6")).toBe(false);
  });

  it("is shared between tabs and separate between flows", () => {
    storeSession(session("mine", 1));
    // Another tab has written meanwhile.
    localStorage.setItem(KEYS.sessions, JSON.stringify([session("theirs", 2), ...readSessions(localStorage.getItem(KEYS.sessions))]));
    storeSession(session("mine", 3));
    storeSession(session("elsewhere", 4, "another flow"));
    expect(sessionsOf("flow").map(({ id, at }) => [id, at])).toEqual([["mine", 3], ["theirs", 2]]);
    expect(sessionsOf("another flow").map(({ id }) => id)).toEqual(["elsewhere"]);
    dropSession("theirs");
    expect(sessionsOf("flow").map(({ id }) => id)).toEqual(["mine"]);
    dropSession("mine");
    dropSession("elsewhere");
    expect(localStorage.getItem(KEYS.sessions)).toBeNull();
  });

  it("gives up the oldest where there is no room", () => {
    let stored = "";
    const room = JSON.stringify([session("a", 1), session("b", 2)]).length + 10;
    vi.stubGlobal("localStorage", {
      getItem: () => stored,
      setItem: (_key: string, value: string) => {
        if (value.length > room) throw new DOMException("full", "QuotaExceededError");
        stored = value;
      },
      removeItem: () => {},
    });
    for (const [id, at] of [["a", 1], ["b", 2], ["c", 3]] as const) storeSession(session(id, at));
    expect(readSessions(stored).map(({ id }) => id)).toEqual(["c", "b"]);
    const huge = kept(talk().send("x").hear(complete({ result: "y".repeat(room) })));
    expect(() => storeSession({ ...huge, id: "huge" })).not.toThrow();
  });

  const filled = (id: string, at: number, flowId: string, size: number): SavedSession => ({
    ...kept(talk().send(`say ${id}`).hear(complete({ result: "x".repeat(size) }))),
    id,
    at,
    flowId,
  });

  it("leaves room for others: beyond its budget the oldest go, of whatever flow, and in one go", () => {
    const many = Array.from({ length: 40 }, (_, at) => filled(`s${at}`, at, `flow ${at}`, 100_000));
    localStorage.setItem(KEYS.sessions, JSON.stringify(many.toReversed()));
    const write = vi.fn((key: string, value: string) => store.setItem(key, value));
    const store = localStorage;
    vi.stubGlobal("localStorage", { getItem: (key: string) => store.getItem(key), setItem: write });
    expect(storeSession(filled("new", 50, "flow", 100_000))).toBe(true);
    expect(write).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
    const text = localStorage.getItem(KEYS.sessions) ?? "";
    expect(text.length).toBeGreaterThan(1_350_000);
    expect(text.length).toBeLessThanOrEqual(1_500_000);
    const ids = readSessions(text).map(({ id }) => id);
    expect(ids).toEqual(["new", ...Array.from({ length: ids.length - 1 }, (_, at) => `s${39 - at}`)]);
    // Also an old one that comes back.
    storeSession(filled("old", 1, "flow", 100_000));
    expect(readSessions(localStorage.getItem(KEYS.sessions)).map(({ id }) => id)).toContain("old");
    expect(localStorage.getItem(KEYS.sessions)?.length).toBeLessThanOrEqual(1_500_000);
  });

  it("keeps the end of a talk that is too long, under its name", () => {
    const chat = talk();
    for (let at = 0; at < 9; at += 1) chat.send(`question ${at}`).hear(complete({ result: "x".repeat(90_000) }));
    storeSession(kept(chat));
    const read = (): SavedSession | undefined => sessionsOf("flow")[0];
    expect(read()?.title).toBe("question 0");
    expect(read()?.messages[0]).toMatchObject({ role: "user", text: "question 4" });
    expect(read()?.messages).toHaveLength(10);
    const loaded = talk().do({ type: "loadSession", sessionId: "agentic_one", messages: [] });
    loaded.do({ type: "loadSession", sessionId: "agentic_later", messages: read()?.messages ?? [] });
    storeSession({ ...kept(loaded), id: "agentic_one" });
    expect(read()?.title).toBe("question 0");
  });

  it("has what two tabs said in one talk, in the order of time", () => {
    const message = (id: string, at: number): SavedSession["messages"][number] => ({ id, role: "user", text: id, at });
    const one = session("shared", 1);
    storeSession({ ...one, messages: [message("begin", 1), message("theirs", 20)], at: 20 });
    storeSession({ ...one, messages: [message("begin", 1), message("mine", 10), message("mine too", 30)], at: 30 });
    expect(sessionsOf("flow")[0]?.messages.map(({ id }) => id)).toEqual(["begin", "mine", "theirs", "mine too"]);
  });

  it("is empty where the browser refuses", () => {
    const refuse = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(() => storeSession(session("a", 1))).not.toThrow();
    expect(() => dropSession("a")).not.toThrow();
    expect(sessionsOf("flow")).toEqual([]);
  });
});

describe("reading", () => {
  it.each([null, "", "{", "{}", "7", "null", '[1,null,"a",{}]', '[{"id":"a","flowId":"f","messages":[]}]'])(
    "skips what is odd: %s",
    (text) => expect(readSessions(text)).toEqual([]),
  );

  it("never throws, and what it gives can be shown and kept", () => {
    const chat = talk().send("build").update(setFlow("Chat")).update(editField("e")).update(proposePlan("M"));
    chat.hear({ event: "file_written", action: "write_file", path: "a", size: 1, content: "b" }, toolStart("x"));
    chat.hear(complete({ validated: true, component_code: "c", notices: [{ type: "model_fallback", reason: "r" }] }));
    chat.send("/history 5").send("again").update(addNode("a")).hear(toolStart("y"), { event: "error", message: "no" });
    const whole = [kept(chat), session("b", 2)];
    let read = 0;
    for (let seed = 1; seed <= 400; seed += 1) {
      const list = readSessions(JSON.stringify(damaged(random(seed), whole, 0.03)) ?? null);
      read += list.length;
      for (const saved of list) {
        expect(again(saved)).toEqual(saved);
        const loaded = talk().do({ type: "loadSession", sessionId: "x", messages: saved.messages });
        expect(keptSession(loaded.state, 1)?.messages).toEqual(saved.messages);
        expect(saved.messages.every((message) => message.role !== "assistant" || message.status !== "streaming")).toBe(true);
      }
    }
    expect(read).toBeGreaterThan(200);
  });
});

describe("going from one talk to another", () => {
  it("resets on the first visit only", () => {
    const chat = talk().do({ type: "mounted" });
    expect(chat.effects).toEqual([{ do: "resetSession", sessionId: "agentic_one" }]);
    chat.send("hi").do({ type: "mounted" });
    expect(chat.effects).toEqual([]);
  });

  it("begins anew: the old one is kept, the new one reset", () => {
    const chat = talk({ skipAll: true }).send("/history 5").send("hi").hear(token("Half"));
    chat.do({ type: "newSession", sessionId: "agentic_two" });
    expect(chat.state).toEqual({ ...talk({ skipAll: true, sessionId: "agentic_two" }).state, historyLimit: 5 });
    expect(chat.effects).toEqual([
      { do: "abort", turn: "t2" },
      { do: "keep", what: "session", of: expect.objectContaining({ sessionId: "agentic_one", turn: null }) },
      { do: "resetSession", sessionId: "agentic_two" },
    ]);
    const [old] = chat.of("keep");
    expect(old?.of?.messages.at(-1)).toMatchObject({ status: "cancelled", content: "Half" });
    chat.do({ type: "event", turn: "t2", event: token("late") });
    expect(chat.state.messages).toEqual([]);
  });

  it("goes back without a reset", () => {
    const saved = kept(talk().send("build").update(proposePlan("M")).hear(complete()));
    const chat = talk().send("hi").do({ type: "loadSession", sessionId: "agentic_zero", messages: saved.messages });
    expect(chat.of("resetSession")).toEqual([]);
    expect(chat.of("abort")).toHaveLength(1);
    expect(chat.of("keep")[0]?.of?.sessionId).toBe("agentic_one");
    expect(chat.state).toMatchObject({ sessionId: "agentic_zero", turn: null, refining: null });
    expect(chat.plan("a1", "approve").effects).toEqual([]);
  });

  it("leaves the open talk alone when it is chosen again", () => {
    const chat = talk().send("hi");
    const { state } = chat;
    expect(chat.do({ type: "loadSession", sessionId: "agentic_one", messages: [] }).state).toBe(state);
  });

  it("takes no message twice and lets none stream", () => {
    const chat = talk().send("hi");
    const { messages } = chat.state;
    chat.do({ type: "loadSession", sessionId: "x", messages: [...messages, ...messages] });
    expect(chat.state.messages).toHaveLength(2);
    expect(chat.answer("a1").status).toBe("cancelled");
  });
});

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Editor } from "@/stores/editor/state";
import { edit } from "@/stores/editor/actions";
import { startSaving } from "@/stores/editor/saving";
import { createEditor } from "@/stores/editor/state";
import { useToasts } from "@/ui/toasts";
import { type Chat, chatOf, forgetAll, sendIds } from "./chat";
import { completed, FakeServer, type FakeTurn, line } from "./fakeServer";
import { CONNECTION_ENDED, KEYS } from "./model/protocol";
import { sessionsOf } from "./model/sessions";
import type { AssistantMessage, ModelChoice } from "./model/types";

let server: FakeServer;
let editor: Editor;
let chat: Chat;
let leave: () => void;
let flows = 0;

beforeAll(async () => {
  await import("@/i18n/englishOfAssistant");
});

beforeEach(() => {
  localStorage.clear();
  flows += 1;
  server = new FakeServer(`flow-${flows}`);
  vi.stubGlobal("fetch", server.answer);
  editor = createEditor(server.flow());
  leave = startSaving(editor, () => {});
  chat = chatOf(server.flowId);
  chat.enter({ editor, canvas: () => null, onMerged: () => {} });
});

afterEach(() => {
  leave();
  forgetAll();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

const model: ModelChoice = { provider: "Rehearsal", name: "rehearsal" };

const send = (text: string, selected: string | null = null): void =>
  chat.dispatch({ type: "send", text, model, selected, ids: sendIds(), at: Date.now() });

const answer = (): AssistantMessage => {
  const last = chat.store.getState().state.messages.at(-1);
  if (last?.role !== "assistant") throw new Error("nobody has answered");
  return last;
};

/** The turn that the server hears of. */
async function asked(text = "Build a chatbot", selected: string | null = null): Promise<FakeTurn> {
  const before = server.turns.length;
  send(text, selected);
  await expect.poll(() => server.turns.length).toBe(before + 1);
  const turn = server.turns.at(-1);
  if (!turn) throw new Error("no turn");
  return turn;
}

describe("a turn", () => {
  it("says who asks what about which flow", async () => {
    const turn = await asked("Explain 'ChatInput-1'", "ChatInput-1");
    expect(turn.body).toEqual({
      flow_id: server.flowId,
      input_value: "Explain 'ChatInput-1'",
      session_id: chat.store.getState().state.sessionId,
      provider: "Rehearsal",
      model_name: "rehearsal",
      component_id: "ChatInput-1",
    });
  });

  it.each([1, 3, 17, 1000])("is the same whether it comes in pieces of %i characters or whole", async (size) => {
    const turn = await asked();
    const text = [
      { event: "progress", step: "generating", attempt: 1, max_attempts: 3, message: "Working" },
      { event: "token", chunk: "Grüße, " },
      { event: "token", chunk: "안녕하세요 \n\n" },
      { event: "tool_start", tool: "search", label: "Searching" },
      { event: "token", chunk: "data: end" },
      completed({ result: "Grüße, 안녕하세요 \n\ndata: end" }),
    ]
      .map(line)
      .join("");
    // Bytes, so that a letter may be cut in two.
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) turn.bytes(bytes.slice(at, at + size));
    turn.end();
    await expect.poll(() => answer().status).toBe("complete");
    expect(answer().content).toBe("Grüße, 안녕하세요 \n\ndata: end");
    expect(answer().ending).toMatchObject({ duration_seconds: 1.5, usage: { total_tokens: 3 } });
    expect(chat.store.getState().state.turn).toBeNull();
  });

  it("draws words that came together at once", async () => {
    const turn = await asked();
    let drawn = 0;
    chat.store.subscribe(() => (drawn += 1));
    turn.events(...Array.from({ length: 500 }, (_, at) => ({ event: "token", chunk: `${at} ` })));
    await expect.poll(() => answer().content.endsWith("499 ")).toBe(true);
    expect(drawn).toBeLessThan(5);
  });

  it("that is cut in the middle of an event failed, and keeps what was said", async () => {
    const turn = await asked();
    turn.events({ event: "token", chunk: "Half an " });
    turn.say('data: {"event":"token","chu');
    turn.end();
    await expect.poll(() => answer().status).toBe("error");
    expect(answer()).toMatchObject({ content: "Half an", failure: { message: CONNECTION_ENDED } });
  });

  it("is over with `complete`, whatever comes behind it", async () => {
    const turn = await asked();
    turn.events(completed(), { event: "token", chunk: "late" }, { event: "error", message: "late" }, completed({ result: "late" }));
    turn.end();
    await expect.poll(() => answer().status).toBe("complete");
    expect(answer()).toMatchObject({ content: "Done.", failure: null });
  });

  it("goes on past what nobody understands", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const turn = await asked();
    turn.say("data: {cut\n\ndata: [1]\n\n: beat\n\n");
    turn.events({ event: "brand_new" }, { event: "flow_update", action: "paint_it_red" }, { event: "token", chunk: "Fine" });
    await expect.poll(() => answer().content).toBe("Fine");
    expect(warn.mock.calls.length).toBeGreaterThanOrEqual(4);
  });

  it("that fell silent failed", async () => {
    vi.useFakeTimers();
    send("Anybody there?");
    await vi.advanceTimersByTimeAsync(20);
    server.turns[0]?.events({ event: "token", chunk: "Well" });
    await vi.advanceTimersByTimeAsync(44_000);
    expect(answer().status).toBe("streaming");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answer()).toMatchObject({ status: "error", content: "Well" });
    expect(answer().failure?.message).toMatch(/did not answer/);
    expect(server.turns[0]?.left()).toBe(true);
  });

  it("that is stopped leaves what has come, also what is not drawn yet", async () => {
    const turn = await asked();
    turn.events({ event: "token", chunk: "So far" });
    await expect.poll(() => answer().content).toBe("So far");
    chat.stop();
    expect(answer()).toMatchObject({ status: "cancelled", content: "So far" });
    await expect.poll(() => turn.left()).toBe(true);
  });

  it("can be stopped before anything was sent", async () => {
    send("Never mind");
    chat.stop();
    await new Promise((done) => setTimeout(done));
    expect(server.turns).toEqual([]);
    expect(answer().status).toBe("cancelled");
  });
});

describe("a refusal", () => {
  const refuse = (status: number, code: string, detail: string, headers: Record<string, string> = {}): void => {
    server.refusal = Response.json({ detail, code }, { status, headers });
  };

  it.each([
    [409, "conflict", "The assistant is already working on this flow"],
    [429, "throttled", "You have as many turns of the assistant under way as one person may."],
    [422, "invalid", "At most 2,000 characters"],
  ])("%i is told in the server's words", async (status, code, detail) => {
    refuse(status, code, detail);
    send("Build");
    await expect.poll(() => answer().status).toBe("error");
    expect(answer().failure?.message).toContain(detail);
  });

  it("of a flow that is gone says that it is", async () => {
    refuse(404, "not_found", "Not found");
    send("Build");
    await expect.poll(() => answer().status).toBe("error");
    expect(answer().failure?.message).toBe("The flow is no longer there.");
  });

  it("says how long to wait", async () => {
    refuse(429, "throttled", "Slow down", { "retry-after": "7" });
    send("Build");
    await expect.poll(() => answer().failure?.detail?.recommendation).toMatch(/7 seconds/);
  });
});

describe("what is asked about", () => {
  const change = (): void => void edit(editor, { op: "note", text: "mine", x: 0, y: 0 });

  it("is saved first", async () => {
    change();
    expect(editor.getState().steps.length).toBe(1);
    await asked();
    expect(editor.getState().steps.length).toBe(0);
  });

  it("is not asked about when it cannot be saved", async () => {
    server.savingFails = true;
    change();
    send("Build");
    await expect.poll(() => answer().status).toBe("error");
    expect(answer().failure?.message).toMatch(/could not be saved/);
    expect(server.turns).toEqual([]);
  });
});

describe("a conversation", () => {
  it("begins with a session that the server has forgotten, once", async () => {
    chat.enter({ editor, canvas: () => null, onMerged: () => {} });
    await expect.poll(() => server.resets).toEqual([chat.store.getState().state.sessionId]);
    expect(chatOf(server.flowId)).toBe(chat);
  });

  it("stops when the flow's page is left, and is kept as far as it came", async () => {
    const turn = await asked("Build a chatbot");
    turn.events({ event: "token", chunk: "Working on" });
    await expect.poll(() => answer().content).toBe("Working on");
    leave();
    await expect.poll(() => answer().status).toBe("cancelled");
    await expect.poll(() => turn.left()).toBe(true);
    expect(chat.around()).toBeNull();
    expect(sessionsOf(server.flowId)).toMatchObject([
      { title: "Build a chatbot", messages: [{ role: "user" }, { status: "cancelled", content: "Working on" }] },
    ]);
  });

  it("goes on while its page only begins anew", async () => {
    const turn = await asked();
    // As when the language is changed.
    leave();
    leave = startSaving(editor, () => {});
    await new Promise((done) => setTimeout(done));
    turn.events({ event: "token", chunk: "Still here" });
    await expect.poll(() => answer().content).toBe("Still here");
  });

  it("is kept when the page goes away in the middle of a turn", async () => {
    const turn = await asked("Build a chatbot");
    turn.events({ event: "token", chunk: "Half" });
    await expect.poll(() => answer().content).toBe("Half");
    window.dispatchEvent(new Event("pagehide"));
    await expect.poll(() => turn.left()).toBe(true);
    expect(answer().status).toBe("cancelled");
    expect(sessionsOf(server.flowId)[0]?.messages[1]).toMatchObject({ status: "cancelled", content: "Half" });
  });

  it("that loses its connection because the page goes away did not fail", async () => {
    const turn = await asked();
    turn.events({ event: "token", chunk: "Half" });
    await expect.poll(() => answer().content).toBe("Half");
    window.dispatchEvent(new Event("beforeunload"));
    turn.lose();
    await expect.poll(() => answer().status).toBe("cancelled");
    expect(answer().failure).toBeNull();
  });

  it("goes on where the browser keeps nothing", async () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("not here", "SecurityError");
    });
    const turn = await asked();
    turn.events(completed());
    await expect.poll(() => answer().status).toBe("complete");
    window.dispatchEvent(new Event("pagehide"));
    chat.dispatch({ type: "setSkipAll", on: true });
    expect(chat.store.getState().state.skipAll).toBe(true);
  });

  it("keeps the sessions of another tab", async () => {
    const turn = await asked("Mine");
    turn.events(completed());
    await expect.poll(() => sessionsOf(server.flowId).length).toBe(1);
    const [mine] = sessionsOf(server.flowId);
    const theirs = { ...mine, id: "agentic_theirs", title: "Theirs" };
    localStorage.setItem(KEYS.sessions, JSON.stringify([theirs, mine]));
    const next = await asked("Mine again");
    next.events(completed());
    await expect.poll(() => answer().status).toBe("complete");
    expect(sessionsOf(server.flowId).map(({ title }) => title).sort()).toEqual(["Mine", "Theirs"]);
  });
});

describe("on the canvas", () => {
  const nodes = (): string[] => editor.getState().flow.nodes.map(({ id }) => id);
  const added = (id: string) => ({
    event: "flow_update",
    action: "add_component",
    node: { id, type: "noteNode", position: { x: 900, y: 900 }, data: { id, type: "note", node: { description: "hello", template: {} } } },
  });

  it("what a turn does is there as it comes", async () => {
    const before = nodes();
    const turn = await asked();
    turn.events(added("note-new"), completed());
    await expect.poll(nodes).toEqual([...before, "note-new"]);
  });

  it("a change that does not fit is told once", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const turn = await asked();
    turn.events(
      { event: "flow_update", action: "remove_component", component_id: "Nobody-1" },
      { event: "flow_update", action: "remove_component", component_id: "Nobody-2" },
      completed(),
    );
    await expect.poll(() => answer().status).toBe("complete");
    expect(useToasts.getState().toasts.map(({ message }) => message)).toEqual(["Not everything could be put on the canvas"]);
  });
});

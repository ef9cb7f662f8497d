import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "@/api/queryClient";
import { sessionQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { startSaving } from "@/stores/editor/saving";
import { createEditor, type Editor } from "@/stores/editor/state";
import { useToasts } from "@/ui/toasts";
import { type Chat, chatOf, forgetAll, sendIds } from "./chat";
import { completed, FakeServer } from "./fakeServer";
import { useSavedChoice } from "./input/useModelChoice";
import { KEYS } from "./model/protocol";
import { dropSession, sessionsOf, storeSession } from "./model/sessions";

let server: FakeServer;
let leaving: (() => void)[] = [];

beforeAll(async () => {
  await import("@/i18n/englishOfAssistant");
});

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  server = new FakeServer("flow");
  vi.stubGlobal("fetch", server.answer);
});

afterEach(() => {
  for (const leave of leaving) leave();
  leaving = [];
  forgetAll();
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

interface Visit {
  chat: Chat;
  editor: Editor;
  leave: () => Promise<void>;
}

function visit(flowId: string): Visit {
  const editor = createEditor({ ...server.flow(), id: flowId });
  const stop = startSaving(editor, () => {});
  leaving.push(stop);
  const chat = chatOf(flowId);
  chat.enter({ editor, canvas: () => null, onMerged: () => {} });
  const leave = async (): Promise<void> => {
    stop();
    await expect.poll(() => chat.around()).toBeNull();
  };
  return { chat, editor, leave };
}

const send = (chat: Chat, text: string): void =>
  chat.dispatch({ type: "send", text, model: null, selected: null, ids: sendIds(), at: Date.now() });

async function talked(chat: Chat, text: string): Promise<void> {
  const before = server.turns.length;
  send(chat, text);
  await expect.poll(() => server.turns.length).toBe(before + 1);
  server.turns.at(-1)?.events(completed());
  await expect.poll(() => chat.store.getState().state.turn).toBeNull();
}

const texts = (chat: Chat): string[] =>
  chat.store.getState().state.messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
const titles = (flowId: string): string[] => sessionsOf(flowId).map(({ title }) => title);
const signIn = (id: string | null): void =>
  void queryClient.setQueryData(sessionQuery.queryKey, { authenticated: id !== null, user: id === null ? null : ({ id } as UserRead) });

describe("a page that goes away", () => {
  it("writes nothing over what another tab made of the talk, and brings back none that was deleted", async () => {
    const { chat } = visit("flow");
    await talked(chat, "Mine");
    const [stored] = sessionsOf("flow");
    if (!stored) throw new Error("it was not kept");
    const longer = [{ ...stored, at: stored.at + 1, messages: [...stored.messages, { ...stored.messages[0], id: "theirs" }] }];
    localStorage.setItem(KEYS.sessions, JSON.stringify(longer));
    window.dispatchEvent(new Event("pagehide"));
    expect(JSON.parse(localStorage.getItem(KEYS.sessions) ?? "")).toEqual(longer);
    dropSession(stored.id);
    window.dispatchEvent(new Event("pagehide"));
    expect(sessionsOf("flow")).toEqual([]);
  });

  it("does not make a talk younger that was only looked at", async () => {
    const { chat } = visit("flow");
    await talked(chat, "Mine");
    const [stored] = sessionsOf("flow");
    if (!stored) throw new Error("it was not kept");
    storeSession({ ...stored, id: "agentic_old", at: 5 });
    chat.dispatch({ type: "loadSession", sessionId: "agentic_old", messages: stored.messages });
    window.dispatchEvent(new Event("pagehide"));
    chat.dispatch({ type: "newSession", sessionId: "agentic_new" });
    expect(sessionsOf("flow").map(({ id, at }) => [id, at])).toEqual([[stored.id, stored.at], ["agentic_old", 5]]);
  });
});

describe("a second flow", () => {
  it("lets a talk that goes on have its components, and begins with none where there is no other", async () => {
    const first = visit("one");
    await expect.poll(() => server.resets.length).toBe(1);
    const second = visit("two");
    await expect.poll(() => server.resets.length).toBe(2);
    await talked(first.chat, "Write a component");
    visit("three");
    await talked(second.chat, "And here?");
    expect(server.resets).toHaveLength(2);
  });

  it("does not cost the talk about the first; the ones left long ago are only in the list", async () => {
    for (const flowId of ["a", "b", "c", "d", "e", "f"]) {
      const { chat, leave } = visit(flowId);
      await talked(chat, `About ${flowId}`);
      await leave();
    }
    const { chat: empty, leave } = visit("g");
    await leave();
    expect(chatOf("g")).not.toBe(empty);
    expect(texts(chatOf("b"))).toEqual(["About b"]);
    expect(texts(chatOf("a"))).toEqual([]);
    expect(titles("a")).toEqual(["About a"]);
  });
});

it("what came in the moment the page is left is not done on a canvas that nobody saves", async () => {
  const { chat, editor, leave } = visit("flow");
  const before = editor.getState().flow.nodes.length;
  send(chat, "Build");
  await expect.poll(() => server.turns.length).toBe(1);
  const frame = vi.fn(() => 0);
  vi.stubGlobal("requestAnimationFrame", frame);
  const node = { id: "note-1", type: "noteNode", position: { x: 0, y: 0 }, data: { id: "note-1", type: "note", node: { template: {} } } };
  server.turns[0]?.events({ event: "token", chunk: "Here" }, { event: "flow_update", action: "add_component", node });
  await expect.poll(() => frame.mock.calls.length).toBe(1);
  await leave();
  expect(chat.store.getState().state.messages.at(-1)).toMatchObject({ status: "cancelled", content: "Here", tasks: [] });
  expect(editor.getState().flow.nodes).toHaveLength(before);
  expect(useToasts.getState().toasts).toEqual([]);
});

describe("another person at the same browser", () => {
  it("finds nothing of what the one before said and chose", async () => {
    signIn("anna");
    const { chat, leave } = visit("flow");
    await talked(chat, "My secret");
    chat.dispatch({ type: "setSkipAll", on: true });
    useSavedChoice.setState({ saved: { provider: "Rehearsal", name: "rehearsal" } });
    signIn(null);
    await leave();
    signIn("bert");
    expect(useSavedChoice.getState().saved).toBeNull();
    const next = visit("flow");
    expect(next.chat.store.getState().state).toMatchObject({ messages: [], skipAll: false });
    expect(titles("flow")).toEqual([]);
    expect(localStorage.getItem(KEYS.inputHistory)).toBeNull();
    // What the first one's page does late is not kept for the second.
    send(chat, "Late");
    window.dispatchEvent(new Event("pagehide"));
    expect(localStorage.getItem(KEYS.inputHistory)).toBeNull();
    expect(titles("flow")).toEqual([]);
  });

  it("is told from the same one who signs out and in again", async () => {
    signIn("anna");
    const first = visit("flow");
    await talked(first.chat, "Mine");
    signIn(null);
    await first.leave();
    expect(texts(chatOf("flow"))).toEqual([]);
    signIn("anna");
    expect(titles("flow")).toEqual(["Mine"]);
  });

  it("has the browser's store to themselves, also when this page has not heard of it", async () => {
    signIn("anna");
    const { chat } = visit("flow");
    localStorage.setItem(KEYS.owner, "bert");
    await talked(chat, "Mine");
    chat.dispatch({ type: "setSkipAll", on: true });
    window.dispatchEvent(new Event("pagehide"));
    expect(titles("flow")).toEqual([]);
    expect([KEYS.inputHistory, KEYS.skipAll].map((key) => localStorage.getItem(key))).toEqual([null, null]);
  });
});

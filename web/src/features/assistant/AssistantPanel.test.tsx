import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import i18next from "i18next";
import type { ComponentProps } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { englishOfAssistant } from "@/i18n/englishOfAssistant";
import { assistantConfigQuery } from "@/api/assistant";
import { queryClient } from "@/api/queryClient";
import { sessionQuery } from "@/api/session";
import type { UserRead } from "@/api/types";
import { startSaving } from "@/stores/editor/saving";
import { createEditor, type Editor } from "@/stores/editor/state";
import { useIntents } from "@/stores/intents";
import { useToasts } from "@/ui/toasts";
import AssistantPanel from "./AssistantPanel";
import { chatOf, forgetAll, sendIds } from "./chat";
import { completed, FakeServer, REHEARSAL } from "./fakeServer";
import { useSavedChoice } from "./input/useModelChoice";
import { KEYS } from "./model/protocol";
import { sessionsOf } from "./model/sessions";
import type { Message } from "./model/types";

let server: FakeServer;
let editor: Editor;
let leave: () => void;
let flows = 0;

beforeAll(() => void i18next.addResourceBundle("en", "translation", englishOfAssistant, true, true));

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  useSavedChoice.setState({ saved: { provider: "Rehearsal", name: "rehearsal" } });
  flows += 1;
  server = new FakeServer(`panel-${flows}`);
  vi.stubGlobal("fetch", server.answer);
  editor = createEditor(server.flow());
  leave = startSaving(editor, () => {});
});

afterEach(() => {
  leave();
  forgetAll();
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
  useIntents.setState({ modelProvider: null });
});

type Props = ComponentProps<typeof AssistantPanel>;

function panel(given: Partial<Props> = {}, strict = false) {
  const props: Props = {
    flow: server.flow(),
    editor,
    canvas: { current: null },
    onMerged: () => {},
    open: true,
    wish: null,
    onWish: () => {},
    onClose: () => {},
    ...given,
  };
  const draw = (more: Partial<Props> = {}) => (
    <QueryClientProvider client={queryClient}>
      <AssistantPanel {...props} {...more} />
    </QueryClientProvider>
  );
  const { rerender } = render(draw(), { reactStrictMode: strict });
  return { again: (more: Partial<Props>) => rerender(draw(more)) };
}

const chat = () => chatOf(server.flowId);
const area = () => screen.findByTestId<HTMLTextAreaElement>("assistant-input-textarea");

async function say(text: string): Promise<void> {
  const before = server.turns.length;
  fireEvent.change(await area(), { target: { value: text } });
  await waitFor(() => expect(screen.getByTestId("assistant-send-button")).not.toHaveAttribute("aria-disabled"));
  fireEvent.click(screen.getByTestId("assistant-send-button"));
  await waitFor(() => expect(server.turns.length).toBe(before + 1));
}

describe("states", () => {
  it("says that the operator switched it off", async () => {
    server.config = { ...REHEARSAL, enabled: false };
    panel();
    expect(await screen.findByTestId("assistant-disabled-state")).toHaveTextContent(/switched it off/);
    expect(screen.queryByTestId("assistant-input-textarea")).toBeNull();
  });

  it("offers to set up a provider without leaving, and the rehearsal for what it is", async () => {
    useSavedChoice.setState({ saved: null });
    panel();
    const configure = await screen.findByTestId("assistant-no-models-configure-providers");
    expect(configure).toHaveFocus();
    expect(screen.getByText(/Not an AI/)).toBeVisible();
    fireEvent.click(screen.getByTestId("assistant-rehearsal-offer"));
    expect(await area()).toHaveFocus();
    expect(JSON.parse(localStorage.getItem(KEYS.model) ?? "")).toEqual({ provider: "Rehearsal", name: "rehearsal" });
  });

  it("says when it cannot be found out, and tries again", async () => {
    let away = true;
    vi.stubGlobal("fetch", (request: Request) =>
      away ? Promise.resolve(Response.json({ detail: "Out.", code: "forbidden" }, { status: 403 })) : server.answer(request),
    );
    panel();
    const again = await screen.findByRole("button", { name: "Try again" }, { timeout: 5000 });
    away = false;
    fireEvent.click(again);
    expect(await area()).toBeVisible();
  });

  it("greets, and sends what is picked", async () => {
    panel();
    const idea = await screen.findByRole("button", { name: "Explain what this flow does" });
    await waitFor(() => expect(idea).toBeEnabled());
    fireEvent.click(idea);
    await waitFor(() => expect(server.turns[0]?.body.input_value).toBe("Explain what this flow does"));
    expect(screen.queryByText("What shall we build?")).toBeNull();
  });

  it("has the input focused and a draft that survives closing", async () => {
    const { again } = panel();
    expect(await area()).toHaveFocus();
    fireEvent.change(await area(), { target: { value: "half a th" } });
    again({ open: false });
    expect(screen.queryByTestId("assistant-panel")).toBeNull();
    again({ open: true });
    expect(await area()).toHaveValue("half a th");
  });

  it("leaves what was being written when something else is sent, or another session begins", async () => {
    panel();
    fireEvent.change(await area(), { target: { value: "half a thought" } });
    const idea = await screen.findByRole("button", { name: "Explain what this flow does" });
    await waitFor(() => expect(idea).toBeEnabled());
    fireEvent.click(idea);
    await waitFor(() => expect(server.turns[0]?.body.input_value).toBe("Explain what this flow does"));
    expect(await area()).toHaveValue("half a thought");
    fireEvent.click(screen.getByTestId("assistant-new-session"));
    expect(await screen.findByText("What shall we build?")).toBeVisible();
    expect(await area()).toHaveValue("half a thought");
    fireEvent.click(screen.getByTestId("assistant-send-button"));
    await waitFor(() => expect(server.turns[1]?.body.input_value).toBe("half a thought"));
    expect(await area()).toHaveValue("");
  });

  it("shows another person who signs in over it nothing of the talk", async () => {
    const signIn = (id: string): void => {
      act(() => void queryClient.setQueryData(sessionQuery.queryKey, { authenticated: true, user: { id } as UserRead }));
      useSavedChoice.setState({ saved: { provider: "Rehearsal", name: "rehearsal" } });
    };
    signIn("anna");
    panel();
    await say("My secret");
    expect(screen.getByText("My secret")).toBeVisible();
    signIn("anna");
    expect(screen.getByText("My secret")).toBeVisible();
    signIn("bert");
    await waitFor(() => expect(server.turns[0]?.left()).toBe(true));
    expect(screen.queryByText("My secret")).toBeNull();
    await say("Hello");
    fireEvent.keyDown(await area(), { key: "ArrowUp" });
    fireEvent.keyDown(await area(), { key: "ArrowUp" });
    expect(await area()).toHaveValue("Hello");
    expect(sessionsOf(server.flowId).map(({ title }) => title)).toEqual(["Hello"]);
  });

  it("a turn goes on while it is closed", async () => {
    const { again } = panel();
    await say("Build");
    again({ open: false });
    server.turns[0]?.events({ event: "token", chunk: "Meanwhile" }, completed({ result: "Meanwhile" }));
    await waitFor(() => expect(chat().store.getState().state.turn).toBeNull());
    again({ open: true });
    expect(await screen.findByText("Meanwhile")).toBeVisible();
  });
});

describe("what it is opened for", () => {
  it("is sent where somebody can answer", async () => {
    const onWish = vi.fn();
    panel({ wish: { kind: "describe", text: "A bot that rhymes" }, onWish });
    await waitFor(() => expect(server.turns[0]?.body.input_value).toBe("A bot that rhymes"));
    expect(onWish).toHaveBeenCalledTimes(1);
  });

  it("is sent also where it is known already who answers, once, in a session that begins", async () => {
    await queryClient.prefetchQuery(assistantConfigQuery);
    panel({ wish: { kind: "describe", text: "A bot that rhymes" } }, true);
    await waitFor(() => expect(server.turns[0]?.body.input_value).toBe("A bot that rhymes"));
    const { sessionId, messages } = chat().store.getState().state;
    expect(messages.map((message) => (message.role === "assistant" ? message.status : message.role))).toEqual(["user", "streaming"]);
    await waitFor(() => expect(server.resets).toEqual([sessionId]));
    expect(server.turns).toHaveLength(1);
  });

  it("is put behind what was being written where it has to wait", async () => {
    const { again } = panel();
    await say("Hello");
    fireEvent.change(await area(), { target: { value: "half a thought" } });
    again({ wish: { kind: "describe", text: "A bot that rhymes" } });
    await waitFor(async () => expect(await area()).toHaveValue("half a thought\n\nA bot that rhymes"));
    expect(server.turns).toHaveLength(1);
  });

  it("waits as a draft where nobody can", async () => {
    useSavedChoice.setState({ saved: null });
    panel({ wish: { kind: "describe", text: "A bot that rhymes" } });
    expect(await screen.findByText(/A bot that rhymes/)).toBeVisible();
    fireEvent.click(screen.getByTestId("assistant-rehearsal-offer"));
    expect(await area()).toHaveValue("A bot that rhymes");
    expect(server.turns).toEqual([]);
  });

  it("may be a node, which is named", async () => {
    const { again } = panel({}, true);
    await area();
    const [node] = editor.getState().flow.nodes;
    again({ wish: { kind: "mention", node: node?.id ?? "" } });
    await waitFor(async () => expect(await area()).toHaveValue(`'${node?.id ?? ""}' `));
  });
});

describe("the conversation", () => {
  it("draws the newest thirty, and earlier ones when asked", async () => {
    const messages: Message[] = Array.from({ length: 70 }, (_, at) => ({ id: `m${at}`, role: "user", text: `said ${at}`, at }));
    panel();
    await area();
    chat().dispatch({ type: "loadSession", sessionId: "agentic_long", messages });
    expect(await screen.findByText("said 69")).toBeVisible();
    expect(screen.queryByText("said 39")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show 30 earlier messages" }));
    expect(screen.getByText("said 39")).toBeVisible();
    fireEvent.click(screen.getByRole("button", { name: "Show 10 earlier messages" }));
    expect(screen.getByText("said 0")).toBeVisible();
    expect(screen.queryByRole("button", { name: /earlier messages/ })).toBeNull();
  });

  it("tells who does not see it that it works, and the answer once", async () => {
    panel();
    await say("Hello");
    const told = () => screen.getAllByRole("status").map((status) => status.textContent);
    expect(told()).toContain("The assistant is working");
    server.turns[0]?.events({ event: "token", chunk: "Hel" });
    await screen.findByText("Hel");
    expect(told()).toContain("The assistant is working");
    server.turns[0]?.events(completed({ result: "Hello to you." }));
    await waitFor(() => expect(told()).toContain("Hello to you."));
  });

  it("can be stopped", async () => {
    panel();
    await say("Hello");
    fireEvent.click(screen.getByTestId("assistant-stop-button"));
    await waitFor(() => expect(server.turns[0]?.left()).toBe(true));
    expect(await screen.findByTestId("assistant-send-button")).toBeVisible();
  });
});

describe("sessions", () => {
  async function talked(): Promise<string> {
    await say("First talk");
    server.turns.at(-1)?.events(completed({ result: "First answer." }));
    await waitFor(() => expect(chat().store.getState().state.turn).toBeNull());
    return chat().store.getState().state.sessionId;
  }

  it("a new one is empty and forgotten by the server; the old one can be loaded, which resets nothing", async () => {
    panel();
    const first = await talked();
    fireEvent.click(screen.getByTestId("assistant-new-session"));
    expect(await screen.findByText("What shall we build?")).toBeVisible();
    const second = chat().store.getState().state.sessionId;
    await waitFor(() => expect(server.resets).toEqual([first, second]));
    expect(await area()).toHaveFocus();
    fireEvent.click(screen.getByTestId("assistant-session-history"));
    fireEvent.click(await screen.findByTestId(`session-${first}`));
    expect(await screen.findByText("First answer.")).toBeVisible();
    expect(chat().store.getState().state.sessionId).toBe(first);
    expect(server.resets).toEqual([first, second]);
  });

  it("a deleted one comes back when that is undone", async () => {
    panel();
    const first = await talked();
    fireEvent.click(screen.getByTestId("assistant-new-session"));
    fireEvent.click(screen.getByTestId("assistant-session-history"));
    fireEvent.click(await screen.findByTestId(`delete-session-${first}`));
    expect(sessionsOf(server.flowId)).toEqual([]);
    useToasts.getState().toasts[0]?.action?.run();
    expect(sessionsOf(server.flowId).map(({ id }) => id)).toEqual([first]);
    expect(await screen.findByTestId(`session-${first}`)).toBeVisible();
  });

  it("Escape closes the list before the panel", async () => {
    const onClose = vi.fn();
    panel({ onClose });
    await area();
    fireEvent.click(screen.getByTestId("assistant-session-history"));
    fireEvent.keyDown(await screen.findByText(/kept here/), { key: "Escape" });
    expect(screen.queryByText(/kept here/)).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: "Escape" });
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

describe("the header", () => {
  it("shows that nothing is asked, and ends it", async () => {
    panel();
    await area();
    expect(screen.queryByTestId("assistant-skip-all-badge")).toBeNull();
    chat().dispatch({ type: "send", text: "/skip-all", model: null, selected: null, ids: sendIds(), at: 1 });
    fireEvent.click(await screen.findByTestId("assistant-skip-all-badge"));
    await waitFor(() => expect(screen.queryByTestId("assistant-skip-all-badge")).toBeNull());
    expect(server.turns).toEqual([]);
  });

  it("closes it", async () => {
    const onClose = vi.fn();
    panel({ onClose });
    fireEvent.click(within(await screen.findByTestId("assistant-panel")).getByTestId("assistant-close"));
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

it("is resized with the keyboard within its bounds, and stays so", async () => {
  localStorage.setItem(KEYS.panelSize, '{"width": 880, "height": 99999}');
  panel();
  const edge = await screen.findByTestId("assistant-resize-right");
  expect(edge).toHaveAttribute("aria-valuenow", "880");
  fireEvent.keyDown(edge, { key: "ArrowRight" });
  fireEvent.keyDown(edge, { key: "ArrowRight" });
  expect(edge).toHaveAttribute("aria-valuenow", "900");
  fireEvent.keyDown(screen.getByTestId("assistant-resize-left"), { key: "ArrowRight" });
  expect(JSON.parse(localStorage.getItem(KEYS.panelSize) ?? "")).toEqual({ width: 876, height: 800 });
});

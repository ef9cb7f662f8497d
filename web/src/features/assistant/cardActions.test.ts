import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { edit } from "@/stores/editor/actions";
import { flush, startSaving } from "@/stores/editor/saving";
import { createEditor, type Editor } from "@/stores/editor/state";
import { useToasts } from "@/ui/toasts";
import { cardActions } from "./cardActions";
import type { CardActions } from "./cards/actions";
import { type Chat, chatOf } from "./chat";
import { FakeServer } from "./fakeServer";
import { answerOf, newAnswer } from "./model/messages";
import type { AssistantMessage } from "./model/types";

let server: FakeServer;
let editor: Editor;
let chat: Chat;
let actions: CardActions;
let leave: () => void;
let flows = 0;

beforeAll(async () => {
  await import("@/i18n/englishOfAssistant");
});

beforeEach(() => {
  localStorage.clear();
  flows += 1;
  server = new FakeServer(`cards-${flows}`);
  vi.stubGlobal("fetch", server.answer);
  editor = createEditor(server.flow());
  leave = startSaving(editor, () => {});
  chat = chatOf(server.flowId);
  chat.enter({ editor, canvas: () => null, onMerged: () => {} });
  actions = cardActions(chat);
});

afterEach(() => {
  leave();
  vi.unstubAllGlobals();
  useToasts.setState({ toasts: [] });
});

const ANSWER = "answer";

function answered(more: Partial<AssistantMessage>): void {
  const messages = [
    { id: "person", role: "user" as const, text: "Do it", at: 1 },
    { ...newAnswer(ANSWER, 2), status: "complete" as const, content: "Done.", ...more },
  ];
  chat.dispatch({ type: "loadSession", sessionId: "agentic_loaded", messages });
}

const answer = (): AssistantMessage | null => answerOf(chat.store.getState().state, ANSWER);

it("brings back the version from before a turn; what was there is kept first and can be had again", async () => {
  answered({ restore: { version: "before", reverted: false } });
  await actions.restore(ANSWER);
  expect(server.versions).toEqual([expect.stringMatching(/^pre-revert \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)]);
  expect(server.activated).toEqual(["before?save_draft=false"]);
  expect(editor.getState().flow.nodes).toEqual([]);
  expect(answer()?.restore?.reverted).toBe(true);
  useToasts.getState().toasts[0]?.action?.run();
  await expect.poll(() => server.activated.at(-1)).toBe("kept-1?save_draft=false");
  await expect.poll(() => answer()?.restore?.reverted).toBe(false);
});

it("loses nothing that is changed while a version is brought back", async () => {
  answered({ restore: { version: "before", reverted: false } });
  let resolve = (): void => {};
  server.activating = new Promise((done) => {
    resolve = done;
  });
  const restored = actions.restore(ANSWER);
  await expect.poll(() => server.versions).toHaveLength(1);
  edit(editor, { op: "note", text: "mine", x: 0, y: 0 });
  const saved = flush(editor);
  resolve();
  await restored;
  expect(editor.getState().flow.nodes.map(({ kind }) => kind)).toEqual(["note"]);
  expect(await saved).toBe(true);
  expect(editor.getState().saving.kind).toBe("saved");
  expect(editor.getState().flow.nodes).toHaveLength(1);
});

it("tells that what was brought back cannot be undone from elsewhere", async () => {
  answered({ restore: { version: "before", reverted: false } });
  await actions.restore(ANSWER);
  const undo = useToasts.getState().toasts[0]?.action;
  leave();
  await expect.poll(() => chat.around()).toBeNull();
  undo?.run();
  await expect.poll(() => useToasts.getState().toasts.at(-1)?.message).toMatch(/page of the flow was left/);
  expect(server.activated).toHaveLength(1);
});

it("brings nothing back when what is there cannot be saved", async () => {
  answered({ restore: { version: "before", reverted: false } });
  server.savingFails = true;
  edit(editor, { op: "note", text: "mine", x: 0, y: 0 });
  await expect(actions.restore(ANSWER)).rejects.toThrow(/could not be saved/);
  expect(server.activated).toEqual([]);
  expect(answer()?.restore?.reverted).toBe(false);
});

it("puts a component on the canvas only after the server made it", async () => {
  answered({
    component: { className: "Loud", code: "class Loud(Component): ...", validated: true, error: null, attempts: 1, gate: "shown" },
  });
  const before = editor.getState().flow.nodes.length;
  server.making = Response.json({ detail: "Line 1 is wrong", code: "invalid" }, { status: 400 });
  await expect(actions.addComponent(ANSWER)).rejects.toThrow("Line 1 is wrong");
  expect(editor.getState().flow.nodes.length).toBe(before);
  expect(answer()?.component?.gate).toBe("shown");
  await actions.addComponent(ANSWER);
  expect(editor.getState().flow.nodes.length).toBe(before + 1);
  expect(answer()?.component?.gate).toBe("added");
});

it("fetches a file once", async () => {
  answered({ files: [{ path: "plan.md", size: 6, content: null, action: "write_file" }] });
  expect(await actions.readFile(ANSWER, "plan.md")).toBe("# Plan");
  expect(answer()?.files[0]?.content).toBe("# Plan");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("away")));
  expect(await actions.readFile(ANSWER, "plan.md")).toBe("# Plan");
});

it("names nodes and fields as the canvas does, and selects what is shown", () => {
  const node = editor.getState().flow.nodes.find(({ kind }) => kind === "component");
  if (node?.kind !== "component") throw new Error("the flow has no component");
  expect(actions.nodeName(node.id)).toBe(node.title);
  expect(actions.nodeName("Nobody-1")).toBeNull();
  const [field] = node.fields;
  expect(actions.fieldName(node.id, field?.name ?? "")).toBe(field?.label);
  expect(actions.fieldName(node.id, "nothing")).toBeNull();
  actions.showNode(node.id);
  expect([...editor.getState().selection]).toEqual([node.id]);
  actions.showNode("Nobody-1");
  expect([...editor.getState().selection]).toEqual([node.id]);
});

it("does nothing to a page that was left", async () => {
  answered({ restore: { version: "before", reverted: false } });
  leave();
  await expect.poll(() => chat.around()).toBeNull();
  await expect(actions.restore(ANSWER)).rejects.toThrow(/page of the flow was left/);
  expect(actions.nodeName("ChatInput-1")).toBeNull();
});

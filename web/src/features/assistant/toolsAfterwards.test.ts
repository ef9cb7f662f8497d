import { afterEach, expect, it, vi } from "vitest";
import { startSaving } from "@/stores/editor/saving";
import { createEditor, type Editor } from "@/stores/editor/state";
import { component, field, output } from "@/flow/fixtures/build";
import { getAt } from "@/flow/edit/values";
import type { JsonRecord } from "@/flow/json";
import { chatOf, sendIds } from "./chat";
import { completed, FakeServer } from "./fakeServer";

afterEach(() => vi.unstubAllGlobals());

const TOOLS = [{ name: "search" }];
const toolsOf = (editor: Editor): unknown =>
  getAt(editor.getState().flow.byId.get("Search-1")?.raw, ["data", "node", "template", "tools_metadata", "value"]);

/** A turn made a node a tool, and nothing of the assistant is drawn. */
async function turnOn(flowId: string) {
  const server = new FakeServer(flowId);
  const filled = vi.fn();
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!request.url.endsWith("/custom_component/update")) return server.answer(request);
    filled();
    const { frontend_node: node } = (await request.json()) as { frontend_node: { template: JsonRecord } };
    const tools = { name: "tools_metadata", type: "tools", value: TOOLS };
    return Response.json({ ...node, template: { ...node.template, tools_metadata: tools } });
  });
  const template = { query: field("query", { tool_mode: true }) };
  const editor = createEditor(
    server.flow({ nodes: [component("Search-1", { template, outputs: [output("text", ["Message"])] })], edges: [] }),
  );
  const leave = startSaving(editor, () => {});
  const chat = chatOf(flowId);
  chat.enter({ editor, canvas: () => null, onMerged: () => {} });
  chat.dispatch({ type: "send", text: "Make it a tool", model: null, selected: null, ids: sendIds(), at: 1 });
  await expect.poll(() => server.turns).toHaveLength(1);
  server.turns[0]?.events({ event: "flow_update", action: "enable_tool_mode", component_id: "Search-1", outputs: [] });
  await expect.poll(() => editor.getState().history.done).toHaveLength(1);
  return { server, editor, leave, chat, filled };
}

it("fills in the tools once the turn is over, also when nobody looks at the canvas", async () => {
  const { server, editor, leave, filled } = await turnOn("tools-1");
  expect(filled).not.toHaveBeenCalled();
  server.turns[0]?.events(completed());
  await expect.poll(() => toolsOf(editor)).toEqual(TOOLS);
  expect(editor.getState().history.done).toHaveLength(1);
  leave();
});

it("fills in nothing on a page that was left", async () => {
  const { chat, leave, filled } = await turnOn("tools-2");
  leave();
  await expect.poll(() => chat.around()).toBeNull();
  expect(chat.store.getState().state.turn).toBeNull();
  expect(filled).not.toHaveBeenCalled();
});

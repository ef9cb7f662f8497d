import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FlowRead } from "@/api/types";
import { nodeCode } from "@/flow/nodeCode";
import { readRegistry } from "@/flow/edit/registry";
import { getAt } from "@/flow/edit/values";
import { component, edge, field, output } from "@/flow/fixtures/build";
import type { JsonRecord } from "@/flow/json";
import { edit, setRegistry, undo } from "./actions";
import { addCode, mendCode, saveCode } from "./code";
import { draftOf, draftsOf, dropDraft, keepDraft } from "./codeDrafts";
import { closeCode, showCodeOf, useCodeOpen } from "./codeOpen";
import { addComponent, refreshNode, setToolMode } from "./commands";
import { createEditor, type Editor } from "./state";

const START = 'class Shout(Component):\n    display_name = "Shout"\n';
const NEXT = 'class Shout(Component):\n    display_name = "Louder"\n';

/** Answers as the server does: what a code makes is looked up, and requests are kept. */
class FakePython {
  makes = new Map<string, JsonRecord>();
  asked: { path: string; body: JsonRecord }[] = [];

  answer = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname.replace("/api/v1/", "");
    const body = (await request.json()) as JsonRecord;
    this.asked.push({ path, body });
    if (path === "custom_component/update") return Response.json({ ...(body.frontend_node as JsonRecord), refreshed: true });
    const made = this.makes.get(String(body.code));
    return made
      ? Response.json({ data: made, type: "Shout" })
      : Response.json({ detail: "SyntaxError: no (line 2)", code: "bad_code" }, { status: 400 });
  };
}

function shout(code: string, fields: JsonRecord[], more: JsonRecord = {}): JsonRecord {
  const all = [field("code", { type: "code", value: code }), ...fields];
  return {
    display_name: /"(.*)"/.exec(code)?.[1],
    description: "",
    outputs: [output("text", ["Message"])],
    ...more,
    template: Object.fromEntries(all.map((one) => [one.name, one])),
  };
}

const text = (value: string) => field("text", { input_types: ["Message"], value });
let python: FakePython;
let editor: Editor;

beforeEach(() => {
  python = new FakePython();
  python.makes.set(START, shout(START, [text("hi")]));
  vi.stubGlobal("fetch", python.answer);
  localStorage.clear();
  const data = {
    nodes: [
      component("In-1", { outputs: [output("message", ["Message"])] }),
      component("Shout-1", shout(START, [text("mine")]) as never),
    ],
    edges: [edge("In-1", "message", "Shout-1", "text")],
  };
  editor = createEditor({ id: "f1", name: "F", data, revision: 1, locked: false, updated_at: "2026-01-01T00:00:00Z" } as unknown as FlowRead);
});
afterEach(() => {
  vi.unstubAllGlobals();
  closeCode();
});

const raw = (id: string) => editor.getState().flow.byId.get(id)?.raw;
const at = (id: string, path: string) => getAt(raw(id), path.split("."));
const never = () => new AbortController().signal;

describe("saving code", () => {
  it("gives the node what the code makes, in one step that undo takes back with the wires", async () => {
    python.makes.set(NEXT, shout(NEXT, [field("words", { input_types: ["Message"] })]));
    const before = editor.getState().document;
    const saved = await saveCode(editor, "Shout-1", NEXT, never());
    expect(saved).toEqual({ node: "Shout-1", lost: ["In · message → Shout · Text"], failure: null });
    expect(nodeCode(raw("Shout-1"))).toBe(NEXT);
    expect(at("Shout-1", "data.node.edited")).toBe(true);
    expect(at("Shout-1", "data.node.display_name")).toBe("Louder");
    expect(editor.getState().flow.wires).toEqual([]);
    expect(python.asked[0]?.body).toMatchObject({ code: NEXT, frontend_node: { display_name: "Shout" } });
    undo(editor);
    expect(JSON.stringify(editor.getState().document)).toBe(JSON.stringify(before));
    expect(editor.getState().history.done).toEqual([]);
  });

  it("keeps what was set while the server was at work", async () => {
    python.makes.set(NEXT, shout(NEXT, [text("new default")]));
    const saving = saveCode(editor, "Shout-1", NEXT, never());
    edit(editor, { op: "configure", node: "Shout-1", values: { text: "typed meanwhile" } });
    await saving;
    expect(at("Shout-1", "data.node.template.text.value")).toBe("typed meanwhile");
  });

  it("changes nothing when the server refuses the code, when it is stopped, or the flow is locked", async () => {
    const before = editor.getState().document;
    await expect(saveCode(editor, "Shout-1", "class Shout(", never())).rejects.toMatchObject({ status: 400, message: "SyntaxError: no (line 2)" });
    const stopped = new AbortController();
    stopped.abort();
    await expect(saveCode(editor, "Shout-1", START, stopped.signal)).rejects.toBeDefined();
    editor.setState({ locked: true });
    await expect(saveCode(editor, "Shout-1", START, never())).rejects.toMatchObject({ code: "locked" });
    expect(editor.getState().document).toBe(before);
  });

  it("has fields that follow from a kept value worked out before the node changes", async () => {
    const mode = (value: string) => field("mode", { value, real_time_refresh: true });
    python.makes.set(NEXT, shout(NEXT, [mode("b")]));
    edit(editor, { op: "recode", node: "Shout-1", component: shout(START, [mode("b")]), type: "Shout" });
    const steps = editor.getState().history.done.length;
    await saveCode(editor, "Shout-1", NEXT, never());
    expect(python.asked.at(-1)).toMatchObject({ path: "custom_component/update", body: { field: "mode", field_value: "b", code: NEXT } });
    expect(at("Shout-1", "data.node.refreshed")).toBe(true);
    expect(editor.getState().history.done.length).toBe(steps + 1);
  });

  it("makes a new node when the old one is gone", async () => {
    edit(editor, { op: "remove", node: "Shout-1" });
    const { node } = await saveCode(editor, "Shout-1", START, never());
    expect(node).not.toBe("Shout-1");
    expect(nodeCode(raw(node))).toBe(START);
  });
});

describe("pasted code", () => {
  it("becomes a chosen node with that code", async () => {
    const id = await addCode(editor, START, { x: 500, y: 500 });
    expect(nodeCode(raw(id))).toBe(START);
    expect([...editor.getState().selection]).toEqual([id]);
    undo(editor);
    expect(raw(id)).toBeUndefined();
  });

  it("that the server does not take opens in a node of its own, unsaved", () => {
    expect(mendCode(editor, "class Bad(Component)", { x: 0, y: 0 })).toBe(false);
    setRegistry(editor, readRegistry({ custom_component: { CustomComponent: shout(START, []) } }));
    expect(mendCode(editor, "class Bad(Component)", { x: 0, y: 0 })).toBe(true);
    const id = useCodeOpen.getState().open?.node ?? "";
    expect(nodeCode(raw(id))).toBe(START);
    expect(draftOf("f1", id)?.code).toBe("class Bad(Component)");
  });
});

it("opens the code of a custom component as soon as it is added", () => {
  const stop = showCodeOf(editor);
  setRegistry(editor, readRegistry({ custom_component: { CustomComponent: shout(START, []), Mine: shout(START, []) } }));
  addComponent(editor, "Mine", { x: 0, y: 0 });
  expect(useCodeOpen.getState().open).toBeNull();
  const id = addComponent(editor, "CustomComponent", { x: 0, y: 0 });
  expect(useCodeOpen.getState().open).toEqual({ node: id, line: null });
  stop();
  expect(useCodeOpen.getState()).toEqual({ editor: null, open: null });
});

it("sends a node's own code and the node itself when a field is set", async () => {
  await refreshNode(editor, "Shout-1", "text", "x");
  expect(python.asked[0]).toMatchObject({
    path: "custom_component/update",
    body: { type: "Shout", code: START, field: "text", field_value: "x", frontend_node: { display_name: "Shout" } },
  });
});

it("asks the code for the outputs of a node that is no tool any more", async () => {
  setRegistry(editor, readRegistry({ tests: { Other: { template: {} } } }));
  await setToolMode(editor, "Shout-1", false);
  expect(python.asked[0]?.body).toMatchObject({ field: "tool_mode", field_value: false, tool_mode: false });
  expect(at("Shout-1", "data.node.refreshed")).toBe(true);
});

describe("a draft", () => {
  it("outlives the page until it is dropped, and belongs to its flow", () => {
    keepDraft("f1", "a", "x = 1", Date.now() - 1000);
    keepDraft("f2", "b", "y = 1");
    expect(draftsOf("f1")).toEqual(["a"]);
    expect(draftOf("f1", "a")?.code).toBe("x = 1");
    dropDraft("f1", "a");
    expect([draftsOf("f1"), draftsOf("f2")]).toEqual([[], ["b"]]);
  });

  it("goes after a month, or when it cannot be read", () => {
    keepDraft("f1", "old", "x", Date.now() - 31 * 24 * 60 * 60 * 1000);
    localStorage.setItem("ferroflow.code.f1.odd", "{");
    expect(draftsOf("f1")).toEqual([]);
    expect(localStorage.length).toBe(0);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/api/error";
import { flowKeys } from "@/api/flows";
import { queryClient } from "@/api/queryClient";
import type { FlowRead } from "@/api/types";
import { chat } from "@/flow/fixtures/build";
import type { JsonRecord } from "@/flow/json";
import { edit, redo, select, undo } from "./actions";
import { flush, receive, recover, replaceDraft, resolveConflict, startSaving } from "./saving";
import { createEditor, type Editor } from "./state";

/** What the server would have: one flow with a revision, which refuses a write that names an older one. */
class FakeServer {
  data: unknown = chat();
  revision = 1;
  refused = 0;
  down = false;
  versions: string[] = [];
  created: JsonRecord[] = [];

  flow(): FlowRead {
    return {
      id: "f1",
      name: "Flow",
      data: structuredClone(this.data),
      revision: this.revision,
      locked: false,
      updated_at: "2026-01-01T00:00:00Z",
    } as unknown as FlowRead;
  }

  answer = async (request: Request): Promise<Response> => {
    if (this.down) throw new TypeError("no answer");
    const { pathname } = new URL(request.url);
    const body = (await request.json().catch(() => ({}))) as JsonRecord;
    if (pathname.endsWith("/versions")) {
      this.versions.push(String(body.description));
      return Response.json({ id: "v1" });
    }
    if (request.method === "POST") {
      this.created.push(body);
      return Response.json({ id: "copy" });
    }
    if (request.headers.get("If-Match") !== `"${this.revision}"`) {
      this.refused += 1;
      return Response.json(
        { detail: "stale", code: "stale", error: { code: "stale", message: "stale" }, current: this.flow() },
        { status: 412 },
      );
    }
    this.data = body.data;
    this.revision += 1;
    return Response.json({ revision: this.revision });
  };

  /** Somebody else saves. */
  elsewhere(change: (editor: Editor) => void): void {
    const other = createEditor(this.flow());
    change(other);
    this.data = other.getState().document;
    this.revision += 1;
  }
}

let server: FakeServer;

beforeEach(() => {
  server = new FakeServer();
  vi.stubGlobal("fetch", server.answer);
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const type = (editor: Editor, text: string): void => {
  edit(editor, { op: "configure", node: "ChatInput-1", values: { input_value: text } });
};

function valueIn(data: unknown): unknown {
  const { nodes } = data as { nodes: { id: string; data: { node: { template: JsonRecord } } }[] };
  const found = nodes.find((node) => node.id === "ChatInput-1");
  return (found?.data.node.template.input_value as JsonRecord | undefined)?.value;
}

describe("an editor", () => {
  it("takes letters typed one after the other back in one step", () => {
    const editor = createEditor(server.flow());
    const before = editor.getState().document;
    for (const text of ["h", "he", "hey"]) type(editor, text);
    expect(editor.getState().steps).toHaveLength(1);
    undo(editor);
    expect(editor.getState().document).toEqual(before);
    redo(editor);
    expect(valueIn(editor.getState().document)).toBe("hey");
  });

  it("changes nothing in a locked flow", () => {
    const editor = createEditor({ ...server.flow(), locked: true });
    type(editor, "no");
    expect(editor.getState().steps).toEqual([]);
  });

  it("forgets the selection of what is gone", () => {
    const editor = createEditor(server.flow());
    select(editor, ["ChatInput-1"]);
    edit(editor, { op: "remove", node: "ChatInput-1" });
    expect(editor.getState().selection.size).toBe(0);
  });

  it("saves with the revision it knows, and keeps what is typed meanwhile", async () => {
    const editor = createEditor(server.flow());
    type(editor, "one");
    const saving = flush(editor);
    type(editor, "two");
    await saving;
    expect(valueIn(server.data)).toBe("two");
    expect(editor.getState().saving.kind).toBe("saved");
    expect(editor.getState().steps).toEqual([]);
  });

  it("sends one write at a time, however many ask for it", async () => {
    const editor = createEditor(server.flow());
    type(editor, "one");
    const asked = [flush(editor), flush(editor), flush(editor)];
    type(editor, "two");
    expect(await Promise.all(asked)).toEqual([true, true, true]);
    expect(server.refused).toBe(0);
    expect(valueIn(server.data)).toBe("two");
  });

  it("puts its changes on top of what somebody else saved, when they go together", async () => {
    const editor = createEditor(server.flow());
    type(editor, "mine");
    server.elsewhere((other) => edit(other, { op: "note", text: "theirs" }));
    const merged = vi.fn();
    expect(await flush(editor, merged)).toBe(true);
    expect(merged).toHaveBeenCalledTimes(1);
    expect(valueIn(server.data)).toBe("mine");
    expect(editor.getState().flow.nodes.some((node) => node.kind === "note")).toBe(true);
  });

  it("asks when both changed the same, and loses neither", async () => {
    const editor = createEditor(server.flow());
    type(editor, "mine");
    server.elsewhere((other) => type(other, "theirs"));
    expect(await flush(editor)).toBe(false);
    expect(editor.getState().saving.kind).toBe("conflict");
    expect(valueIn(editor.getState().document)).toBe("mine");

    await resolveConflict(editor, "mine", { version: "before", copy: "copy" });
    expect(server.versions).toEqual(["before"]);
    expect(valueIn(server.data)).toBe("mine");
    expect(editor.getState().saving.kind).toBe("saved");
  });

  it("saves nothing while another document is put in place, and puts what came meanwhile on top", async () => {
    const editor = createEditor(server.flow());
    let resolve = (_flow: FlowRead): void => {};
    const promise = new Promise<FlowRead>((done) => {
      resolve = done;
    });
    const merged = vi.fn();
    type(editor, "one");
    const put = vi.fn(() => promise);
    const replaced = replaceDraft(editor, put, merged);
    await vi.waitFor(() => expect(put).toHaveBeenCalledExactlyOnceWith(2));
    expect(valueIn(server.data)).toBe("one");
    type(editor, "two");
    const saved = flush(editor);
    receive(editor, { ...server.flow(), revision: 9 }, merged);
    server.elsewhere((other) => edit(other, { op: "note", text: "theirs" }));
    const { revision } = server;
    resolve(server.flow());
    expect(await replaced).toBe(true);
    expect(editor.getState().base.revision).toBe(revision);
    expect(merged).toHaveBeenCalledExactlyOnceWith(1);
    expect(await saved).toBe(true);
    expect(server.refused).toBe(0);
    expect(valueIn(server.data)).toBe("two");
    expect(editor.getState().flow.nodes).toHaveLength(5);
  });

  it("puts it in place of what somebody else made just now, or not at all", async () => {
    const editor = createEditor(server.flow());
    server.elsewhere((other) => type(other, "theirs"));
    const stale = new ApiError({ status: 412, code: "stale", detail: "stale", body: { current: server.flow() } });
    const put = vi.fn<(revision: number) => Promise<FlowRead>>().mockRejectedValueOnce(stale);
    put.mockImplementationOnce(async () => ({ ...server.flow(), data: { nodes: [], edges: [] }, revision: 3 }));
    expect(await replaceDraft(editor, put)).toBe(true);
    expect(put.mock.calls).toEqual([[1], [2]]);
    expect(editor.getState().flow.nodes).toEqual([]);
    put.mockRejectedValueOnce(new Error("gone"));
    await expect(replaceDraft(editor, put)).rejects.toThrow("gone");
    expect(editor.getState().saving.kind).toBe("saved");
  });

  it("can keep what is here as a flow of its own", async () => {
    const editor = createEditor(server.flow());
    type(editor, "mine");
    server.elsewhere((other) => type(other, "theirs"));
    await flush(editor);
    expect(await resolveConflict(editor, "copy", { version: "v", copy: "Mine" })).toBe("copy");
    expect(valueIn(server.created[0]?.data)).toBe("mine");
    expect(valueIn(editor.getState().document)).toBe("theirs");
  });

  it("takes over what was read again, and says nothing when the drawing is the same", () => {
    const editor = createEditor(server.flow());
    const merged = vi.fn();
    receive(editor, { ...server.flow(), revision: 5 }, merged);
    expect(editor.getState().base.revision).toBe(5);
    expect(merged).not.toHaveBeenCalled();
    server.elsewhere((other) => type(other, "theirs"));
    receive(editor, { ...server.flow(), revision: 6 }, merged);
    expect(valueIn(editor.getState().document)).toBe("theirs");
    expect(merged).toHaveBeenCalledTimes(1);
  });

  it("says that it could not save, and has everything back after a reload", async () => {
    const first = createEditor(server.flow());
    const stop = startSaving(first, () => {});
    server.down = true;
    type(first, "unsaved");
    expect(await flush(first)).toBe(false);
    expect(first.getState().saving.kind).toBe("failed");
    window.dispatchEvent(new Event("pagehide"));

    server.down = false;
    const second = createEditor(server.flow());
    expect(recover(second)).toEqual({ restored: 1, lost: 0 });
    expect(valueIn(second.getState().document)).toBe("unsaved");
    expect(undo(second)).toBe(true);
    expect(valueIn(second.getState().document)).not.toBe("unsaved");
    stop();
  });

  it("says what of it no longer fits", () => {
    const first = createEditor(server.flow());
    const stop = startSaving(first, () => {});
    server.down = true;
    type(first, "unsaved");
    stop();
    server.down = false;
    server.elsewhere((other) => edit(other, { op: "remove", node: "ChatInput-1" }));
    expect(recover(createEditor(server.flow()))).toEqual({ restored: 0, lost: 1 });
  });

  it("works where the browser stores nothing", () => {
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("blocked", "SecurityError");
    });
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
      throw new DOMException("blocked", "SecurityError");
    });
    const editor = createEditor(server.flow());
    const stop = startSaving(editor, () => {});
    expect(recover(editor)).toEqual({ restored: 0, lost: 0 });
    type(editor, "fine");
    expect(valueIn(editor.getState().document)).toBe("fine");
    stop();
  });

  it("tells the rest of the page which revision it wrote", async () => {
    const editor = createEditor(server.flow());
    queryClient.setQueryData(flowKeys.one("f1"), { flow: server.flow(), etag: '"1"' });
    type(editor, "one");
    await flush(editor);
    expect(queryClient.getQueryData(flowKeys.one("f1"))).toMatchObject({ etag: '"2"', flow: { revision: 2 } });
  });
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "@/api/queryClient";
import { refuseKeys } from "@/lib/keys";
import { shareScope, type Shortcut, shortcuts } from "./shortcutList";
import { conflicts, keysOf, loadShortcuts, matches, resetAll, resetShortcut, saneOverrides, setShortcut, useShortcuts } from "./shortcuts";

let stored: Record<string, unknown> = {};
let refuse = false;

const cacheKey = "ferroflow.shortcuts";

beforeEach(() => {
  stored = {};
  refuse = false;
  localStorage.clear();
  queryClient.clear();
  useShortcuts.setState({ userId: null, overrides: {}, loaded: false });
  vi.stubGlobal("fetch", async (request: Request) => {
    if (refuse) return Response.json({ detail: "not yours", code: "forbidden" }, { status: 403 });
    if (request.method === "PUT") stored = { ...stored, shortcuts: await request.json() };
    return Response.json(stored);
  });
});
afterEach(() => vi.unstubAllGlobals());

const press = (key: string, init: KeyboardEventInit = {}, on: HTMLElement = document.body): KeyboardEvent => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, ...init });
  on.dispatchEvent(event);
  return event;
};

it("has no two shortcuts with the same keys in one place, and none that a browser keeps", () => {
  const all = shortcuts as readonly Shortcut[];
  const clashes = all.flatMap((one, index) =>
    all.slice(index + 1).flatMap((other) => {
      const both = one.keys.filter((keys) => other.keys.includes(keys));
      return shareScope(one.group, other.group) && both.length > 0 ? [`${one.id} ${other.id} ${both}`] : [];
    }),
  );
  expect(clashes).toEqual([]);
  const kept = all.filter((one) => !one.fixed && one.keys.some((keys) => refuseKeys(keys, true) || refuseKeys(keys, false)));
  expect(kept).toEqual([]);
  expect(new Set(all.map((one) => one.id)).size).toBe(all.length);
});

it("keeps what a person changes, for them", async () => {
  await loadShortcuts("ada");
  await setShortcut("newFlow", "shift+n");
  expect(keysOf("newFlow")).toBe("shift+n");
  expect(stored).toEqual({ shortcuts: { newFlow: ["shift+n"] } });
  expect(matches(press("N", { shiftKey: true }), "newFlow")).toBe(true);
  expect(matches(press("n"), "newFlow")).toBe(false);

  stored = {};
  await loadShortcuts("grace");
  expect(keysOf("newFlow")).toBe("n");
});

it("knows them before the server answers, on the same browser for the same person only", async () => {
  localStorage.setItem(cacheKey, JSON.stringify({ userId: "ada", overrides: { run: ["mod+j"] } }));
  stored = { shortcuts: { run: ["mod+j"] } };
  const answer = loadShortcuts("ada");
  expect(keysOf("run")).toBe("mod+j");
  await answer;
  void loadShortcuts("grace").catch(() => {});
  expect(keysOf("run")).toBe("mod+enter");
});

it("works where the browser stores nothing", async () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new DOMException("blocked", "SecurityError");
    },
    setItem: () => {
      throw new DOMException("blocked", "SecurityError");
    },
  });
  await loadShortcuts("ada");
  await setShortcut("run", "mod+j");
  expect(keysOf("run")).toBe("mod+j");
});

it("takes a change back when the server does not take it", async () => {
  await loadShortcuts("ada");
  refuse = true;
  const change = setShortcut("run", "mod+j");
  expect(keysOf("run")).toBe("mod+j");
  await expect(change).rejects.toMatchObject({ status: 403 });
  expect(keysOf("run")).toBe("mod+enter");
  expect(localStorage.getItem(cacheKey) ?? "").not.toContain("mod+j");
});

it("does not write over what it has not read", async () => {
  stored = { shortcuts: { undo: ["mod+u"] } };
  refuse = true;
  await expect(loadShortcuts("ada")).rejects.toThrow();
  refuse = false;
  await setShortcut("run", "mod+j");
  expect(stored).toEqual({ shortcuts: { undo: ["mod+u"], run: ["mod+j"] } });
});

it("keeps changes of another version of the page", async () => {
  stored = { shortcuts: { somethingNew: ["x"] } };
  await loadShortcuts("ada");
  await setShortcut("run", null);
  expect(stored).toEqual({ shortcuts: { somethingNew: ["x"], run: [] } });
  expect(keysOf("run")).toBe("");
});

it("goes back to the first keys, one or all", async () => {
  await loadShortcuts("ada");
  await setShortcut("run", "mod+j");
  await setShortcut("redo", ["mod+u"]);
  await resetShortcut("run");
  expect(stored).toEqual({ shortcuts: { redo: ["mod+u"] } });
  await resetAll();
  expect(keysOf("redo")).toBe("mod+shift+z");
  expect(stored).toEqual({ shortcuts: {} });
});

it("names who has the keys already, where both would act, and moves them", async () => {
  await loadShortcuts("ada");
  expect(conflicts("fit", ["p"]).map((one) => one.id)).toEqual(["runNode"]);
  expect(conflicts("newFlow", ["p"])).toEqual([]);
  expect(conflicts("newFlow", ["?"]).map((one) => one.id)).toEqual(["shortcutSheet"]);
  await setShortcut("fit", "delete", ["delete"]);
  expect(keysOf("fit")).toBe("delete");
  expect(keysOf("delete")).toBe("backspace");
});

it("leaves typing alone, except for what works in a text", () => {
  const field = document.body.appendChild(document.createElement("textarea"));
  expect(matches(press("n", {}, field), "addNode")).toBe(false);
  expect(matches(press("z", { ctrlKey: true }, field), "undo")).toBe(false);
  expect(matches(press("s", { ctrlKey: true }, field), "saveVersion")).toBe(true);
  expect(matches(press("k", { ctrlKey: true }, field), "commandBar")).toBe(true);
  useShortcuts.setState({ overrides: { saveVersion: ["s"] } });
  expect(matches(press("s", {}, field), "saveVersion")).toBe(false);
  field.remove();
});

it("lets only keys in", () => {
  expect(saneOverrides({ run: ["Mod+J", 3, "shift"], undo: "x", redo: [], fit: [7] })).toEqual({
    run: ["mod+j"],
    redo: [],
  });
  expect(saneOverrides("nonsense")).toEqual({});
  expect(saneOverrides(null)).toEqual({});
});

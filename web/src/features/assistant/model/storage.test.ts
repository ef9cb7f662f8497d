import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KEYS } from "./protocol";
import { claim, isForeign, keep, keepLimit, keepSkipAll, keptHistoryLimit, keptIterationsLimit, keptSkipAll, readKept } from "./storage";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

it("keeps and forgets", () => {
  expect(keep("k", "v")).toBe(true);
  expect(readKept("k")).toBe("v");
  keep("k", null);
  expect(readKept("k")).toBeNull();
});

it.each(["TRUE", "1", "yes", "", "null", '"true"', " true"])("does not take %o for skip-all", (kept) => {
  localStorage.setItem(KEYS.skipAll, kept);
  expect(keptSkipAll()).toBe(false);
});

it("keeps skip-all as the one word that counts", () => {
  keepSkipAll(true);
  expect(localStorage.getItem("langflow-assistant-skip-all")).toBe("true");
  expect(keptSkipAll()).toBe(true);
  keepSkipAll(false);
  expect(keptSkipAll()).toBe(false);
});

it.each([
  ["0", 0, null],
  ["1", 1, 1],
  ["100", 100, 100],
  ["101", null, 101],
  ["200", null, 200],
  ["201", null, null],
  ["-1", null, null],
  ["1.5", null, null],
  ["ten", null, null],
  ["", null, null],
])("reads the limit %o", (kept, history, iterations) => {
  localStorage.setItem(KEYS.historyLimit, kept);
  localStorage.setItem(KEYS.iterationsLimit, kept);
  expect(keptHistoryLimit()).toBe(history);
  expect(keptIterationsLimit()).toBe(iterations);
});

it("forgets a limit that was taken back", () => {
  keepLimit("historyLimit", 5);
  expect(keptHistoryLimit()).toBe(5);
  keepLimit("historyLimit", null);
  expect(localStorage.getItem(KEYS.historyLimit)).toBeNull();
});

it("forgets what another person kept, and nothing of one's own", () => {
  const own = [KEYS.sessions, KEYS.inputHistory, KEYS.model, KEYS.skipAll, KEYS.historyLimit, KEYS.iterationsLimit];
  for (const key of own) keep(key, "something");
  keep(KEYS.panelSize, "large");
  expect(claim("anna")).toBe(false);
  expect(claim("anna")).toBe(false);
  expect(own.map(readKept)).toEqual(own.map(() => "something"));
  expect([isForeign(null), isForeign("anna"), isForeign("bert")]).toEqual([false, false, true]);
  expect(claim("bert")).toBe(true);
  expect(own.map(readKept)).toEqual(own.map(() => null));
  expect(readKept(KEYS.panelSize)).toBe("large");
  expect(readKept("langflow-assistant-owner")).toBe("bert");
});

it("goes on where the browser refuses", () => {
  const refuse = (): never => {
    throw new DOMException("denied", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
  expect(readKept("k")).toBeNull();
  expect(keep("k", "v")).toBe(false);
  expect(keep("k", null)).toBe(false);
  expect(claim("anna")).toBe(false);
  expect(isForeign("anna")).toBe(false);
  expect(keptSkipAll()).toBe(false);
  expect(keptHistoryLimit()).toBeNull();
});

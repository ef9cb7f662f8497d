import { beforeEach, expect, it, vi } from "vitest";
import { preferencesKey, setPreference, usePreferences } from "./preferences";

beforeEach(() => localStorage.clear());

it("takes only known values from the browser's store", async () => {
  localStorage.setItem(
    preferencesKey,
    JSON.stringify({ state: { theme: "dark", density: "huge", language: "xx", evil: 1 }, version: 0 }),
  );
  await usePreferences.persist.rehydrate();
  expect(usePreferences.getState()).toMatchObject({ theme: "dark", density: "comfortable", language: null });
  expect(usePreferences.getState()).not.toHaveProperty("evil");
});

it("has them from the first moment on", async () => {
  localStorage.setItem(preferencesKey, JSON.stringify({ state: { flowView: "list" }, version: 0 }));
  vi.resetModules();
  const fresh = await import("./preferences");
  expect(fresh.usePreferences.getState().flowView).toBe("list");
});

it("remembers what was chosen", () => {
  setPreference("flowView", "list");
  expect(localStorage.getItem(preferencesKey)).toContain('"flowView":"list"');
});

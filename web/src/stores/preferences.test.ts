import { beforeEach, expect, it } from "vitest";
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

it("remembers what was chosen", () => {
  setPreference("flowView", "list");
  expect(localStorage.getItem(preferencesKey)).toContain('"flowView":"list"');
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";

const put = vi.hoisted(() => vi.fn<(name: string, value: unknown) => Promise<void>>());
vi.mock("@/api/preferences", () => ({ preferencesQuery: { queryKey: ["preferences"] }, putPreference: put }));

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  localStorage.clear();
  put.mockReset().mockResolvedValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const load = () => import("./palette");

it("stars, remembers and sends both once", async () => {
  const { rememberAdded, toggleFavourite, usePalette } = await load();
  toggleFavourite("Agent");
  toggleFavourite("ChatInput");
  toggleFavourite("Agent");
  rememberAdded("Parser");
  rememberAdded("Agent");
  rememberAdded("Parser");
  expect(usePalette.getState()).toMatchObject({ favourites: ["ChatInput"], recent: ["Parser", "Agent"] });
  expect(put).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(put.mock.calls).toEqual([["palette", { favourites: ["ChatInput"], recent: ["Parser", "Agent"] }]]);
});

it("is as it was after a reload, and takes over what the server says", async () => {
  (await load()).toggleFavourite("Agent");
  vi.resetModules();
  vi.runAllTimers();
  const { adoptPalette, usePalette } = await load();
  expect(usePalette.getState().favourites).toEqual(["Agent"]);
  adoptPalette({ favourites: ["File", 3], recent: "nonsense" });
  expect(usePalette.getState()).toMatchObject({ favourites: ["File"], recent: [] });
});

it("does not lose a change to an answer that is older", async () => {
  const { adoptPalette, toggleFavourite, usePalette } = await load();
  toggleFavourite("Agent");
  adoptPalette({ favourites: [], recent: [] });
  expect(usePalette.getState().favourites).toEqual(["Agent"]);
});

it.each([
  ["nonsense in the storage", { getItem: () => "{oops", setItem: () => {} }],
  [
    "no storage",
    {
      getItem: () => {
        throw new DOMException("blocked", "SecurityError");
      },
      setItem: () => {
        throw new DOMException("blocked", "SecurityError");
      },
    },
  ],
])("works with %s", async (_, storage) => {
  vi.stubGlobal("localStorage", storage);
  const { fold, showKind, toggleFavourite, usePalette } = await load();
  toggleFavourite("Agent");
  showKind("legacy", true);
  fold("recent", true);
  expect(usePalette.getState()).toMatchObject({ favourites: ["Agent"], legacy: true, folded: ["recent"] });
});

import { afterEach, expect, it, vi } from "vitest";
import { isMissingPart, part } from "./part";

afterEach(() => vi.useRealTimers());

it("asks again until a part is there, and gives up after a while", async () => {
  vi.useFakeTimers();
  const late = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue("here");
  const got = part(late);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await got).toBe("here");
  expect(late).toHaveBeenCalledTimes(2);
  const never = vi.fn<() => Promise<string>>().mockRejectedValue(new Error("gone"));
  const failed = part(never).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await failed).toEqual(new Error("gone"));
});

it("knows what browsers say about a part that is missing", () => {
  expect(isMissingPart(new TypeError("Failed to fetch dynamically imported module: /a.js"))).toBe(true);
  expect(isMissingPart(new TypeError("error loading dynamically imported module: /a.js"))).toBe(true);
  expect(isMissingPart(new TypeError("Importing a module script failed."))).toBe(true);
  expect(isMissingPart(new TypeError("x is not a function"))).toBe(false);
  expect(isMissingPart("text")).toBe(false);
});

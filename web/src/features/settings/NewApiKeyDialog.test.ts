import { expect, it } from "vitest";
import { expiryOf } from "./NewApiKeyDialog";

const now = Date.parse("2026-11-15T12:00:00Z");

it("counts days from now", () => {
  expect(expiryOf("30", "", now)).toBe("2026-12-15T12:00:00.000Z");
});

it("ends at the end of the chosen day, or never", () => {
  expect(expiryOf("date", "2026-12-24", now)).toBe(new Date("2026-12-24T23:59:59").toISOString());
  expect(expiryOf("date", "", now)).toBeUndefined();
  expect(expiryOf("never", "", now)).toBeUndefined();
});

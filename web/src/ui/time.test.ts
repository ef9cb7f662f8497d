import { expect, it } from "vitest";
import { fileSize, relativeTime } from "./time";

const now = Date.parse("2026-11-15T12:00:00Z");

it.each([
  ["2026-11-15T11:59:50Z", "now"],
  ["2026-11-15T11:58:00Z", "2 minutes ago"],
  ["2026-11-15T09:00:00Z", "3 hours ago"],
  ["2026-11-14T11:00:00Z", "yesterday"],
  ["2026-12-15T12:00:00Z", "next month"],
  ["nonsense", "–"],
])("says %s as %s", (value, said) => {
  expect(relativeTime(value, now, "en")).toBe(said);
});

it("speaks other languages", () => {
  expect(relativeTime("2026-11-15T11:58:00Z", now, "pt")).toBe("há 2 minutos");
  expect(relativeTime("2026-11-15T11:58:00Z", now, "ko")).toBe("2분 전");
});

it.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [8123, "8.1 kB"],
  [2_340_123, "2.3 MB"],
  [7_000_000_000, "7 GB"],
])("says %d bytes as %s", (bytes, said) => {
  expect(fileSize(bytes, "en")).toBe(said);
});

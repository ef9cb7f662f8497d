import { describe, expect, it } from "vitest";
import { changedKept, type Kept, keptSessions, readKept, withKept } from "./keptMessages";

const kept = (id: string, timestamp: string, more: object = {}): Kept => ({ id, session_id: "s", timestamp, ...more });

describe("messages kept in a tab", () => {
  it("are read back, without what is none", () => {
    expect(readKept(JSON.stringify([kept("a", "1"), null, 3, { id: "b" }, "x"]))).toEqual([kept("a", "1")]);
    for (const nonsense of [null, "", "{", "{}", "7", "null"]) expect(readKept(nonsense)).toEqual([]);
  });

  it("are there once, in order, in their newest form", () => {
    const list = withKept([kept("a", "1"), kept("c", "3")], [kept("b", "2"), kept("c", "3", { text: "whole" })]);
    expect(list.map(({ id, text }) => [id, text])).toEqual([
      ["a", undefined],
      ["b", undefined],
      ["c", "whole"],
    ]);
  });

  it("name their sessions, the last used first", () => {
    expect(keptSessions([kept("a", "1"), kept("b", "2", { session_id: "t" }), kept("c", "3")])).toEqual(["s", "t"]);
  });

  it("are marked as edited only when their text changed", () => {
    const list = [kept("a", "1", { text: "Hi", properties: { state: "complete" } }), kept("b", "2")];
    expect(changedKept(list, "a", { properties: { positive_feedback: true } })[0]).toMatchObject({
      text: "Hi",
      properties: { state: "complete", positive_feedback: true },
    });
    expect(changedKept(list, "a", { text: "Hi" })[0]?.edit).toBeUndefined();
    expect(changedKept(list, "a", { text: "Ho" })[0]).toMatchObject({ text: "Ho", edit: true });
    expect(changedKept(list, "a", { text: "Ho" })[1]).toBe(list[1]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InputHistory, parseHistory, PRESENT, readHistory, type Recall, recall, rememberInput, withInput } from "./history";

const KEY = "langflow-assistant-input-history";

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

/** Walks and writes down what the input shows after each step; "-" where a step changes nothing. */
function walk(history: InputHistory, draft: string, steps: string): string[] {
  let where: Recall = PRESENT;
  let text = draft;
  return [...steps].map((step) => {
    const found = recall(history, where, step === "u" ? "older" : "newer", text);
    if (!found) return "-";
    where = found.recall;
    text = found.text;
    return text;
  });
}

describe("walking through what was sent", () => {
  it("begins with the newest", () => {
    expect(walk(["latest", "older", "oldest"], "", "u")).toEqual(["latest"]);
  });

  it("goes on to older ones and stays at the oldest", () => {
    expect(walk(["a", "b", "c"], "", "uuuuu")).toEqual(["a", "b", "c", "c", "c"]);
  });

  it("comes back to the draft once, and then does nothing", () => {
    expect(walk(["newest"], "my draft", "udd")).toEqual(["newest", "my draft", "-"]);
  });

  it("comes back the way it went", () => {
    expect(walk(["a", "b", "c"], "d", "uuuddd")).toEqual(["a", "b", "c", "b", "a", "d"]);
  });

  it("keeps the draft from where the walk began, not from where it turned", () => {
    expect(walk(["a", "b"], "mine", "uuddu")).toEqual(["a", "b", "a", "mine", "a"]);
  });

  it("does nothing without anything sent, and nothing forward from the present", () => {
    expect(walk([], "draft", "uud")).toEqual(["-", "-", "-"]);
    expect(walk(["a"], "draft", "d")).toEqual(["-"]);
  });

  it("survives a history that became shorter in another tab", () => {
    expect(recall([], { at: 4, draft: "d" }, "older", "x")).toBeNull();
    expect(recall(["a"], { at: 4, draft: "d" }, "newer", "x")).toBeNull();
    expect(recall(["a"], { at: 4, draft: "d" }, "older", "x")?.text).toBe("a");
  });
});

describe("what is remembered", () => {
  it("is trimmed, never empty, and not the same twice in a row", () => {
    expect(withInput(["a"], "  b \n")).toEqual(["b", "a"]);
    expect(withInput(["a"], " \n ")).toEqual(["a"]);
    expect(withInput(["a", "b"], "a ")).toEqual(["a", "b"]);
    expect(withInput(["a", "b"], "b")).toEqual(["b", "a", "b"]);
  });

  it("is ten texts at most, the oldest go", () => {
    let history: InputHistory = [];
    for (let turn = 0; turn < 14; turn += 1) history = withInput(history, `text ${turn}`);
    expect(history).toHaveLength(10);
    expect(history[0]).toBe("text 13");
    expect(history.at(-1)).toBe("text 4");
  });

  it("is kept for the next visit, newest first", () => {
    for (const text of ["hello", "hello", "world", "hello"]) rememberInput(text);
    expect(JSON.parse(localStorage.getItem(KEY) ?? "")).toEqual(["hello", "world", "hello"]);
    expect(readHistory()).toEqual(["hello", "world", "hello"]);
  });

  it.each(["", "{", "null", "7", '"text"', '{"0":"a"}', '["a",1]', '[["a"]]', "[null]"])("counts %s as nothing", (kept) => {
    expect(parseHistory(kept)).toEqual([]);
  });

  it("takes no more than ten from a list that somebody else made longer", () => {
    expect(parseHistory(JSON.stringify(Array.from({ length: 30 }, (_, index) => `${index}`)))).toHaveLength(10);
  });

  it("goes without a browser that keeps nothing", () => {
    const refuse = (): never => {
      throw new DOMException("no", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(() => rememberInput("hello")).not.toThrow();
    expect(readHistory()).toEqual([]);
  });
});

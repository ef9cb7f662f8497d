import { describe, expect, it } from "vitest";
import { chat } from "../fixtures/build";
import { counting, taken } from "../fixtures/components";
import { apply } from "./apply";
import type { FlowDocument } from "./document";
import type { Edit } from "./edits";
import {
  LIMITS,
  NO_HISTORY,
  redo,
  remember,
  restoreHistory,
  saveHistory,
  settle,
  undo,
  type History,
  type Limits,
} from "./history";

interface State {
  document: FlowDocument;
  history: History;
}

const START: State = { document: chat(), history: NO_HISTORY };

function act(state: State, edit: Edit, at = 0, limits?: Limits): State {
  const outcome = taken(apply(state.document, edit, counting()));
  return { document: outcome.document, history: remember(state.history, edit, outcome.patch, at, limits) };
}

function step(state: State, take: typeof undo): State {
  const stepped = take(state.history, state.document);
  if (!stepped?.ok) throw new Error("nothing to do");
  return { document: stepped.document, history: stepped.history };
}

const move = (x: number, y = 0): Edit => ({ op: "move", moves: [{ node: "Model-1", x, y }] });
const type = (text: string): Edit => ({ op: "configure", node: "Model-1", values: { system_message: text } });
const same = (a: FlowDocument, b: FlowDocument) => expect(JSON.stringify(a)).toBe(JSON.stringify(b));

describe("undo and redo", () => {
  it("walk back and forth", () => {
    const states = [START];
    const edits: Edit[] = [
      { op: "add", type: "Agent", x: 0, y: 0 },
      { op: "remove", node: "Model-1" },
      { op: "note", text: "Hi" },
      { op: "duplicate", nodes: ["ChatInput-1"], dx: 1, dy: 1 },
    ];
    for (const edit of edits) states.push(act(states.at(-1) ?? START, edit));
    let now = states.at(-1) ?? START;
    for (const state of states.slice(0, -1).toReversed()) {
      now = step(now, undo);
      same(now.document, state.document);
    }
    expect(undo(now.history, now.document)).toBeNull();
    for (const state of states.slice(1)) {
      now = step(now, redo);
      // The same ids again, though the source of ids has moved on.
      same(now.document, state.document);
    }
    expect(redo(now.history, now.document)).toBeNull();
  });

  it("forget what was undone once something new is done", () => {
    const undone = step(act(START, move(1)), undo);
    expect(act(undone, type("x")).history.undone).toEqual([]);
  });

  it("join a drag and a word, but not across a pause, a letting go or an undo", () => {
    let state = START;
    for (let x = 1; x <= 20; x += 1) state = act(state, move(x, x), x * 16);
    expect(state.history.done).toHaveLength(1);
    expect(state.history.done[0]?.patch.changes).toHaveLength(2);
    for (const [index, text] of ["h", "he", "hel"].entries())
      state = act(state, type(text), 400 + index * 100);
    expect(state.history.done.map(({ op }) => op)).toEqual(["move", "configure"]);
    state = act(state, type("help"), 600 + LIMITS.pause + 1);
    expect(state.history.done).toHaveLength(3);
    state = { ...state, history: settle(state.history) };
    state = act(state, type("help!"), 600 + LIMITS.pause + 2);
    expect(state.history.done).toHaveLength(4);
    expect(settle(NO_HISTORY)).toBe(NO_HISTORY);
    state = act(step(state, undo), type("help?"), 600 + LIMITS.pause + 3);
    expect(state.history.done).toHaveLength(4);
    for (let left = 4; left > 0; left -= 1) state = step(state, undo);
    same(state.document, START.document);
  });

  it("join only what belongs together", () => {
    const other: Edit = { op: "move", moves: [{ node: "ChatInput-1", x: 9, y: 9 }] };
    expect(act(act(START, move(1)), other).history.done).toHaveLength(2);
    expect(
      act(act(START, type("a")), { op: "configure", node: "Model-1", values: { input_value: "b" } }).history
        .done,
    ).toHaveLength(2);
    const note = (text: string): Edit => ({ op: "note", node: "note-1", text });
    expect(act(act(START, note("a")), note("ab")).history.done).toHaveLength(1);
    expect(act(act(START, { op: "note", text: "a" }), { op: "note", text: "a" }).history.done).toHaveLength(
      2,
    );
    const rename = (name: string): Edit => ({ op: "rename", node: "Model-1", name });
    expect(act(act(START, rename("a")), rename("ab")).history.done).toHaveLength(1);
    const resize = (width: number): Edit => ({ op: "resize", node: "note-1", width, height: 300 });
    expect(act(act(START, resize(400)), resize(500)).history.done).toHaveLength(1);
  });

  it("write nothing down for nothing", () => {
    expect(act(START, move(480)).history).toBe(NO_HISTORY);
    const there = act(act(START, move(1)), move(480));
    same(there.document, START.document);
    expect(there.history.done).toEqual([]);
  });

  it("keep as many steps as allowed", () => {
    let state = START;
    const limits = { ...LIMITS, steps: 3 };
    for (let count = 0; count < 5; count += 1)
      state = act(state, { op: "note", text: String(count) }, 0, limits);
    expect(state.history.done).toHaveLength(3);
  });

  it("drop a step that no longer fits, and leave the document alone", () => {
    const state = act(START, type("mine"));
    const theirs = taken(apply(state.document, { op: "remove", node: "Model-1" })).document;
    expect(undo(state.history, theirs)).toMatchObject({
      ok: false,
      history: NO_HISTORY,
      refusal: { code: "node_gone" },
    });
    const undone = step(state, undo);
    expect(redo(undone.history, theirs)).toMatchObject({
      ok: false,
      history: NO_HISTORY,
      refusal: { code: "node_gone" },
    });
  });
});

describe("a reload", () => {
  it("keeps the history of the same document", () => {
    const state = step(act(act(START, type("a")), { op: "remove", node: "Model-1" }), undo);
    const document = JSON.parse(JSON.stringify(state.document)) as FlowDocument;
    const history = restoreHistory(saveHistory(state.history, "flow@6"), "flow@6");
    expect(history).toEqual(state.history);
    same(step(step({ document, history }, redo), undo).document, state.document);
    same(step({ document, history }, undo).document, START.document);
  });

  it("keeps the newest steps when there are too many", () => {
    let state = START;
    for (let count = 0; count < 30; count += 1) state = act(state, { op: "note", text: "x".repeat(500) });
    const text = saveHistory(state.history, "f", { ...LIMITS, letters: 5000 });
    expect(text.length).toBeLessThan(5200);
    const { done } = restoreHistory(text, "f");
    expect(done.length).toBeGreaterThan(2);
    expect(done).toEqual(state.history.done.slice(-done.length));
  });

  it.each([
    null,
    "",
    "{",
    "null",
    "[]",
    '{"form":1,"of":"other","done":[],"undone":[]}',
    '{"form":2,"of":"f","done":[],"undone":[]}',
    '{"form":1,"of":"f","done":[1],"undone":[]}',
    '{"form":1,"of":"f","done":[{"op":"move","at":0,"key":null,"patch":{"changes":[{"change":"set"}]}}],"undone":[]}',
    '{"form":1,"of":"f","done":[{"op":"move","at":0,"key":null,"patch":{"changes":[{"change":"x","index":0,"item":{}}]}}],"undone":[]}',
  ])("starts anew with %s", (text) => {
    expect(restoreHistory(text, "f")).toEqual(NO_HISTORY);
  });
});

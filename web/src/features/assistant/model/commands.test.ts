import { expect, it } from "vitest";
import { type Command, readCommand } from "./commands";
import { talk, texts } from "./fixtures/talk";

it.each<[string, Command | null]>([
  ["/skip-all", { kind: "skipAll" }],
  ["  /skip-all\n", { kind: "skipAll" }],
  ["/skip-all please", null],
  ["/Skip-All", null],
  ["please /skip-all", null],
  ["/history", { kind: "history", limit: undefined }],
  ["/history 0", { kind: "history", limit: 0 }],
  ["/history   7 ", { kind: "history", limit: 7 }],
  ["/history 100", { kind: "history", limit: 100 }],
  ["/history 101", { kind: "usage", command: "history" }],
  ["/history -1", { kind: "usage", command: "history" }],
  ["/history 1.5", { kind: "usage", command: "history" }],
  ["/history 1e1", { kind: "usage", command: "history" }],
  ["/history 99999999999", { kind: "usage", command: "history" }],
  ["/history many", { kind: "usage", command: "history" }],
  ["/history 5 6", { kind: "usage", command: "history" }],
  ["/history off", { kind: "history", limit: 0 }],
  ["/history OFF", { kind: "history", limit: 0 }],
  ["/history all", { kind: "history", limit: 100 }],
  ["/history clear", { kind: "history", limit: null }],
  ["/history default", { kind: "usage", command: "history" }],
  ["/historyx", null],
  ["/history5", null],
  ["tell me about /history", null],
  ["/iterations", { kind: "iterations", limit: undefined }],
  ["/iterations 1", { kind: "iterations", limit: 1 }],
  ["/iterations 200", { kind: "iterations", limit: 200 }],
  ["/iterations 0", { kind: "usage", command: "iterations" }],
  ["/iterations 201", { kind: "usage", command: "iterations" }],
  ["/iterations off", { kind: "iterations", limit: null }],
  ["/iterations default", { kind: "iterations", limit: null }],
  ["/iterations reset", { kind: "iterations", limit: null }],
  ["/iterations all", { kind: "usage", command: "iterations" }],
  ["/unknown", null],
  ["/", null],
  ["", null],
])("reads %o", (text, command) => {
  expect(readCommand(text)).toEqual(command);
});

it("toggles skip-all without asking anybody, and says so", () => {
  const chat = talk().send("/skip-all");
  expect(chat.state.skipAll).toBe(true);
  expect(chat.state.turn).toBeNull();
  expect(chat.state.messages).toEqual([
    { id: "p1", role: "user", text: "/skip-all", at: 101 },
    { id: "a1", role: "local", note: { kind: "skipAll", on: true }, at: 101 },
  ]);
  expect(chat.effects).toEqual([
    { do: "remember", text: "/skip-all" },
    { do: "keep", what: "skipAll" },
    { do: "count", name: "assistant_skip_all_toggle_total" },
    { do: "keep", what: "session" },
  ]);
  expect(chat.send("/skip-all").state.skipAll).toBe(false);
});

it("sends what only looks like a command", () => {
  const chat = talk().send("/skip-all please");
  expect(chat.state.skipAll).toBe(false);
  expect(chat.of("stream")[0]?.request.input).toBe("/skip-all please");
});

it("sets limits, tells them, and sends them along", () => {
  const chat = talk().send("/history 3").send("/iterations 50");
  expect(chat.effects).toContainEqual({ do: "keep", what: "iterationsLimit" });
  expect(chat.state).toMatchObject({ historyLimit: 3, iterationsLimit: 50 });
  chat.send("/history");
  expect(chat.of("keep")).toEqual([{ do: "keep", what: "session" }]);
  expect(chat.state.messages.at(-1)).toMatchObject({ note: { kind: "history", limit: 3 } });
  expect(chat.send("hello").of("stream")[0]?.request).toMatchObject({ historyLimit: 3, iterationsLimit: 50 });
  chat.send("/history clear").send("/iterations reset");
  expect(chat.state).toMatchObject({ historyLimit: null, iterationsLimit: null });
});

it("explains a bad argument and changes nothing", () => {
  const chat = talk({}).send("/history 5").send("/history lots");
  expect(chat.state.historyLimit).toBe(5);
  expect(chat.of("stream")).toEqual([]);
  expect(chat.state.messages.at(-1)).toMatchObject({ note: { kind: "usage", command: "history" } });
});

it("leaves an answer under way, and what waits for a word, alone", () => {
  const chat = talk().send("build");
  chat.update({ action: "propose_plan", markdown: "M" }).plan("a1", "dismiss");
  const { turn, refining } = chat.state;
  chat.send("/skip-all");
  expect(chat.state.turn).toBe(turn);
  expect(chat.state.refining).toBe(refining);
  expect(texts(chat.state.messages)).toEqual([
    "user: build",
    "assistant: streaming",
    "user: /skip-all",
    "local: skipAll",
  ]);
});

import { describe, expect, it } from "vitest";
import {
  type ChatRun,
  newRun,
  parseRunEvent,
  problemsBeside,
  reduceRun,
  threadOf,
  unfinishedOf,
} from "./chatRun";
import { parseMessages } from "./messages";

type Told = [name: string, data?: unknown];

function message(id: string, text: string, more: object = {}): object {
  return { id, run_id: "r", sender: "Machine", sender_name: "AI", text, properties: { state: "partial" }, ...more };
}

const question = { id: "q", run_id: "r", sender: "User", text: "Hi" };
const failure = (reason: string): object => ({
  id: `error ${reason}`,
  content_blocks: [{ contents: [{ type: "error", component: "Model", reason, solution: "Do this." }] }],
});

function run(...events: Told[]): ChatRun {
  return events.reduce<ChatRun>(
    (state, [name, data], index) => reduceRun(state, { id: String(index + 1), name, data: data ?? {} }),
    newRun(0, { text: "Hi", files: [] }),
  );
}

const texts = (state: ChatRun, loaded: object[] = []): string[] =>
  threadOf(parseMessages(loaded), state).map((item) => `${item.id}: ${item.text}`);

describe("a run's events", () => {
  it("become an answer that grows token by token", () => {
    const begun: Told[] = [
      ["vertices_sorted"],
      ["add_message", question],
      ["add_message", message("a", "")],
      ["token", { id: "a", chunk: "Hel" }],
      ["token", { id: "a", chunk: "lo" }],
    ];
    expect(texts(run(...begun))).toEqual(["q: Hi", "a: Hello"]);
    const ended = run(...begun, ["add_message", message("a", "Hello.", { properties: {} })], ["end"]);
    expect(texts(ended)).toEqual(["q: Hi", "a: Hello."]);
    expect(ended).toMatchObject({ phase: "over", outcome: "completed", lastEvent: "7" });
  });

  it("take the waiting message away once the server has it", () => {
    expect(run().pending).toEqual({ text: "Hi", files: [] });
    expect(run(["add_message", message("a", "")]).pending).not.toBeNull();
    expect(run(["add_message", question]).pending).toBeNull();
    expect(run(["end"]).pending).toBeNull();
  });

  it("leave other messages as they are, so that only one is drawn again", () => {
    const before = run(["add_message", question], ["add_message", message("a", "")]);
    const after = reduceRun(before, { id: "3", name: "token", data: { id: "a", chunk: "x" } });
    expect(after.messages[0]).toBe(before.messages[0]);
    expect(after.messages[1]).not.toBe(before.messages[1]);
  });

  it("may be told again from the beginning without doubling anything", () => {
    const told: Told[] = [
      ["add_message", question],
      ["add_message", message("a", "")],
      ["token", { id: "a", chunk: "Hello" }],
    ];
    expect(texts(run(...told, ...told))).toEqual(["q: Hi", "a: Hello"]);
  });

  it("remove a message", () => {
    const state = run(["add_message", message("a", "x")], ["remove_message", { id: "a" }]);
    expect(texts(state, [message("a", "x"), message("b", "y")])).toEqual(["b: y"]);
  });

  it("end as failed with the reasons", () => {
    const state = run(["error", failure("no key")], ["end"]);
    expect(state).toMatchObject({ outcome: "failed", problems: [{ reason: "no key", solution: "Do this." }] });
  });

  it("end as stopped without a reproach, and keep what had come", () => {
    const state = run(
      ["add_message", message("a", "Hel")],
      ["error", failure("the run was stopped")],
      ["cancelled", { job_id: "r" }],
    );
    expect(state).toMatchObject({ outcome: "stopped", problems: [] });
    expect(texts(state)).toEqual(["a: Hel"]);
  });

  it("ask a person, until the node goes on", () => {
    const asked: Told = [
      "human_input_required",
      {
        request_id: "1",
        component_id: "Ask-1",
        component_display_name: "Ask",
        prompt: "May I?",
        options: [{ id: "yes", label: "Yes" }, { id: "no" }, {}],
      },
    ];
    expect(run(asked).questions).toMatchObject([
      {
        requestId: "1",
        node: "Ask-1",
        component: "Ask",
        prompt: "May I?",
        options: [
          { id: "yes", label: "Yes" },
          { id: "no", label: "no" },
        ],
      },
    ]);
    expect(run(asked, ["end_vertex", { build_data: { id: "Other-1" } }]).questions).toHaveLength(1);
    expect(run(asked, ["end_vertex", { build_data: { id: "Ask-1" } }]).questions).toEqual([]);
    expect(run(asked, ["end"]).questions).toEqual([]);
  });

  it("may be unknown or damaged", () => {
    expect(texts(run(["add_message", null], ["token", "?"], ["error", 3], ["new_thing", []]))).toEqual([]);
    expect(parseRunEvent({ id: "1", data: "{" })).toBeNull();
    expect(parseRunEvent({ id: "1", data: "[]" })).toBeNull();
    expect(parseRunEvent({ id: "1", data: '{"event":"end","data":{}}' })).toEqual({ id: "1", name: "end", data: {} });
  });
});

describe("the conversation", () => {
  it("has each message once, whether loaded, told, or both", () => {
    const state = run(["add_message", question], ["add_message", message("a", "new")]);
    expect(texts(state, [message("z", "old"), question, message("a", "ol")])).toEqual([
      "z: old",
      "q: Hi",
      "a: new",
    ]);
  });

  it("keeps what the stream told of an answer that the server has only in part", () => {
    const state = run(["add_message", message("a", "Hello")], ["add_message", message("b", "whole")]);
    const loaded = parseMessages([message("a", ""), message("b", "whole", { properties: { state: "complete" } })]);
    expect(unfinishedOf(loaded, state).map((item) => item.text)).toEqual(["Hello"]);
  });

  it("tells a problem once", () => {
    const state = run(["error", failure("no key")], ["error", failure("no key")], ["error", failure("no disk")]);
    const reasons = (loaded: object[]) =>
      problemsBeside(state, parseMessages(loaded)).map((problem) => problem.reason);
    expect(reasons([])).toEqual(["no key", "no disk"]);
    expect(reasons([message("a", "", { content_blocks: [{ type: "error", reason: "no key" }] })])).toEqual(["no disk"]);
  });
});

it("does not show a question twice that is asked again in the same words", () => {
  const loaded = [{ id: "old q", sender: "User", text: "Hi" }, message("old a", "Hello")];
  const again = [["add_message", question], ["add_message", message("a", "Hello again")]].reduce<ChatRun>(
    (state, [name, data]) => reduceRun(state, { id: null, name: name as string, data }),
    { ...newRun(0, null, { ids: ["old q", "old a"], sameQuestion: true }), jobId: "r" },
  );
  expect(texts(again, loaded)).toEqual(["old q: Hi", "old a: Hello", "a: Hello again"]);
  expect(texts({ ...again, replaces: null }, loaded)).toHaveLength(4);
});

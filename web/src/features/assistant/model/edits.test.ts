import { describe, expect, it } from "vitest";
import { complete, editField, MODEL, proposePlan, removeNode, setFlow, talk, type Talk, texts, token } from "./fixtures/talk";
import { EDIT_CONTINUATION_INPUT } from "./protocol";

const statuses = (chat: Talk, id = "a1"): string[] => chat.answer(id).edits.map((edit) => edit.status);

const two = (): Talk => talk().send("change it").update(editField("e1")).update(editField("e2"));
const waits = (continuation_expected: boolean): Talk =>
  two().hear(complete({ result: "Look.", pending_edits: ["e1", "e2"], continuation_expected }));

describe("edits", () => {
  it("wait for the person and change nothing yet", () => {
    const chat = two();
    expect(chat.effects).toEqual([]);
    expect(chat.answer("a1").edits[0]).toEqual({
      id: "e1",
      componentId: "Agent-1",
      componentType: "Agent",
      field: "field_e1",
      oldValue: "old",
      newValue: "new e1",
      description: "",
      status: "pending",
    });
    expect(chat.answer("a1").tasks).toEqual([]);
  });

  it("told twice are one", () => {
    expect(statuses(two().update(editField("e1")))).toEqual(["pending", "pending"]);
    const decided = two().edit("a1", "e1", "dismiss").update(editField("e1"));
    expect(statuses(decided)).toEqual(["dismissed", "pending"]);
  });

  it("for the same field give way to the newer one", () => {
    const chat = talk().send("x").update(editField("e1", "A", "model")).update(editField("e2", "A", "model"));
    expect(statuses(chat)).toEqual(["withdrawn", "pending"]);
  });

  it("that the assistant took back are withdrawn at the end", () => {
    expect(statuses(two().hear(complete({ pending_edits: ["e2"] })))).toEqual(["withdrawn", "pending"]);
    expect(statuses(two().hear(complete({ pending_edits: [] })))).toEqual(["withdrawn", "withdrawn"]);
    expect(statuses(two().hear(complete()))).toEqual(["pending", "pending"]);
    const taken = two().edit("a1", "e1", "accept").hear(complete({ pending_edits: [] }));
    expect(statuses(taken)).toEqual(["applied", "withdrawn"]);
  });

  it("of a node or a flow that goes are withdrawn at once", () => {
    const chat = two().update(editField("e3", "Other-1")).update(removeNode("Agent-1"));
    expect(statuses(chat)).toEqual(["withdrawn", "withdrawn", "pending"]);
    expect(statuses(two().update(setFlow("New")))).toEqual(["withdrawn", "withdrawn"]);
    expect(statuses(two().update(setFlow("New", true)))).toEqual(["withdrawn", "withdrawn"]);
  });

  it("are taken one by one, or all", () => {
    const chat = waits(false).edit("a1", "e1", "accept");
    expect(chat.of("applyEdit")).toMatchObject([{ message: "a1", edit: { id: "e1", status: "applied" } }]);
    expect(statuses(chat)).toEqual(["applied", "pending"]);
    expect(chat.edit("a1", "e1", "accept").effects).toEqual([]);
    expect(chat.edit("a1", "e1", "dismiss").effects).toEqual([]);
    expect(chat.edit("a1", "none", "accept").effects).toEqual([]);
    const all = waits(false).edit("a1", "all", "accept");
    expect(all.of("applyEdit").map(({ edit }) => edit.id)).toEqual(["e1", "e2"]);
    expect(waits(false).edit("a1", "all", "dismiss").of("applyEdit")).toEqual([]);
  });

  it("that the canvas cannot take are failed", () => {
    const chat = waits(false).edit("a1", "e1", "accept").do({ type: "editFailed", message: "a1", edit: "e1" });
    expect(statuses(chat)).toEqual(["failed", "pending"]);
    const { state } = chat;
    expect(chat.do({ type: "editFailed", message: "a1", edit: "e2" }).state).toBe(state);
  });

  it("that still wait are left behind by the next thing that is asked", () => {
    const chat = waits(true).edit("a1", "e1", "accept").send("something else");
    expect(statuses(chat)).toEqual(["applied", "dismissed"]);
    expect(chat.edit("a1", "all", "accept").effects).toEqual([]);
  });

  it("stay usable when the stream fails", () => {
    const chat = two().hear({ event: "error", message: "no" }).edit("a1", "all", "accept");
    expect(chat.of("applyEdit")).toHaveLength(2);
    expect(chat.of("stream")).toEqual([]);
  });
});

describe("the continuation", () => {
  it("goes on in the same answer once all is decided", () => {
    const chat = waits(true).edit("a1", "e1", "accept");
    expect(chat.of("stream")).toEqual([]);
    chat.edit("a1", "e2", "accept");
    expect(chat.effects.map((effect) => effect.do)).toEqual(["applyEdit", "stream", "keep"]);
    expect(chat.of("stream")[0]).toMatchObject({ request: { input: EDIT_CONTINUATION_INPUT, model: MODEL } });
    expect(texts(chat.state.messages)).toEqual(["user: change it", "assistant: streaming"]);
    chat.hear(token("It "), token("ran."));
    expect(chat.answer("a1").content).toBe("Look.\n\nIt ran.");
    chat.hear(complete({ result: "It ran well.", continuation_expected: true }));
    expect(chat.answer("a1")).toMatchObject({
      status: "complete",
      content: "Look.\n\nIt ran well.",
      continued: true,
      ending: { usage: { total_tokens: 30 }, duration_seconds: 3 },
    });
    expect(chat.state.turn).toBeNull();
  });

  it("is sent once, whatever comes", () => {
    const chat = waits(true).edit("a1", "all", "accept");
    chat.update(editField("e9")).hear(complete({ continuation_expected: true, pending_edits: ["e9"] }));
    expect(chat.edit("a1", "e9", "accept").of("stream")).toEqual([]);
    expect(statuses(chat)).toEqual(["applied", "applied", "applied"]);
  });

  it("comes also when the last one was dismissed, but not when all were", () => {
    expect(waits(true).edit("a1", "e1", "accept").edit("a1", "e2", "dismiss").of("stream")).toHaveLength(1);
    expect(waits(true).edit("a1", "all", "dismiss").of("stream")).toEqual([]);
  });

  it("does not come when nothing was left to do", () => {
    const chat = waits(false).edit("a1", "all", "accept");
    expect(chat.of("stream")).toEqual([]);
    expect(chat.of("keep")).toHaveLength(1);
    expect(two().hear(complete()).edit("a1", "all", "accept").of("stream")).toEqual([]);
  });

  it("waits for the end of the stream in which the edits were taken", () => {
    const chat = two().edit("a1", "all", "accept");
    expect(chat.of("stream")).toEqual([]);
    chat.hear(complete({ result: "Look.", continuation_expected: true, pending_edits: ["e1", "e2"] }));
    expect(chat.of("stream")).toMatchObject([{ turn: "t1+", request: { input: EDIT_CONTINUATION_INPUT } }]);
    expect(chat.state.turn).toMatchObject({ id: "t1+", message: "a1" });
  });

  it("is taken back when no edit could be applied after all", () => {
    const chat = talk().send("x").update(editField("e1"));
    chat.hear(complete({ result: "Look.", continuation_expected: true })).edit("a1", "e1", "accept");
    const turn = chat.state.turn?.id;
    chat.do({ type: "editFailed", message: "a1", edit: "e1" });
    expect(chat.of("abort")).toEqual([{ do: "abort", turn }]);
    expect(chat.answer("a1")).toMatchObject({ status: "complete", content: "Look." });
    expect(chat.state.turn).toBeNull();
    const one = waits(true).edit("a1", "all", "accept").do({ type: "editFailed", message: "a1", edit: "e1" });
    expect(one.of("abort")).toEqual([]);
    expect(one.state.turn).not.toBeNull();
  });

  it("that fails or is stopped leaves what was said", () => {
    const failed = waits(true).edit("a1", "all", "accept").hear({ event: "error", message: "no" });
    expect(failed.answer("a1")).toMatchObject({ status: "error", content: "Look.", ending: { duration_seconds: 1.5 } });
    const stopped = waits(true).edit("a1", "all", "accept").hear(token("It")).do({ type: "stop" });
    expect(stopped.answer("a1")).toMatchObject({ status: "cancelled", content: "Look.\n\nIt" });
    const retried = waits(true).edit("a1", "all", "accept");
    retried.hear(token("x"), { event: "progress", step: "retrying", attempt: 2, max_attempts: 2 });
    expect(retried.answer("a1").content).toBe("Look.\n\n");
  });

  it("comes before the approval of a plan of the same answer", () => {
    const chat = two().update(proposePlan("M")).edit("a1", "all", "accept").plan("a1", "approve");
    chat.hear(complete({ continuation_expected: true }));
    expect(chat.of("stream")).toMatchObject([{ turn: "t1+" }]);
    chat.hear(complete());
    expect(chat.of("stream")).toMatchObject([{ request: { input: "User approved the plan. Proceed with the build." } }]);
  });
});

describe("skip-all", () => {
  it("takes the edits that still make sense at the end, and goes on", () => {
    const chat = talk({ skipAll: true }).send("x").update(editField("e1")).update(editField("e2"));
    expect(chat.effects).toEqual([]);
    chat.hear(complete({ pending_edits: ["e2"], continuation_expected: true }));
    expect(chat.of("applyEdit").map(({ edit }) => edit.id)).toEqual(["e2"]);
    expect(statuses(chat)).toEqual(["withdrawn", "applied"]);
    expect(chat.of("stream")).toMatchObject([{ turn: "t1+", request: { input: EDIT_CONTINUATION_INPUT } }]);
    expect(chat.hear(complete()).of("stream")).toEqual([]);
    expect(texts(chat.state.messages)).toEqual(["user: x", "assistant: complete"]);
  });

  it("leaves them to the person when the stream fails", () => {
    const chat = talk({ skipAll: true }).send("x").update(editField("e1")).hear({ event: "error", message: "no" });
    expect(statuses(chat)).toEqual(["pending"]);
  });
});

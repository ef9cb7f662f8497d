import { describe, expect, it } from "vitest";
import { addNode, complete, completed, MODEL, progress, proposePlan, setFlow, talk, texts, token, toolStart } from "./fixtures/talk";
import { newAnswer } from "./messages";
import { CONNECTION_ENDED } from "./protocol";
import { reduce } from "./reduce";
import type { Message } from "./types";

describe("asking", () => {
  it("shows what was said and opens a stream", () => {
    const chat = talk({ historyLimit: null }).send("  Build a chatbot\n", "Agent-1");
    expect(chat.state.messages).toEqual([
      { id: "p1", role: "user", text: "Build a chatbot", at: 101 },
      newAnswer("a1", 101),
    ]);
    expect(chat.effects).toEqual([
      { do: "remember", text: "Build a chatbot" },
      {
        do: "stream",
        turn: "t1",
        request: {
          input: "Build a chatbot",
          sessionId: "agentic_one",
          model: MODEL,
          historyLimit: null,
          iterationsLimit: null,
          component: { id: "Agent-1", field: null },
        },
      },
      { do: "keep", what: "session" },
    ]);
    expect(chat.state.turn).toMatchObject({ id: "t1", message: "a1" });
  });

  it("ignores an empty text", () => {
    const chat = talk();
    const { state } = chat;
    expect(chat.send(" \n\t").state).toBe(state);
    expect(chat.effects).toEqual([]);
  });

  it("gives up the answer that is under way", () => {
    const chat = talk().send("one").hear(token("Half"), toolStart("x")).send("two");
    expect(chat.effects[1]).toEqual({ do: "abort", turn: "t1" });
    expect(texts(chat.state.messages)).toEqual([
      "user: one",
      "assistant: cancelled",
      "user: two",
      "assistant: streaming",
    ]);
    expect(chat.answer("a1")).toMatchObject({ content: "Half", working: null });
  });

  it("hears the same action once", () => {
    const chat = talk();
    const action = {
      type: "send" as const,
      text: "hi",
      model: null,
      selected: null,
      ids: { person: "p", answer: "a", turn: "t" },
      at: 1,
    };
    const { state } = chat.do(action);
    expect(chat.do(action).state).toBe(state);
    expect(chat.of("stream")).toEqual([]);
    expect(chat.of("warn")).toHaveLength(1);
    chat.do({ ...action, ids: { person: "x", answer: "x", turn: "y" } });
    expect(chat.state).toBe(state);
    chat.do({ ...action, text: "/history", ids: { person: "p", answer: "y", turn: "y" } });
    expect(chat.state).toBe(state);
  });
});

describe("an open stream", () => {
  it("adds words to the answer, and touches nothing else", () => {
    const messages: Message[] = Array.from({ length: 200 }, (_, index) => newAnswer(`old${index}`, 1));
    const chat = talk();
    chat.state = { ...chat.state, messages: messages.map((message) => ({ ...message, status: "complete" })) as Message[] };
    chat.send("hi").hear(toolStart("look", "Agent-1"));
    const before = chat.state;
    const task = chat.answer("a1").tasks;
    chat.hear(token("He"), token("llo"));
    expect(chat.answer("a1").content).toBe("Hello");
    expect(chat.answer("a1").tasks).toBe(task);
    before.messages.forEach((message, index) => {
      if (message.id !== "a1") expect(chat.state.messages[index]).toBe(message);
    });
    expect(chat.state.turn).toBe(before.turn);
  });

  it("costs the same for each word, however long the talk is", () => {
    const chat = talk().send("hi");
    let copies = 0;
    const proxy = new Proxy(chat.answer("a1"), {
      ownKeys: (target) => {
        copies += 1;
        return Reflect.ownKeys(target);
      },
    });
    const old = Array.from({ length: 200 }, (_, index) => new Proxy(newAnswer(`old${index}`, 1), {
      ownKeys: () => {
        throw new Error("an old message was copied");
      },
    }));
    chat.state = { ...chat.state, messages: [...old, proxy] };
    chat.hear(token("x"));
    expect(copies).toBe(1);
  });

  it("goes through steps", () => {
    const chat = talk().send("component");
    chat.hear(
      progress("generating_component", { message: "Writing" }),
      token("Here is"),
      progress("extracting_code", { component_code: "class A", class_name: "A" }),
      progress("validating"),
      progress("validation_failed", { error: "no" }),
    );
    expect(chat.answer("a1")).toMatchObject({
      done: ["generating_component", "extracting_code", "validating"],
      progress: { step: "validation_failed", error: "no", code: "class A", className: "A", message: null },
      content: "Here is",
    });
    chat.hear(progress("retrying", { attempt: 2 }), progress("retrying", { attempt: 2 }));
    expect(chat.answer("a1")).toMatchObject({
      content: "",
      done: ["generating_component", "extracting_code", "validating", "validation_failed"],
      progress: { step: "retrying", attempt: 2, maxAttempts: 3, code: "class A", error: "no" },
    });
    // Why there is another attempt is seen until that one is looked at.
    chat.hear(progress("generating_component", { attempt: 2 }));
    expect(chat.answer("a1").progress).toMatchObject({ step: "generating_component", error: "no" });
    chat.hear(progress("validating"));
    expect(chat.answer("a1").progress?.error).toBeNull();
    chat.hear(complete());
    expect(chat.answer("a1").done).toEqual([
      "generating_component",
      "extracting_code",
      "validating",
      "validation_failed",
      "retrying",
    ]);
    expect(chat.answer("a1").progress).toBeNull();
  });

  it("shows the tool at work until something else comes", () => {
    const chat = talk().send("hi");
    const start = {
      ...toolStart("connect_components"),
      component_id: "A-1",
      source_id: "A-1",
      target_id: "B-1",
      field: "input",
    } as ReturnType<typeof toolStart>;
    chat.hear(start);
    const at = { tool: "connect_components", nodes: ["A-1", "B-1"], field: "input", componentType: null };
    expect(chat.answer("a1").working).toMatchObject(at);
    expect(chat.hear(token("x"), progress("building_flow")).answer("a1").working).toMatchObject(at);
    expect(chat.hear(toolStart("other")).answer("a1").working?.tool).toBe("other");
    expect(chat.update(addNode("a")).answer("a1").working).toBeNull();
    chat.hear(toolStart("write_file"));
    chat.hear({ event: "file_written", action: "write_file", path: "a.md", size: 1, content: "a" });
    expect(chat.answer("a1").working).toBeNull();
    chat.hear(toolStart("run_flow"), complete());
    expect(chat.answer("a1").working).toBeNull();
  });

  it("keeps a flow to look at and never applies it", () => {
    const chat = talk().send("hi");
    chat.hear({ event: "flow_preview", flow: { data: {} }, name: "N", node_count: 2, edge_count: 1, graph: "" });
    expect(chat.answer("a1").preview).toEqual({ name: "N", nodes: 2, edges: 1, flow: { data: {} } });
    expect(chat.effects).toEqual([]);
  });

  it("has one card for each file", () => {
    const chat = talk().send("document it");
    chat.hear(
      { event: "file_written", action: "write_file", path: "a.md", size: 3, content: "abc" },
      { event: "file_written", action: "write_file", path: "b.md", size: 1, content: "b" },
      { event: "file_written", action: "edit_file", path: "a.md", size: 4 },
      complete(),
    );
    expect(chat.answer("a1").files).toEqual([
      { path: "a.md", size: 4, content: null, action: "edit_file" },
      { path: "b.md", size: 1, content: "b", action: "write_file" },
    ]);
    chat.do({ type: "fileRead", message: "a1", path: "a.md", content: "abcd" });
    expect(chat.answer("a1").files[0]?.content).toBe("abcd");
    const { state } = chat;
    expect(chat.do({ type: "fileRead", message: "a1", path: "c.md", content: "x" }).state).toBe(state);
    expect(chat.do({ type: "fileRead", message: "p1", path: "a.md", content: "x" }).state).toBe(state);
  });
});

describe("the end", () => {
  it("has the whole answer and what it cost", () => {
    const chat = talk().send("hi").hear(token("He"), progress("generating"), complete({ result: "Hello!" }));
    const { result: _result, ...ending } = completed();
    expect(chat.answer("a1")).toMatchObject({ status: "complete", content: "Hello!", done: ["generating"], ending });
    expect(chat.state.turn).toBeNull();
    expect(chat.effects).toEqual([{ do: "keep", what: "session" }]);
  });

  it("keeps what was streamed when it brings no words", () => {
    expect(talk().send("hi").hear(token("Hello "), complete({ result: "" })).answer("a1").content).toBe("Hello");
  });

  it("remembers the version from before", () => {
    const chat = talk().send("hi").hear(complete({ restore_version_id: "v1" }));
    expect(chat.answer("a1").restore).toEqual({ version: "v1", reverted: false });
    chat.do({ type: "reverted", message: "a1" });
    expect(chat.answer("a1").restore).toEqual({ version: "v1", reverted: true });
    expect(chat.do({ type: "reverted", message: "a1" }).effects).toEqual([]);
  });

  it("may be an error: what was at work is shown, what was done stays", () => {
    const chat = talk().send("hi").update(addNode("a"));
    const detail = { step: "tool", restore_version_id: "v1" };
    chat.hear(token("Half "), toolStart("run_flow"), { event: "error", message: "It broke.", detail });
    expect(chat.answer("a1")).toMatchObject({
      status: "error",
      failure: { message: "It broke.", detail },
      working: { tool: "run_flow" },
      content: "Half",
      restore: { version: "v1", reverted: false },
    });
    expect(chat.answer("a1").tasks).toHaveLength(1);
    expect(chat.state.turn).toBeNull();
  });

  it("may be missing: that is a failure too", () => {
    const chat = talk().send("hi").hear(token("Half"));
    chat.do({ type: "ended", turn: "t1", failure: null });
    expect(chat.answer("a1")).toMatchObject({ status: "error", failure: { message: CONNECTION_ENDED, detail: null } });
    const other = talk().send("hi");
    other.do({ type: "ended", turn: "t1", failure: { message: "Somebody else is at it.", detail: null } });
    expect(other.answer("a1").failure?.message).toBe("Somebody else is at it.");
  });

  it("may be the person's or the server's wish", () => {
    const chat = talk().send("hi").hear(token("Half"), toolStart("x")).do({ type: "stop" });
    expect(chat.effects).toEqual([
      { do: "abort", turn: "t1" },
      { do: "keep", what: "session" },
    ]);
    expect(chat.answer("a1")).toMatchObject({ status: "cancelled", content: "Half", working: null, failure: null });
    expect(talk().send("hi").hear({ event: "cancelled" }).answer("a1").status).toBe("cancelled");
    expect(chat.do({ type: "stop" }).effects).toEqual([]);
  });

  it("is the end: nothing that comes later counts", () => {
    for (const end of [complete(), { event: "error" as const, message: "no" }, { event: "cancelled" as const }]) {
      const chat = talk().send("hi").hear(token("Hi"), end);
      const { state } = chat;
      for (const event of [token("more"), complete({ result: "Other" }), toolStart("x"), progress("validating")])
        expect(chat.do({ type: "event", turn: "t1", event })).toMatchObject({ state, effects: [] });
      chat.do({ type: "event", turn: "t1", event: { event: "flow_update", ...setFlow("x", true) } });
      chat.do({ type: "ended", turn: "t1", failure: null });
      expect(chat.state).toBe(state);
      expect(chat.effects).toEqual([]);
    }
  });

  it("of another stream is nothing to this one", () => {
    const chat = talk().send("one").send("two");
    const { state } = chat;
    chat.do({ type: "event", turn: "t1", event: complete() });
    chat.do({ type: "ended", turn: "t1", failure: null });
    expect(chat.state).toBe(state);
  });
});

describe("trying again", () => {
  it("asks the same again, as a new pair", () => {
    const chat = talk().send("Build it").hear({ event: "error", message: "no" }).send("/history").retry("a1");
    expect(texts(chat.state.messages).slice(-2)).toEqual(["user: Build it", "assistant: streaming"]);
    expect(chat.of("stream")[0]?.request.input).toBe("Build it");
    expect(chat.of("remember")).toEqual([]);
    chat.hear({ event: "cancelled" }).retry("a3");
    expect(chat.of("stream")[0]?.request.input).toBe("Build it");
  });

  it("is for answers that failed, were stopped, or brought no component", () => {
    const chat = talk().send("x").hear(complete());
    expect(chat.retry("a1").effects).toEqual([]);
    expect(chat.retry("p1").effects).toEqual([]);
    expect(chat.retry("nobody").effects).toEqual([]);
    chat.send("component").hear(complete({ validated: false, validation_error: "bad" }));
    const answer = chat.state.messages.at(-1)?.id ?? "";
    expect(chat.retry(answer).of("stream")[0]?.request.input).toBe("component");
    const { state } = chat;
    expect(chat.retry(state.messages.at(-1)?.id ?? "").state).toBe(state);
  });

  it("approves a plan again whose build failed", () => {
    const chat = talk().send("build").update(proposePlan("M")).hear(complete()).plan("a1", "approve");
    chat.hear({ event: "error", message: "no" }).retry("a2");
    expect(chat.of("stream")[0]?.request.input).toBe("User approved the plan. Proceed with the build.");
    expect(texts(chat.state.messages)).toEqual([
      "user: build",
      "assistant: complete",
      "assistant: error",
      "assistant: streaming",
    ]);
  });

  it("takes nothing for a command", () => {
    const chat = talk();
    chat.state = {
      ...chat.state,
      messages: [{ id: "p", role: "user", text: "/skip-all", at: 1 }, { ...newAnswer("a", 1), status: "error" }],
    };
    expect(chat.retry("a").of("stream")).toHaveLength(1);
    expect(chat.state.skipAll).toBe(false);
  });

  it("needs something to ask", () => {
    const chat = talk();
    chat.state = { ...chat.state, messages: [{ ...newAnswer("a", 1), status: "error" }] };
    expect(chat.retry("a").effects).toEqual([]);
  });
});

it("takes any action in an empty talk", () => {
  const { state } = talk();
  const ids = { person: "p", answer: "a", turn: "t" };
  const rest = { message: "none", model: null, ids, at: 1 };
  for (const action of [
    { type: "event", turn: "t", event: token("x") },
    { type: "ended", turn: "t", failure: null },
    { type: "stop" },
    { type: "retry", ...rest },
    { type: "plan", do: "approve", ...rest },
    { type: "proposal", message: "none", do: "add" },
    { type: "proposalApplied", message: "none", mode: "add", ok: true },
    { type: "proposalReverted", message: "none" },
    { type: "settleProposal", message: "none" },
    { type: "edit", edit: "all", do: "accept", ...rest },
    { type: "editFailed", message: "none", edit: "e" },
    { type: "component", message: "none", do: "added" },
    { type: "fileRead", message: "none", path: "a", content: "b" },
    { type: "reverted", message: "none" },
    { type: "setSkipAll", on: false },
  ] as const)
    expect(reduce(state, action)).toEqual({ state, effects: [] });
});

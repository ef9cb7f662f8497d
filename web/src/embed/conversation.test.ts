import { describe, expect, it } from "vitest";
import { ask, breakOff, type ChatEvent, type Conversation, finish, hear, NOTHING, rewind, unanswered } from "./conversation";
import { lineReader } from "./transport";

const machine = (id: string, text: string, state = "complete"): ChatEvent => ({
  event: "add_message",
  data: { id, sender: "Machine", text, properties: { state } },
});
const token = (id: string, chunk: string): ChatEvent => ({ event: "token", data: { id, chunk } });
const END: ChatEvent = { event: "end", data: {} };

function after(...events: ChatEvent[]): Conversation {
  return events.reduce(hear, ask(NOTHING, "1", "Hello"));
}

describe("a conversation", () => {
  it("grows by tokens and ends as the message says", () => {
    const going = after(machine("a", "", "partial"), token("a", "Good "), token("a", "day"));
    expect(going.messages.at(-1)).toEqual({ id: "a", from: "flow", text: "Good day", state: "going" });
    expect(going.going).toBe(true);
    const done = [machine("a", "Good day!"), END].reduce(hear, going);
    expect(done.messages.at(-1)).toEqual({ id: "a", from: "flow", text: "Good day!", state: "done" });
    expect(done.going).toBe(false);
  });

  it("shows what the person said once, and takes back what is removed", () => {
    const echo: ChatEvent = { event: "add_message", data: { id: "u", sender: "User", text: "Hello" } };
    const chat = after(echo, machine("a", "x"), { event: "remove_message", data: { id: "a" } });
    expect(chat.messages.map(({ id }) => id)).toEqual(["1"]);
  });

  it("keeps what had come when the stream breaks off, and can ask again", () => {
    const broken = breakOff(after(token("a", "Half")), { kind: "unreachable" });
    expect(broken.messages.at(-1)).toMatchObject({ text: "Half", state: "broken" });
    expect(broken.failure).toEqual({ kind: "unreachable" });
    expect(unanswered(broken)?.text).toBe("Hello");
    expect(rewind(broken)).toEqual(NOTHING);
  });

  it("tells of an error in the server's words", () => {
    const failed = finish(after({ event: "error", data: { text: "The flow could not answer." } }, END));
    expect(failed.failure).toEqual({ kind: "told", text: "The flow could not answer." });
  });

  it("shows the result of a flow that adds no message", () => {
    const result = { outputs: [{ outputs: [{ outputs: { text: { message: "Plain", type: "text" } } }] }] };
    expect(after({ event: "end", data: { result } }).messages.at(-1)).toMatchObject({ from: "flow", text: "Plain" });
    expect(after(machine("a", "Said"), { event: "end", data: { result } }).messages).toHaveLength(2);
  });

  it("asks what the run asks", () => {
    const data = { job_id: "j", request_id: "r", prompt: "May I?", options: [{ id: "yes", label: "Yes" }, { id: "no" }, {}] };
    expect(after({ event: "human_input_required", data }).question).toEqual({
      job: "j",
      request: "r",
      prompt: "May I?",
      options: [
        { id: "yes", label: "Yes" },
        { id: "no", label: "no" },
      ],
    });
  });
});

describe("the stream", () => {
  it("is read from lines of JSON and from server-sent events, cut anywhere", () => {
    const source = 'id: 1\r\ndata: {"event":"token","data":{"chunk":"a"}}\r\n\r\n: quiet\n{"event":"end","data":{}}\n\nnot json\n{"broken\n';
    for (const size of [1, 3, 1000]) {
      const read = lineReader();
      const events: ChatEvent[] = [];
      for (let at = 0; at < source.length; at += size) events.push(...read(source.slice(at, at + size)));
      expect(events.map(({ event }) => event)).toEqual(["token", "end"]);
    }
  });
});

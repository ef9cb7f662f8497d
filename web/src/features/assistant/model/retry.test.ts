import { describe, expect, it } from "vitest";
import { complete, editField, proposePlan, talk, texts } from "./fixtures/talk";
import { EDIT_CONTINUATION_INPUT, PLAN_APPROVAL_INPUT, refinementInput } from "./protocol";
import { settledMessages } from "./settled";

const FAILED = { event: "error", message: "no" } as const;

describe("the same request again", () => {
  it("quotes the plan that was set aside, as the first one did", () => {
    const chat = talk().send("build").update(proposePlan("M")).hear(complete()).plan("a1", "dismiss").send("use Claude").hear(FAILED);
    for (const _again of [1, 2]) {
      chat.retry(chat.state.messages.at(-1)?.id ?? "");
      expect(chat.of("stream")[0]?.request.input).toBe(refinementInput("M", "use Claude"));
      expect(texts(chat.state.messages).slice(-2)).toEqual(["user: use Claude", "assistant: streaming"]);
      chat.hear({ event: "cancelled" });
    }
  });

  it("is about the node that was selected then", () => {
    const chat = talk().send("explain this component", "Model-1").do({ type: "stop" }).retry("a1");
    expect(chat.of("stream")[0]?.request.component).toEqual({ id: "Model-1", field: null });
  });

  it("goes on behind edits that were applied, and proposes them not once more", () => {
    const chat = talk().send("change and run").update(editField("e1"));
    chat.hear(complete({ pending_edits: ["e1"], continuation_expected: true })).edit("a1", "e1", "accept").hear(FAILED).retry("a1");
    expect(chat.of("stream")[0]?.request.input).toBe(EDIT_CONTINUATION_INPUT);
    expect(texts(chat.state.messages)).toEqual(["user: change and run", "assistant: error", "assistant: streaming"]);
  });

  it("builds a plan that was approved by itself", () => {
    const chat = talk({ skipAll: true }).send("build").update(proposePlan("M")).hear(complete(), FAILED).retry("a1");
    expect(chat.of("stream")[0]?.request.input).toBe(PLAN_APPROVAL_INPUT);
  });

  it("is what the person said in an answer of an earlier visit", () => {
    const failed = talk().send("explain this", "Model-1").hear(FAILED);
    const messages = settledMessages(failed.state.messages);
    expect(messages.at(-1)).not.toHaveProperty("asked");
    const chat = talk().do({ type: "loadSession", sessionId: "s2", messages }).do({
      type: "retry",
      message: "a1",
      model: null,
      ids: { person: "p9", answer: "a9", turn: "t9" },
      at: 9,
    });
    expect(chat.of("stream")[0]?.request).toMatchObject({ input: "explain this", component: null });
  });
});

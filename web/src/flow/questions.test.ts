import { describe, expect, it } from "vitest";
import { fieldText, questionOf, typedValue } from "./questions";

const approval = questionOf({
  request_id: "01a1de2a-b60f-7000-8000-000000000001",
  component_id: "Agent-1",
  component_display_name: "Agent",
  kind: "tool_approval",
  prompt: "May I?",
  options: [{ id: "approve", label: "Approve", tool: "send" }, { id: "reject", tool: "send" }, { label: "no id" }, 4],
  fields: [
    { name: "arguments", display_name: "Arguments", value: { to: "Ada" } },
    { name: "reason", display_name: "Reason", value: "" },
    { display_name: "nameless" },
  ],
  timeout_ms: 60_000,
  fallback: "reject",
});

describe("a question", () => {
  it("says which tool waits, what can be chosen and until when", () => {
    expect(approval).toMatchObject({ tool: "send", kind: "tool_approval", fallback: "reject" });
    expect(approval.options).toEqual([
      { id: "approve", label: "Approve" },
      { id: "reject", label: "reject" },
    ]);
    expect(approval.deadline).toBe(Number.parseInt("01a1de2ab60f", 16) + 60_000);
  });

  it("waits for ever without a timeout, and where its age is not known", () => {
    expect(questionOf({ request_id: "01a1de2a-b60f-7000-8000-000000000001" }).deadline).toBeNull();
    expect(questionOf({ request_id: "x", timeout_ms: 5 }).deadline).toBeNull();
  });

  it("takes an object back as an object, and nothing else", () => {
    const [args, reason] = approval.fields;
    if (!args || !reason) throw new Error("The fields are missing.");
    expect(fieldText(args)).toBe('{\n  "to": "Ada"\n}');
    expect(typedValue(args, '{"to": "Eve"}')).toEqual({ ok: true, value: { to: "Eve" } });
    expect(typedValue(args, "[1]").ok).toBe(false);
    expect(typedValue(args, "{").ok).toBe(false);
    expect(typedValue(reason, "{")).toEqual({ ok: true, value: "{" });
  });
});

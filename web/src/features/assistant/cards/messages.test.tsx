import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { StepName } from "../model/types";
import { answer, ending } from "./fixtures";
import { show, showAnswer } from "./support";

const status = () => screen.getByRole("status").textContent;

describe("a person's message", () => {
  it("is shown as it was written, and nothing in it runs", () => {
    const text = "First\n<img src=x onerror=alert(1)> **not bold** [x](javascript:alert(1))";
    const { container } = show({ id: "p1", role: "user", text, at: 0 });
    expect(screen.getByTestId("assistant-message-p1")).toHaveTextContent("<img src=x onerror=alert(1)> **not bold**");
    expect(container.querySelector("img, a, strong, script")).toBeNull();
  });
});

describe("what a command says", () => {
  it.each([
    [{ kind: "skipAll", on: true } as const, /Skip-all is on/],
    [{ kind: "skipAll", on: false } as const, /Skip-all is off/],
    [{ kind: "history", limit: null } as const, /server decides how many earlier turns/],
    [{ kind: "history", limit: 0 } as const, /nothing of earlier turns/],
    [{ kind: "history", limit: 1 } as const, /told the last turn/],
    [{ kind: "history", limit: 7 } as const, /last 7 turns/],
    [{ kind: "iterations", limit: null } as const, /server decides how many rounds/],
    [{ kind: "iterations", limit: 12 } as const, /12 rounds/],
    [{ kind: "usage", command: "history" } as const, /\/history with a number from 0 to 100/],
    [{ kind: "usage", command: "iterations" } as const, /\/iterations with a number from 1 to 200/],
  ])("%o", (note, words) => {
    show({ id: "l1", role: "local", note, at: 0 });
    expect(screen.getByText(words)).toBeInTheDocument();
  });
});

describe("an answer", () => {
  it("that nobody is to see is not there", () => {
    const { container } = show(answer({ hidden: true, content: "secret" }));
    expect(container).toBeEmptyDOMElement();
  });

  it("is Markdown in which nothing runs", () => {
    const { container } = showAnswer({
      content: "**Bold** <script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1))",
    });
    expect(screen.getByText("Bold").tagName).toBe("STRONG");
    expect(container.querySelector("script, img, [onerror], a[href^='javascript']")).toBeNull();
  });

  it("says what it cost, who answered, and that the rehearsal model is no AI", () => {
    const { become } = showAnswer({ content: "Hello", ending: ending() });
    const usage = screen.getByTestId("assistant-usage");
    expect(usage).toHaveTextContent("1.2K→340 tok · 3.1s");
    expect(usage).toHaveAccessibleName(/1,234 tokens in, 340 out, 1,574 altogether.*OpenAI · gpt-5\.4/);
    expect(screen.queryByText("Rehearsal: not an AI")).toBeNull();
    become({ ending: ending({ rehearsal: true }) });
    expect(screen.getByText("Rehearsal: not an AI")).toBeInTheDocument();
  });

  it("can be copied once it is complete", async () => {
    const { user, become } = showAnswer({ status: "streaming", content: "Hel" });
    expect(screen.queryByRole("button", { name: "Copy the answer" })).toBeNull();
    become({ status: "complete", content: "Hello **you**" });
    const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await user.click(screen.getByRole("button", { name: "Copy the answer" }));
    expect(write).toHaveBeenCalledWith("Hello **you**");
  });

  it("that left nothing to see says so", () => {
    const { become } = showAnswer({});
    expect(screen.getByText("There was no answer.")).toBeInTheDocument();
    become({ plan: { markdown: "Do it", status: "pending" } });
    expect(screen.queryByText("There was no answer.")).toBeNull();
  });

  it("of many letters is cut, and the rest comes when asked for, a piece at a time", async () => {
    const line = `${"word ".repeat(4100)}\n\n`;
    const { user, container } = showAnswer({ content: `${line.repeat(12)}The very end.` });
    expect(container.textContent.length).toBeLessThan(130_000);
    await user.click(screen.getByRole("button", { name: "Show more" }));
    expect(container.textContent).not.toContain("The very end.");
    await user.click(screen.getByRole("button", { name: /Show all \([\d.]+K characters more\)/ }));
    expect(await screen.findByText("The very end.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Show/ })).toBeNull();
  });

  it("nested without end is shown as it is written", () => {
    const { container } = showAnswer({ content: "> ".repeat(20_000) });
    expect(container.querySelectorAll("blockquote").length).toBe(0);
    expect(container.textContent).toContain("> > >");
  });

  it("that was stopped says so and can be asked for again, but not while another comes", async () => {
    const { user, actions, become } = showAnswer({ status: "cancelled", content: "Half of" });
    expect(screen.getByText(/Stopped here/)).toBeInTheDocument();
    expect(screen.getByText("Half of")).toBeInTheDocument();
    expect(status()).toBe("The answer was stopped.");
    await user.click(screen.getByTestId("assistant-retry-button"));
    expect(actions.retry).toHaveBeenCalledWith("m1");
    become({ status: "cancelled" }, { busy: true });
    expect(screen.getByTestId("assistant-retry-button")).toBeDisabled();
  });
});

describe("a failure", () => {
  const failure = {
    message: "The key was refused.",
    detail: {
      step: "generating_flow",
      component_id: "Agent-1",
      tool: "run_flow",
      raw_cause: "401 <b>invalid</b>",
      recommendation: "Check the key in Settings.",
    },
  };

  it("says what went wrong and what to do, and the rest behind a fold", async () => {
    const { user, actions } = showAnswer({ status: "error", failure });
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent("The key was refused.");
    expect(alert).toHaveTextContent("Check the key in Settings.");
    const details = screen.getByTestId("assistant-error-details");
    expect(details).not.toHaveAttribute("open");
    expect(details).toHaveTextContent("Generating flow…");
    expect(details).toHaveTextContent("run_flow");
    expect(screen.getByTestId("assistant-error-details-raw-cause").textContent).toBe("401 <b>invalid</b>");
    await user.click(within(details).getByText("Details"));
    expect(details).toHaveAttribute("open");
    await user.click(within(details).getByRole("button", { name: "Agent" }));
    expect(actions.showNode).toHaveBeenCalledWith("Agent-1");
    await user.click(screen.getByTestId("assistant-retry-button"));
    expect(actions.retry).toHaveBeenCalledWith("m1");
  });

  it("without details has no fold, and an old one does not call out", () => {
    showAnswer({ status: "error", failure: { message: "The connection ended early.", detail: null } }, { newest: false });
    expect(screen.queryByTestId("assistant-error-details")).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("The connection ended early.")).toBeInTheDocument();
  });

  it("keeps what was done and what was being done", () => {
    showAnswer({
      status: "error",
      failure,
      working: { tool: "run_flow", label: "Running the flow", componentType: null, nodes: [], field: null },
    });
    expect(screen.getByTestId("assistant-build-task-in-progress")).toHaveTextContent("Was at: Running the flow");
  });
});

describe("progress", () => {
  const at = (step: string, more: object = {}) => ({
    // A newer server may say a step that the types do not know.
    step: step as StepName,
    attempt: 1,
    maxAttempts: 3,
    message: null,
    error: null,
    className: null,
    code: null,
    ...more,
  });

  it("shows the step of now with those behind it, and says it once to those who listen", () => {
    const { become } = showAnswer({ status: "streaming" });
    expect(status()).toBe("Thinking…");
    become({ status: "streaming", progress: at("building_flow"), done: ["generating_flow", "searching_components"] });
    const progress = screen.getByTestId("assistant-progress");
    expect(progress).toHaveTextContent("Building flow…");
    const steps = within(screen.getByRole("list", { name: "Steps so far" })).getAllByRole("listitem");
    expect(steps.map((step) => step.textContent)).toEqual(["Flow generated", "Components searched"]);
    expect(screen.getByTestId("assistant-flow-loading-icon")).toBeInTheDocument();
    expect(status()).toBe("Building flow…");
    expect(progress).not.toHaveTextContent("Attempt");
    become({ status: "streaming", progress: at("building_flow"), content: "Token" });
    expect(status()).toBe("Building flow…");
  });

  it("is gone when the answer is there", () => {
    showAnswer({ content: "Done", progress: at("building_flow") });
    expect(screen.queryByTestId("assistant-progress")).toBeNull();
    expect(status()).toBe("");
  });

  it("of a step nobody knows has a neutral name", () => {
    const done = ["warming_the_engine" as StepName];
    showAnswer({ status: "streaming", progress: at("polishing"), done });
    expect(screen.getByTestId("assistant-progress")).toHaveTextContent("Working on it…");
    expect(screen.getByTestId("assistant-progress")).toHaveTextContent("One more step");
    expect(screen.getByTestId("assistant-progress").textContent).not.toMatch(/polishing|warming/);
  });

  it("counts attempts from the second on, never beyond the most there are", () => {
    const { become } = showAnswer({ status: "streaming", progress: at("validating", { attempt: 2 }) });
    expect(screen.getByTestId("assistant-progress")).toHaveTextContent("Attempt 2 of 3");
    expect(status()).toBe("Validating… Attempt 2 of 3");
    become({ status: "streaming", progress: at("validating", { attempt: 4 }) });
    expect(screen.getByTestId("assistant-progress")).toHaveTextContent("Attempt 4 of 4");
  });

  it("of a component shows what the model says and the code as it comes, not as an answer", () => {
    const { become } = showAnswer({
      status: "streaming",
      progress: at("generating_component"),
      content: "I use **upper**.\n```python\nclass Upper(Component):\n    pass",
    });
    expect(screen.getByRole("group", { name: "What the model says so far" })).toHaveTextContent("I use upper.");
    expect(screen.getByRole("group", { name: "The code so far" })).toHaveTextContent("class Upper(Component):");
    expect(screen.getAllByText("upper")).toHaveLength(1);
    become({
      status: "streaming",
      done: ["generating_component", "extracting_code"],
      progress: at("validation_failed", { error: "There is no output.", className: "Upper", code: "class Upper: ..." }),
    });
    const card = screen.getByTestId("assistant-progress");
    expect(card).toHaveTextContent("Validation failed");
    expect(card).toHaveTextContent("There is no output.");
    expect(card).toHaveTextContent("class Upper: ...");
    become({
      status: "streaming",
      done: ["generating_component", "validation_failed"],
      progress: at("retrying", { attempt: 2, code: "class Upper: ..." }),
    });
    expect(screen.getByTestId("assistant-progress")).toHaveTextContent("Trying again…Attempt 2 of 3");
  });
});

describe("how a turn ended", () => {
  it("names conflicts, sources, another model, the run and what changed", async () => {
    const { user, actions } = showAnswer({
      content: "All done.",
      ending: ending({
        conflicts: [{ component_id: "Agent-1", message: "Somebody changed the model too; theirs counts." }],
        sources: [{ title: "Chat memory", path: "guides/memory.md#chat" }],
        notices: [{ type: "model_fallback", reason: "No access.", failed_model: "gpt-9", used_model: "gpt-5.4" }],
        run_metrics: { duration_seconds: 2.5, input_tokens: 12, output_tokens: 3, total_tokens: 15 },
        changes: ["Agent was added."],
        verification_caveat: "The flow is not proven: no key.",
      }),
    });
    expect(screen.getByText(/theirs counts/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Agent:" }));
    expect(actions.showNode).toHaveBeenCalledWith("Agent-1");
    expect(screen.getByText("Chat memory")).toBeInTheDocument();
    expect(screen.getByTestId("assistant-model-notice")).toHaveTextContent("gpt-9 was not to be had, so gpt-5.4 answered.");
    expect(screen.getByText(/The run: 2\.5s, 12→3 tok/)).toBeInTheDocument();
    expect(screen.getByText("What really changed (1)").closest("details")).not.toHaveAttribute("open");
    expect(screen.getByText("The flow is not proven: no key.")).toBeInTheDocument();
  });

  it("does not say again what the answer says", () => {
    showAnswer({
      content: "Agent was added.\n\nThe flow is not proven: no key.",
      ending: ending({ changes: ["Agent was added."], verification_caveat: "The flow is not proven: no key." }),
    });
    expect(screen.getAllByText("The flow is not proven: no key.")).toHaveLength(1);
    expect(screen.queryByText(/What really changed/)).toBeNull();
  });
});

describe("the way back", () => {
  const restore = { version: "v1", reverted: false };

  it("is on the newest message that has one, and asks first", async () => {
    const { user, actions, become } = showAnswer({ content: "Done", restore });
    expect(screen.queryByTestId("assistant-revert-button")).toBeNull();
    become({ content: "Done", restore }, { restorable: true });
    await user.click(screen.getByTestId("assistant-revert-button"));
    expect(screen.getByTestId("assistant-revert-cancel")).toHaveFocus();
    await user.click(screen.getByTestId("assistant-revert-cancel"));
    expect(screen.getByTestId("assistant-revert-button")).toHaveFocus();
    expect(actions.restore).not.toHaveBeenCalled();
    await user.click(screen.getByTestId("assistant-revert-button"));
    await user.click(screen.getByTestId("assistant-revert-confirm-button"));
    expect(actions.restore).toHaveBeenCalledWith("m1");
    become({ content: "Done", restore: { ...restore, reverted: true } });
    expect(screen.getByTestId("assistant-revert-reverted")).toBeInTheDocument();
  });

  it("says what was in the way and can be tried again", async () => {
    const { user, actions } = showAnswer({ content: "Done", restore }, { restorable: true });
    actions.restore.mockRejectedValueOnce(new Error("The version is gone."));
    await user.click(screen.getByTestId("assistant-revert-button"));
    await user.click(screen.getByTestId("assistant-revert-confirm-button"));
    expect(await screen.findByRole("alert")).toBeInTheDocument();
    await user.click(screen.getByTestId("assistant-revert-confirm-button"));
    expect(actions.restore).toHaveBeenCalledTimes(2);
  });
});

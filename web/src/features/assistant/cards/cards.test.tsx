import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { BuildTask, ComponentResult, FlowUpdate, WrittenFile } from "../model/types";
import { edit, ending, flowOf, proposal } from "./fixtures";
import { showAnswer } from "./support";

const press = (id: string) => screen.getByTestId(id);

describe("what was done to the canvas", () => {
  const task = (action: BuildTask["action"], init: Partial<BuildTask> = {}): BuildTask => ({
    action,
    key: `${action}-${JSON.stringify(init)}`,
    componentId: null,
    componentType: null,
    sourceId: null,
    targetId: null,
    detail: null,
    ...init,
  });

  it("is a row for each thing, by the names on the canvas", async () => {
    const { user, actions } = showAnswer({
      tasks: [
        task("add", { componentId: "Agent-1", componentType: "Agent" }),
        task("connect", { sourceId: "ChatInput-1", targetId: "Agent-1" }),
        task("configure", { componentId: "Agent-1", detail: "model_name, system_prompt" }),
        task("remove", { componentId: "Memory-9", componentType: "Memory" }),
        task("disconnect", { sourceId: "Gone-1", targetId: "Agent-1" }),
        task("rename", { componentId: "Agent-1", detail: "Helper" }),
        task("tool_mode", { componentId: "Agent-1" }),
      ],
    });
    const rows = within(screen.getByRole("list", { name: "Changes to the canvas" })).getAllByRole("listitem");
    expect(rows.map((row) => row.textContent)).toEqual([
      "Added Agent",
      "Wired Chat Input → Agent",
      "Configured Agentmodel_name, System prompt",
      "Removed Memory",
      "Unwired Gone-1 → Agent",
      "Renamed to Helper",
      "Agent is now a tool",
    ]);
    await user.click(within(press("assistant-build-task-connect-ChatInput-1-Agent-1")).getByRole("button"));
    expect(actions.showNode).toHaveBeenCalledWith("Agent-1");
    expect(within(press("assistant-build-task-remove-Memory-9")).queryByRole("button")).toBeNull();
  });

  it("shows the tool at work in a row of its own", () => {
    const { become } = showAnswer({
      status: "streaming",
      working: { tool: "connect_components", label: "x", componentType: null, nodes: ["ChatInput-1", "Agent-1"], field: null },
    });
    expect(press("assistant-build-task-in-progress")).toHaveTextContent("Connecting Chat Input to Agent");
    become({ working: { tool: "brew_tea", label: "Brewing <b>tea</b>", componentType: null, nodes: [], field: null } });
    expect(press("assistant-build-task-in-progress").textContent).toBe("Brewing <b>tea</b>");
    become({ working: null });
    expect(screen.queryByRole("list", { name: "Changes to the canvas" })).toBeNull();
  });

  it("folds a long list and keeps the newest in sight while more come", async () => {
    const tasks = Array.from({ length: 20 }, (_, index) => task("add", { componentId: `N-${index}`, key: String(index) }));
    const { user, become } = showAnswer({ status: "streaming", tasks });
    expect(screen.getByText("Added N-19")).toBeInTheDocument();
    expect(screen.queryByText("Added N-0")).toBeNull();
    become({ status: "complete", tasks });
    expect(screen.getByText("Added N-0")).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Show 14 more" }));
    expect(screen.getByText("Added N-19")).toBeInTheDocument();
  });
});

describe("a component", () => {
  const component: ComponentResult = {
    className: "Upper",
    code: "class Upper(Component):\n    pass\n",
    validated: true,
    error: null,
    attempts: 2,
    gate: "shown",
  };

  it("waits at its gate until somebody goes on", async () => {
    const { user, actions } = showAnswer({ component: { ...component, gate: "ready" } });
    expect(press("assistant-component-card")).toHaveTextContent("Upper passed every check.");
    expect(screen.queryByTestId("assistant-approve-button")).toBeNull();
    await user.click(press("assistant-continue-button"));
    expect(actions.continueComponent).toHaveBeenCalledWith("m1");
    expect(press("assistant-component-card")).toHaveFocus();
  });

  it("shows its code, is put on the canvas, and says so", async () => {
    const { user, actions, become } = showAnswer({
      content: "Here it is.\n\n```python\nclass Upper(Component):\n    pass\n```\n\nUse it well.",
      component,
    });
    const card = press("assistant-component-card");
    expect(card).toHaveTextContent("Upper");
    expect(card).toHaveTextContent("2 lines of Python · after 2 attempts");
    expect(screen.getByText("Here it is.")).toBeInTheDocument();
    expect(screen.getByText("Use it well.")).toBeInTheDocument();
    expect(screen.queryByText(/class Upper/)).toBeNull();
    await user.click(press("assistant-view-code-button"));
    expect(press("assistant-view-code-button")).toHaveAttribute("aria-expanded", "true");
    expect(card).toHaveTextContent("class Upper(Component):");
    await user.click(press("assistant-approve-button"));
    expect(actions.addComponent).toHaveBeenCalledWith("m1");
    become({ component: { ...component, gate: "added" } });
    expect(screen.queryByTestId("assistant-approve-button")).toBeNull();
    expect(within(card).getByRole("status")).toHaveTextContent("Added to canvas");
  });

  it("says why it could not be put on the canvas", async () => {
    const { user, actions } = showAnswer({ component });
    actions.addComponent.mockRejectedValueOnce(new Error("no"));
    await user.click(press("assistant-approve-button"));
    expect(await screen.findByRole("alert")).toBeInTheDocument();
    expect(press("assistant-approve-button")).not.toHaveAttribute("aria-busy");
  });

  it("that could not be written can be tried again, not added", async () => {
    const failed = { ...component, validated: false, error: "<b>No</b> output is declared.", attempts: 3 };
    const { user, actions, become } = showAnswer({ content: "The model was unable.", component: failed });
    const card = press("assistant-validation-failed");
    expect(card).toHaveTextContent("Component generation failed");
    expect(card).toHaveTextContent("Try again or use a more capable model.");
    expect(screen.queryByText("The model was unable.")).toBeNull();
    expect(screen.queryByTestId("assistant-approve-button")).toBeNull();
    expect(screen.getByText("Error details").closest("details")).not.toHaveAttribute("open");
    expect(screen.getByText("<b>No</b> output is declared.")).toBeInTheDocument();
    await user.click(press("assistant-view-code-button"));
    expect(card).toHaveTextContent("class Upper(Component):");
    await user.click(press("assistant-retry-button"));
    expect(actions.retry).toHaveBeenCalledWith("m1");
    become({ component: { ...failed, code: "" } }, { busy: true });
    expect(press("assistant-retry-button")).toBeDisabled();
    expect(screen.queryByTestId("assistant-view-code-button")).toBeNull();
  });
});

describe("a plan", () => {
  const plan = { markdown: "1. **Search**\n2. Build", status: "pending" } as const;

  it("is agreed to or set aside", async () => {
    const { user, actions } = showAnswer({ plan });
    expect(screen.getByText("Search").tagName).toBe("STRONG");
    await user.click(press("assistant-plan-dismiss-button"));
    expect(actions.plan).toHaveBeenLastCalledWith("m1", "dismiss");
    await user.click(press("assistant-plan-continue-button"));
    expect(actions.plan).toHaveBeenLastCalledWith("m1", "approve");
    expect(press("assistant-plan-card")).toHaveFocus();
  });

  it("that is being refined can be reset or still agreed to", async () => {
    const { user, actions } = showAnswer({ plan: { ...plan, status: "refining" } });
    expect(press("assistant-plan-card")).toHaveTextContent("Refining plan");
    expect(press("assistant-plan-card").className).toContain("border-dashed");
    expect(screen.queryByTestId("assistant-plan-dismiss-button")).toBeNull();
    await user.click(press("assistant-plan-reset-button"));
    expect(actions.plan).toHaveBeenLastCalledWith("m1", "reset");
    await user.click(press("assistant-plan-continue-button"));
    expect(actions.plan).toHaveBeenLastCalledWith("m1", "approve");
  });

  it.each([
    ["approved", "Approved"],
    ["dismissed", "Dismissed"],
  ] as const)("that is %s has no buttons but can be read", (status, words) => {
    showAnswer({ plan: { ...plan, status } });
    expect(within(press("assistant-plan-card")).getByText(words)).toBeInTheDocument();
    expect(within(press("assistant-plan-card")).queryByRole("button")).toBeNull();
    expect(screen.getByText("Search")).toBeInTheDocument();
  });

  it("waits while a turn is under way", () => {
    showAnswer({ plan }, { busy: true });
    expect(press("assistant-plan-continue-button")).toBeDisabled();
    expect(press("assistant-plan-dismiss-button")).toBeDisabled();
  });
});

describe("a proposed flow", () => {
  it("is drawn, listed, and taken in one way or the other", async () => {
    const { user, actions, container } = showAnswer({ proposal: proposal(), ending: ending({ verified: true }) });
    const card = press("assistant-proposal-card");
    expect(card).toHaveTextContent("A chatbot3 nodes · 2 wires");
    expect(card).toHaveTextContent("Tried out");
    expect(container.querySelectorAll("svg rect.fill-surface")).toHaveLength(3);
    const names = within(screen.getByRole("list", { name: "Nodes of the proposed flow" })).getAllByRole("listitem");
    expect(names.map((name) => name.textContent)).toEqual(["ChatInput", "Agent", "ChatOutput"]);
    await user.hover(press("assistant-flow-replace-button"));
    expect(actions.hoverProposal).toHaveBeenLastCalledWith("m1", "replace");
    await user.unhover(press("assistant-flow-replace-button"));
    expect(actions.hoverProposal).toHaveBeenLastCalledWith("m1", null);
    await user.click(press("assistant-flow-add-button"));
    expect(actions.proposal).toHaveBeenLastCalledWith("m1", "add");
    await user.click(press("assistant-flow-replace-button"));
    expect(actions.proposal).toHaveBeenLastCalledWith("m1", "replace");
    await user.click(press("assistant-flow-dismiss-button"));
    expect(actions.proposal).toHaveBeenLastCalledWith("m1", "dismiss");
  });

  it("says how it was taken, can be taken back, and no longer shows what a button would do", async () => {
    const { user, actions, become } = showAnswer({ proposal: proposal() });
    press("assistant-flow-add-button").focus();
    expect(actions.hoverProposal).toHaveBeenLastCalledWith("m1", "add");
    become({ proposal: proposal({ status: "applied", mode: "add", revertible: true }) });
    expect(actions.hoverProposal).toHaveBeenLastCalledWith("m1", null);
    expect(press("assistant-proposal-card")).toHaveTextContent("Added to canvas");
    expect(screen.queryByTestId("assistant-flow-add-button")).toBeNull();
    await user.click(press("assistant-flow-revert-button"));
    expect(actions.proposal).toHaveBeenLastCalledWith("m1", "revert");
    become({ proposal: proposal({ status: "applied", mode: "replace", revertible: true }) });
    expect(press("assistant-proposal-card")).toHaveTextContent("Canvas replaced");
    become({ proposal: proposal({ status: "pending", mode: "add", revertible: true }) });
    expect(press("assistant-flow-add-button")).toBeEnabled();
    expect(press("assistant-flow-revert-button")).toBeInTheDocument();
  });

  it("that was dismissed stays to be looked at", () => {
    showAnswer({ proposal: proposal({ status: "dismissed" }) });
    expect(press("assistant-proposal-card")).toHaveTextContent("Dismissed");
    expect(within(press("assistant-proposal-card")).queryByRole("button")).toBeNull();
    expect(screen.getByRole("list", { name: "Nodes of the proposed flow" })).toBeInTheDocument();
  });

  it("cannot be taken while it may still be built anew, and tells what follows it", () => {
    const tail: FlowUpdate[] = [{ action: "remove_component", component_id: "x" }];
    showAnswer({ status: "streaming", proposal: proposal({ tail }) }, { busy: true });
    expect(press("assistant-flow-add-button")).toBeDisabled();
    expect(press("assistant-flow-replace-button")).toBeDisabled();
    expect(press("assistant-proposal-card")).toHaveTextContent("1 more change follows it.");
  });

  it("without anything in it, or with rubbish, is not drawn", () => {
    const { become } = showAnswer({ proposal: proposal({ flow: { data: { nodes: "no", edges: 7 } }, name: "", nodes: 0, edges: 0 }) });
    expect(press("assistant-proposal-card")).toHaveTextContent("Untitled flow");
    expect(press("assistant-proposal-card")).toHaveTextContent("nothing in it that could be drawn");
    become({ proposal: proposal({ flow: {} }) });
    expect(press("assistant-proposal-card")).toHaveTextContent("nothing in it that could be drawn");
  });

  it("of many nodes names the first, and is marked where it is not proven", () => {
    const names = Array.from({ length: 12 }, (_, index) => `Part${index}`);
    showAnswer({
      proposal: proposal({ flow: flowOf(names), nodes: 12 }),
      ending: ending({ verified: false, verification_caveat: "No key." }),
    });
    expect(press("assistant-proposal-card")).toHaveTextContent("4 more");
    expect(screen.getByText("Not proven").closest("[title]")).toHaveAttribute("title", "No key.");
  });

  it("is not shown twice: a preview only stands where there is no proposal", () => {
    const preview = { name: "Now", nodes: 3, edges: 2, flow: flowOf(["ChatInput", "Agent"]) };
    const { become } = showAnswer({ proposal: proposal(), preview });
    expect(screen.queryByTestId("assistant-flow-preview")).toBeNull();
    become({ proposal: null, preview });
    expect(press("assistant-flow-preview")).toHaveTextContent("Now");
    expect(within(press("assistant-flow-preview")).queryByRole("button")).toBeNull();
  });
});

describe("files", () => {
  const file: WrittenFile = { path: "docs/FLOW.md", size: 1200, content: "# Title\n\n<script>x</script>\n\n**bold**", action: "write_file" };

  it("are opened as what they say and saved from memory", async () => {
    const { user, actions } = showAnswer({ files: [file] });
    expect(press("assistant-file-card-docs/FLOW.md")).toHaveTextContent("Written · 1.2 kB");
    await user.click(press("assistant-file-open-button-docs/FLOW.md"));
    const dialog = await screen.findByRole("dialog", { name: "docs/FLOW.md" });
    expect(within(dialog).getByText("bold").tagName).toBe("STRONG");
    expect(dialog.querySelector("script")).toBeNull();
    expect(actions.readFile).not.toHaveBeenCalled();
    await user.keyboard("{Escape}");
    const made = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:x");
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
    await user.click(press("assistant-file-download-button-docs/FLOW.md"));
    const blob = made.mock.calls.at(0)?.at(0);
    expect(blob instanceof Blob ? await blob.text() : null).toBe(file.content);
    expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe("FLOW.md");
  });

  it("that did not come along are fetched; what is in the way is said", async () => {
    const { user, actions } = showAnswer({ files: [{ ...file, path: "a.txt", content: null, action: "edit_file" }] });
    expect(press("assistant-file-card-a.txt")).toHaveTextContent("Changed");
    actions.readFile.mockRejectedValueOnce(new Error("gone"));
    await user.click(press("assistant-file-open-button-a.txt"));
    expect(await screen.findByRole("alert")).toBeInTheDocument();
    actions.readFile.mockResolvedValueOnce("**plain** text");
    await user.click(press("assistant-file-open-button-a.txt"));
    expect(actions.readFile).toHaveBeenLastCalledWith("m1", "a.txt");
    const dialog = await screen.findByRole("dialog", { name: "a.txt" });
    expect(within(dialog).getByText("**plain** text")).toBeInTheDocument();
  });

  it("that are empty say so", async () => {
    const { user } = showAnswer({ files: [{ ...file, content: " \n" }] });
    await user.click(press("assistant-file-open-button-docs/FLOW.md"));
    await waitFor(() => expect(press("file-content-modal-empty")).toBeInTheDocument());
  });
});

describe("proposed edits", () => {
  const three = [edit(), edit({ id: "e2", field: "temperature", oldValue: 1, newValue: 0.2, description: "" }), edit({ id: "e3", componentId: "Gone-7", componentType: "Prompt" })];

  it("are shown one at a time and gone through", async () => {
    const { user, actions } = showAnswer({ edits: three });
    const card = press("assistant-edit-card");
    expect(card).toHaveTextContent("1 of 3");
    expect(card).toHaveAccessibleName("Proposed change of System prompt in Agent");
    expect(card).toHaveTextContent("So that it says less.");
    await user.click(within(card).getByRole("button", { name: "Agent" }));
    expect(actions.showNode).toHaveBeenCalledWith("Agent-1");
    await user.click(screen.getByRole("button", { name: "Next change" }));
    expect(card).toHaveTextContent("2 of 3");
    expect(card).toHaveTextContent("temperature");
    await user.click(screen.getByRole("button", { name: "Next change" }));
    expect(within(card).queryByRole("button", { name: "Prompt" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Next change" }));
    expect(card).toHaveTextContent("1 of 3");
    await user.click(screen.getByRole("button", { name: "Previous change" }));
    expect(card).toHaveTextContent("3 of 3");
  });

  it("are accepted one by one, each leading to the next that waits", async () => {
    const { user, actions, become } = showAnswer({ edits: three });
    await user.click(press("assistant-edit-accept"));
    expect(actions.edit).toHaveBeenLastCalledWith("m1", "e1", "accept");
    become({ edits: three.with(0, edit({ status: "applied" })) });
    expect(press("assistant-edit-card")).toHaveTextContent("2 of 3");
    await user.click(press("assistant-edit-dismiss"));
    expect(actions.edit).toHaveBeenLastCalledWith("m1", "e2", "dismiss");
    expect(press("assistant-edit-card")).toHaveTextContent("3 of 3");
  });

  it("are settled all at once", async () => {
    const { user, actions, become } = showAnswer({ edits: three });
    await user.click(screen.getByRole("button", { name: "Accept all (3)" }));
    expect(actions.edit).toHaveBeenLastCalledWith("m1", "all", "accept");
    await user.click(screen.getByRole("button", { name: "Dismiss all" }));
    expect(actions.edit).toHaveBeenLastCalledWith("m1", "all", "dismiss");
    become({ edits: [edit()] });
    expect(screen.queryByRole("button", { name: /Accept all/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Next change" })).toBeNull();
  });

  it.each([
    ["applied", "Accepted"],
    ["dismissed", "Dismissed"],
    ["withdrawn", "Taken back by the assistant"],
    ["failed", "Could not be made"],
  ] as const)("that are %s say so and have no buttons", (status, words) => {
    showAnswer({ edits: [edit({ status })] });
    expect(press("assistant-edit-card")).toHaveTextContent(words);
    expect(screen.queryByTestId("assistant-edit-accept")).toBeNull();
  });

  it("wait until the turn is over", () => {
    showAnswer({ status: "streaming", edits: three });
    expect(press("assistant-edit-accept")).toBeDisabled();
    expect(press("assistant-edit-dismiss")).toBeDisabled();
    expect(screen.getByRole("button", { name: "Accept all (3)" })).toBeDisabled();
  });
});

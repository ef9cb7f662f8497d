import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { ComponentResult } from "../model/types";
import { proposal } from "./fixtures";
import { showAnswer } from "./support";

const press = (testId: string): HTMLElement => screen.getByTestId(testId);
const restore = { version: "v1", reverted: false };

describe("the focus, when the button that was pressed is gone", () => {
  it("stays with a proposal that was taken back", async () => {
    const { user, actions, become } = showAnswer({ proposal: proposal({ revertible: true }) });
    actions.proposal.mockImplementation(() => become({ proposal: proposal() }));
    act(() => press("assistant-flow-revert-button").focus());
    await user.keyboard("{Enter}");
    expect(screen.queryByTestId("assistant-flow-revert-button")).toBeNull();
    expect(press("assistant-proposal-card")).toHaveFocus();
  });

  it("stays with a component that was added", async () => {
    const component: ComponentResult = { className: "Loud", code: "x", validated: true, error: null, attempts: 1, gate: "shown" };
    const { user, actions, become } = showAnswer({ component });
    actions.addComponent.mockImplementation(async () => become({ component: { ...component, gate: "added" } }));
    act(() => press("assistant-approve-button").focus());
    await user.keyboard("{Enter}");
    expect(screen.queryByTestId("assistant-approve-button")).toBeNull();
    expect(press("assistant-component-card")).toHaveFocus();
  });

  it("goes to the word that the version is back, unless the person went elsewhere meanwhile", async () => {
    const { user, actions, become } = showAnswer({ content: "Done", restore }, { restorable: true });
    actions.restore.mockImplementation(async () => become({ content: "Done", restore: { ...restore, reverted: true } }));
    const bring = async (): Promise<void> => {
      await user.click(press("assistant-revert-button"));
      act(() => press("assistant-revert-confirm-button").focus());
      await user.keyboard("{Enter}");
    };
    await bring();
    expect(press("assistant-revert-reverted")).toHaveFocus();
    become({ content: "Done", restore });
    const elsewhere = document.body.appendChild(document.createElement("input"));
    actions.restore.mockImplementation(async () => {
      elsewhere.focus();
      become({ content: "Done", restore: { ...restore, reverted: true } });
    });
    await bring();
    expect(elsewhere).toHaveFocus();
    elsewhere.remove();
  });
});

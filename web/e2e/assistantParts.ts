import type { Locator, Page } from "playwright-core";
import { answer, CHATBOT_SPEC, openPanel, part } from "./assistantSupport";
import { see } from "./harness";
import { calls, means, type Reply, says } from "./modelServer";

/** Builds a chatbot; the last is what the built flow says when it is tried out. */
export function builds(text = "A chatbot for you."): Reply[] {
  return [means("build_flow"), calls("build_flow", { spec: CHATBOT_SPEC }), says(text), says("Hello.")];
}

export const asks = (text: string): Reply[] => [means("question"), says(text)];

export const PLAN = "## Plan\n1. A scraper\n2. An agent";

export function plans(markdown = PLAN, text = "What do you think?"): Reply[] {
  return [means("build_flow"), calls("propose_plan", { plan: markdown }), says(text)];
}

/** Of the newest answer. */
export const proposed = (page: Page): Locator => answer(page).getByTestId("assistant-proposal-card");
export const flowButton = (page: Page, what: "add" | "replace" | "dismiss" | "revert"): Locator =>
  answer(page).getByTestId(`assistant-flow-${what}-button`);
export const plan = (page: Page): Locator => answer(page).getByTestId("assistant-plan-card");
export const planButton = (page: Page, what: "continue" | "dismiss" | "reset"): Locator =>
  part(page, `assistant-plan-${what}-button`);
export const taskRows = (page: Page): Locator => answer(page).locator('[data-testid^="assistant-build-task-"]');
export const reviewBar = (page: Page): Locator => page.getByTestId("assistant-review-bar");

/** A key that belongs to the canvas. */
export async function press(page: Page, keys: string): Promise<void> {
  await page.locator(".ff-canvas").focus();
  await page.keyboard.press(keys);
}

export const undo = (page: Page): Promise<void> => press(page, "Control+z");
export const redo = (page: Page): Promise<void> => press(page, "Control+Shift+z");
/** Everything in view: what is outside of it is not drawn. */
export const showAll = (page: Page): Promise<void> => press(page, "1");

/** Opens the panel on a page whose clock can be put forward from then on. */
export async function openWithClock(page: Page): Promise<void> {
  await openPanel(page);
  await page.clock.install();
}

/** Opens the list of earlier sessions. */
export async function openSessions(page: Page): Promise<Locator> {
  await part(page, "assistant-session-history").click();
  const list = page.getByRole("region", { name: "Earlier sessions" });
  await see(list);
  return list;
}

export const sessionRows = (list: Locator): Locator => list.locator('[data-testid^="session-"]');

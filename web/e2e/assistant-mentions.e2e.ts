import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer, askAndWait, chatbotFlow, hasFocus, IN, input, LLM, openPanel, withAssistant } from "./assistantSupport";
import { card, longFlow } from "./flowSupport";
import { gone, see } from "./harness";
import { calls, means, says } from "./modelServer";

const list = (page: Page) => page.getByTestId("assistant-mention-popover");
const option = (page: Page, id: string) => page.getByTestId(`assistant-mention-option-${id}`);
const options = (page: Page) => list(page).getByRole("option");
const selected = (page: Page, id: string): Promise<boolean> =>
  page.locator(`.react-flow__node[data-id="${id}"]`).evaluate((node) => node.classList.contains("selected"));

describe("a mention", () => {
  it(
    "of a component is found by its name, shown on the canvas, and written as a word the assistant knows",
    withAssistant(
      [means("question"), calls("get_field_value", { component_id: LLM, field_name: "model" }), says("It speaks with gpt-4o.")],
      (server) => chatbotFlow(server),
      async ({ page, sent, models }) => {
        await see(card(page, IN));
        await openPanel(page);
        await page.keyboard.type("What does @");
        await see(list(page));
        await expect.poll(() => options(page).count()).toBe(3);
        await page.keyboard.type("lang");
        await expect.poll(() => options(page).count()).toBe(1);
        await see(option(page, LLM).getByText("Language Model"));
        await expect.poll(() => selected(page, LLM)).toBe(true);
        await page.keyboard.press("Enter");
        await gone(list(page));
        await hasFocus(input(page));
        expect(await input(page).inputValue()).toBe(`What does '${LLM}'`);
        expect(sent()).toEqual([]);
        await askAndWait(page, `${await input(page).inputValue()} do?`);
        await see(answer(page).getByText("It speaks with gpt-4o."));
        expect(sent()[0]?.input_value).toBe(`What does '${LLM}' do?`);
        expect(models.heard()).toContain(LLM);
      },
    ),
  );

  it(
    "of a field follows the component's, without what is not for people, and its value is looked up",
    withAssistant(
      [means("question"), calls("get_field_value", { component_id: LLM, field_name: "model" }), says("gpt-4o it is.")],
      (server) => chatbotFlow(server),
      async ({ page, sent, models }) => {
        await see(card(page, IN));
        await openPanel(page);
        await page.keyboard.type("@lang");
        await option(page, LLM).click();
        await gone(list(page));
        await hasFocus(input(page));
        await page.keyboard.type(".");
        await see(list(page));
        const names = await options(page).allTextContents();
        expect(names.some((name) => name.includes("Language Model"))).toBe(true);
        for (const hidden of ["_type", "code", "_frontend_node_flow_id"])
          expect(await option(page, `${LLM}.${hidden}`).count()).toBe(0);
        await page.keyboard.type("language");
        await page.keyboard.press("Enter");
        await gone(list(page));
        expect((await input(page).inputValue()).trim()).toBe(`'${LLM}.model'`);
        await askAndWait(page, `What is ${(await input(page).inputValue()).trim()}?`);
        await see(answer(page).getByText("gpt-4o it is."));
        expect(sent()[0]?.input_value).toBe(`What is '${LLM}.model'?`);
        expect(models.heard()).toContain("gpt-4o");
      },
    ),
  );

  it(
    "is found by the arrow keys in a list longer than its window, and left by Escape with nothing changed",
    withAssistant([], longFlow(40), async ({ page }) => {
      await see(card(page, "Step-000"));
      await card(page, "Step-000").click();
      await openPanel(page);
      await page.keyboard.type("@");
      await see(list(page));
      await expect.poll(() => options(page).count()).toBe(40);
      for (let at = 0; at < 25; at += 1) await page.keyboard.press("ArrowDown");
      const chosen = list(page).locator('[role="option"][aria-selected="true"]');
      await see(chosen);
      const inside = (): Promise<boolean> =>
        chosen.evaluate((element) => {
          const box = element.getBoundingClientRect();
          const window = element.closest("[data-testid=assistant-mention-popover]")?.getBoundingClientRect();
          return window !== undefined && box.top >= window.top - 1 && box.bottom <= window.bottom + 1;
        });
      await expect.poll(inside).toBe(true);
      expect(await chosen.textContent()).toContain("Step 25");
      await expect.poll(() => selected(page, "Step-025")).toBe(true);
      await page.keyboard.press("Escape");
      await gone(list(page));
      await hasFocus(input(page));
      expect(await input(page).inputValue()).toBe("@");
      // What was chosen before is chosen again.
      await expect.poll(() => selected(page, "Step-000")).toBe(true);
      expect(await selected(page, "Step-025")).toBe(false);
    }),
  );
});

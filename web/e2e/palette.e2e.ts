import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { cards, withFlow } from "./flowSupport";
import { gone, see } from "./harness";

const empty = { nodes: [], edges: [] };
const palette = (page: Page) => page.getByRole("complementary", { name: "Components" });
const search = (page: Page) => palette(page).getByRole("searchbox", { name: "Search components" });
const row = (page: Page, name: string) => palette(page).getByRole("button", { name, exact: true });
const star = (page: Page, name: string) => palette(page).getByRole("button", { name: `Favourite: ${name}` });
const section = (page: Page, name: string) => palette(page).getByRole("region", { name });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "");

describe("the list of components", () => {
  it(
    "is walked, folded and used with the keyboard alone",
    withFlow(empty, async ({ page }) => {
      await see(row(page, "Chat Input"));
      await page.keyboard.press("/");
      await see(search(page).and(page.locator(":focus")));
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => focused(page)).toContain("Input & output");
      await page.keyboard.press("ArrowLeft");
      await gone(row(page, "Chat Input"));
      await page.keyboard.press("ArrowRight");
      await see(row(page, "Chat Input"));
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => focused(page)).toBe("Chat Input");
      await see(page.getByRole("tooltip").getByText("Takes what a person writes in the chat."));
      await page.keyboard.press("Enter");
      await expect.poll(() => cards(page).count()).toBe(1);
      await see(section(page, "Recent").getByText("Chat Input"));
    }),
  );

  it(
    "is searched by name, by what a component does and by its fields; Escape clears, then leaves",
    withFlow(empty, async ({ page }) => {
      await see(row(page, "Chat Input"));
      for (const [text, name] of [
        ["chtout", "Chat Output"],
        ["language model", "Language Model"],
        ["arithmetic", "Calculator"],
        ["fill in the message", ""],
      ]) {
        await search(page).fill(text ?? "");
        if (name) await see(row(page, name));
        else await see(palette(page).getByText("Nothing found for “fill in the message”."));
      }
      await palette(page).getByRole("button", { name: "Clear the search" }).click();
      await see(row(page, "Chat Input"));
      await search(page).fill("parser");
      await search(page).press("Escape");
      expect(await search(page).inputValue()).toBe("");
      await search(page).press("Escape");
      await gone(palette(page));
    }),
  );

  it(
    "keeps favourites and what was used last, for the person and not for the browser",
    withFlow(empty, async ({ page, server }) => {
      await row(page, "Agent").hover();
      await star(page, "Agent").click();
      await see(section(page, "Favourites").getByText("Agent"));
      await search(page).fill("current date");
      await search(page).press("Enter");
      await expect.poll(() => cards(page).count()).toBe(1);
      await expect
        .poll(() => server.call("GET", "/api/v1/preferences"))
        .toMatchObject({ palette: { favourites: ["Agent"], recent: ["CurrentDate"] } });
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await see(section(page, "Favourites").getByText("Agent"), section(page, "Recent").getByText("Current Date"));
      await star(page, "Agent").first().click();
      await gone(section(page, "Favourites"));
    }),
  );

  it(
    "hides old components until they are asked for",
    withFlow(empty, async ({ page }) => {
      await search(page).fill("combine text");
      await see(palette(page).getByRole("button", { name: /legacy or beta/ }));
      expect(await row(page, "Combine Text Legacy").count()).toBe(0);
      await palette(page).getByRole("button", { name: /legacy or beta/ }).click();
      await see(row(page, "Combine Text Legacy"));
      await palette(page).getByRole("button", { name: "Legacy and beta" }).click();
      await palette(page).getByRole("switch", { name: /^Legacy/ }).click();
      await gone(row(page, "Combine Text Legacy"));
    }),
  );

  it(
    "is dragged from: a component and a note",
    withFlow(empty, async ({ page }) => {
      const pane = page.locator(".react-flow__pane");
      await row(page, "Webhook").dragTo(pane, { targetPosition: { x: 60, y: 60 } });
      await expect.poll(() => cards(page).count()).toBe(1);
      await see(section(page, "Recent").getByText("Webhook"));
      await row(page, "Add a note").dragTo(pane, { targetPosition: { x: 500, y: 420 } });
      await expect.poll(() => cards(page).count()).toBe(2);
    }),
  );
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createFlow, createProject, flowNames, gone, see, withApp } from "./harness";

const bar = (page: Page) => page.getByRole("combobox", { name: "Search or run a command" });

describe("the command bar", () => {
  it("finds a flow by a part of its name and opens it", withApp(
    {
      seed: async (server) => {
        await createFlow(server, "Weekly newsletter");
        await createFlow(server, "Invoice reader");
      },
    },
    async ({ page }) => {
      await see(page.getByRole("link", { name: "Invoice reader" }));
      await page.keyboard.press("ControlOrMeta+k");
      const box = bar(page);
      await see(box);
      await page.keyboard.type("newsl");
      const option = page.getByRole("option", { name: "Weekly newsletter" });
      await see(option);
      expect(await option.getAttribute("aria-selected")).toBe("true");
      expect(await box.getAttribute("aria-activedescendant")).toBe(await option.getAttribute("id"));
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/flow\//);
    },
  ));

  it("goes to projects and settings, changes the theme and the language", withApp(
    { seed: (server) => createProject(server, "Reports") },
    async ({ page }) => {
      const command = async (text: string, option: string) => {
        await page.keyboard.press("ControlOrMeta+k");
        await see(bar(page));
        await page.keyboard.type(text);
        await see(page.getByRole("option", { name: option, exact: true }));
        await page.keyboard.press("Enter");
        await gone(bar(page));
      };
      await see(page.getByRole("link", { name: /Reports/ }));
      await command("repor", "Reports");
      await see(page.getByRole("heading", { level: 1, name: "Reports" }));
      await command("api keys", "API keys");
      await see(page.getByRole("heading", { level: 1, name: "API keys" }));
      await command("dark", "Use the dark theme");
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
      await command("trash", "Trash");
      await see(page.getByRole("heading", { level: 1, name: "Trash" }));
      await command("api ref", "API reference");
      await see(page.getByRole("heading", { level: 1, name: "API reference" }));
      await command("portug", "Language: Português");
      await see(page.getByRole("heading", { level: 1, name: "Referência da API" }));
    },
  ));

  it("starts a new flow from anywhere, and says when nothing fits", withApp({ path: "/files" }, async ({ page }) => {
    await see(page.getByRole("heading", { level: 1, name: "Files" }));
    await page.getByRole("button", { name: /Search or run a command/ }).click();
    await bar(page).fill("zzzzzz");
    await see(page.getByText("Nothing fits “zzzzzz”."));
    await bar(page).fill("new flow");
    await page.keyboard.press("Enter");
    await see(page.getByRole("dialog", { name: "New flow" }));
    await page.keyboard.press("Escape");
    await gone(page.getByRole("dialog"));
  }));
});

describe("by keyboard alone", () => {
  it("one creates, finds, renames, selects, deletes and restores", withApp(
    {
      seed: async (server) => {
        for (const name of ["Alpha", "Beta", "Gamma"]) await createFlow(server, name);
      },
    },
    async ({ page }) => {
      await expect.poll(() => flowNames(page)).toHaveLength(3);
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");

      await page.keyboard.press("?");
      await see(page.getByRole("dialog", { name: "Keyboard shortcuts" }));
      await page.keyboard.press("Escape");
      await gone(page.getByRole("dialog"));

      await page.keyboard.press("/");
      await see(page.locator("input:focus"));
      await page.keyboard.type("beta");
      await expect.poll(() => flowNames(page)).toEqual(["Beta"]);
      await page.keyboard.press("Escape");
      await expect.poll(() => flowNames(page)).toHaveLength(3);

      const [first, second] = await flowNames(page);
      for (let presses = 0; presses < 30 && (await focused()) !== first; presses += 1) {
        await page.keyboard.press("Tab");
      }
      expect(await focused()).toBe(first);
      await page.keyboard.press("ArrowRight");
      expect(await focused()).toBe(second);
      await page.keyboard.press("ArrowLeft");

      await page.keyboard.press("F2");
      await see(page.getByRole("dialog"));
      await page.keyboard.type("Renamed");
      await page.keyboard.press("Enter");
      await expect.poll(() => flowNames(page)).toContain("Renamed");
      await gone(page.getByRole("dialog"));

      await page.getByRole("link", { name: "Renamed" }).focus();
      await page.keyboard.press("Space");
      await see(page.getByText("1 selected"));
      await page.keyboard.press("Escape");
      await gone(page.getByText("1 selected"));

      await page.keyboard.press("Delete");
      await expect.poll(() => flowNames(page)).toHaveLength(2);
      await see(page.getByRole("button", { name: "Undo" }));
      await page.getByRole("button", { name: "Undo" }).press("Enter");
      await expect.poll(() => flowNames(page)).toHaveLength(3);

      await page.getByRole("link", { name: "Renamed" }).press("Enter");
      await page.waitForURL(/\/flow\//);
    },
  ));

  it("the first Tab skips to the content", withApp({}, async ({ page }) => {
    await see(page.getByRole("heading", { level: 1 }));
    await page.keyboard.press("Tab");
    await see(page.getByRole("link", { name: "Skip to content" }));
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  }));
});

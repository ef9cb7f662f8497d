import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible } from "./flowSupport";
import { gone, see } from "./harness";
import { conversation, type Example, field, fromEnd, idle, many, said, say, stop, withExample } from "./playgroundSupport";

const articles = (page: Page) => conversation(page).getByRole("article");
const press = async (page: Page, by: string, name: string) => {
  await said(page, by).last().hover();
  await said(page, by).last().getByRole("button", { name, exact: true }).click();
};

/** Every model in the flow is one that has no key here: the run fails at once. */
function withoutKey(data: Example["data"]): void {
  for (const { data: node } of data.nodes) {
    const model = node.node.template?.model;
    if (model) model.value = [{ name: "gpt-4o", provider: "OpenAI" }];
  }
}

describe("an answer", () => {
  it("is generated again, the old one staying until the new one is there, and can be had back", withExample(
    "Basic prompting",
    async ({ page }) => {
      await say(page, many);
      await see(said(page, "AI").getByText(/for a real answer/));
      await idle(page);
      await press(page, "AI", "Regenerate");
      await see(stop(page), said(page, "AI").first().getByText("until the new answer has come"));
      await see(said(page, "AI").nth(1));
      expect(await said(page, "User").count()).toBe(1);
      await idle(page);
      await see(page.getByText("The earlier answer was replaced."));
      await expect.poll(() => articles(page).count()).toBe(2);
      await page.getByRole("button", { name: "Undo" }).click();
      await expect.poll(() => articles(page).count()).toBe(4);
      await page.reload();
      await expect.poll(() => articles(page).count()).toBe(4);
    },
  ));

  it("replaces the old one also when the page is loaded again in between", withExample(
    "Basic prompting",
    async ({ page }) => {
      await say(page, many);
      await idle(page);
      await press(page, "AI", "Regenerate");
      await see(said(page, "AI").nth(1).getByText("word3"));
      await page.reload();
      await see(stop(page));
      await idle(page);
      await expect.poll(() => articles(page).count()).toBe(2);
    },
  ));

  it("stays when it could not be generated again", withExample("Echo", async ({ page, expectErrors }) => {
    expectErrors(/Failed to load resource/);
    await say(page, "Good morning");
    await see(said(page, "AI").getByText("Good morning"));
    await idle(page);
    await page.route("**/api/v2/workflows", (route) => route.abort());
    await press(page, "AI", "Regenerate");
    await see(conversation(page).getByRole("alert").getByText("The server did not answer."));
    expect(await articles(page).count()).toBe(2);
    expect(await field(page).inputValue()).toBe("");
    await page.unroute("**/api/v2/workflows");
    await conversation(page).getByRole("button", { name: "Try again" }).click();
    await see(page.getByText("The earlier answer was replaced."));
    await expect.poll(() => articles(page).count()).toBe(2);
  }));

  it("is judged by a thumb, which is taken back when the server refuses", withExample(
    "Echo",
    async ({ page, expectErrors }) => {
      expectErrors(/Failed to load resource/);
      await say(page, "Judge me");
      await see(said(page, "AI").getByText("Judge me"));
      await idle(page);
      const good = said(page, "AI").getByRole("button", { name: "Good answer" });
      const bad = said(page, "AI").getByRole("button", { name: "Bad answer" });
      const pressed = async () => [await good.getAttribute("aria-pressed"), await bad.getAttribute("aria-pressed")];
      const kept = page.waitForResponse((response) => response.request().method() === "PUT");
      await press(page, "AI", "Good answer");
      await expect.poll(pressed).toEqual(["true", "false"]);
      await kept;
      await page.reload();
      await expect.poll(() => good.count()).toBe(1);
      expect(await pressed()).toEqual(["true", "false"]);
      await press(page, "AI", "Bad answer");
      await expect.poll(pressed).toEqual(["false", "true"]);
      await page.route("**/api/v1/monitor/messages/*", (route) => route.abort());
      await press(page, "AI", "Bad answer");
      await see(page.getByText("The server did not answer."));
      await expect.poll(pressed).toEqual(["false", "true"]);
    },
  ));

  it("shows code in colours, copies it, and runs nothing that is in it", withExample(
    "Echo",
    async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      const code = 'def greet(name):\n    return "Hello " + name  # <script>alert(1)</script>';
      await say(
        page,
        `Look:\n\n\`\`\`python\n${code}\n\`\`\`\n\n<script>alert(2)</script><iframe src="javascript:alert(3)"></iframe><img src=x onerror=alert(4)>\n\n[a](javascript:alert(5)) [b](data:text/html,<script>alert(6)</script>) [c](vbscript:x) ![d](javascript:alert(7))\n\n<svg onload=alert(8)> **done**`,
      );
      const answer = said(page, "AI");
      await see(answer.locator("strong", { hasText: "done" }));
      await idle(page);
      await see(answer.locator(".hljs-keyword", { hasText: "def" }), answer.locator(".hljs-string"));
      await answer.getByRole("button", { name: "Copy code" }).click();
      await see(answer.getByRole("button", { name: "Copied" }));
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
      for (const link of await answer.getByRole("link").all()) {
        expect(await link.getAttribute("href")).toMatch(/^(https?:|$)/);
      }
      expect(await conversation(page).locator("script, iframe, img, svg[onload], [onerror]").count()).toBe(0);
      expect(dialogs).toEqual([]);
    },
  ));
});

describe("a question", () => {
  it("is edited and run again in place of the last turn, or sent anew from further up", withExample(
    "Echo",
    async ({ page }) => {
      await say(page, "First");
      await see(said(page, "AI").getByText("First"));
      await idle(page);
      await press(page, "User", "Edit");
      const text = page.getByRole("textbox", { name: "Text of the message" });
      await text.fill("First, mended");
      await page.getByRole("button", { name: "Save and run again" }).click();
      await see(said(page, "AI").getByText("First, mended"));
      await expect.poll(() => articles(page).count()).toBe(2);
      await idle(page);

      await say(page, "Second");
      await see(said(page, "AI").getByText("Second"));
      await idle(page);
      await said(page, "User").first().hover();
      await said(page, "User").first().getByRole("button", { name: "Edit" }).click();
      await text.fill("Third");
      await page.getByRole("button", { name: "Send as a new message" }).click();
      await see(said(page, "AI").getByText("Third"));
      await idle(page);
      expect(await articles(page).count()).toBe(6);
      await see(said(page, "User").first().getByText("First, mended"));
    },
  ));

  it("can be asked again when the flow failed, and the end stays in view however long it is", withExample(
    "Basic prompting",
    async ({ page }) => {
      await field(page).fill(Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n"));
      await field(page).press("Enter");
      const trouble = conversation(page).getByText(/OpenAI needs its API key\.$/);
      await see(trouble);
      await expect.poll(() => fromEnd(page)).toBeLessThan(5);
      const again = conversation(page).getByRole("button", { name: "Try again" });
      await see(again);
      expect(await again.evaluate((button) => button.getBoundingClientRect().bottom < innerHeight)).toBe(true);
      const runs = page.waitForResponse((response) => response.url().endsWith("/api/v2/workflows"));
      await again.click();
      await runs;
      await idle(page);
      // For a moment question and failure stand there twice: the first go when the second are taken.
      await expect
        .poll(() => Promise.all([said(page, "User").count(), trouble.count(), again.count()]))
        .toEqual([1, 1, 1]);
      await see(again.first(), trouble.first());
    },
    { change: withoutKey },
  ));
});

it.each(["light", "dark"] as const)("is free of what axe finds in the %s theme", async (theme) => {
  await withExample(
    "Echo",
    async ({ page }) => {
      await say(page, "```rust\nfn main() { let a: u8 = 1; } // c\n```\n\n```json\n{\"a\": [1, true, \"x\"]}\n```");
      await see(said(page, "AI").locator(".hljs-keyword").first());
      await idle(page);
      await press(page, "AI", "Good answer");
      await press(page, "User", "Edit");
      await expectAccessible(page);
      await page.getByRole("textbox", { name: "Text of the message" }).press("Escape");
      await gone(page.getByRole("textbox", { name: "Text of the message" }));
    },
    { theme },
  )();
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer, ask, askAndWait, chatbotFlow, emptyFlow, idle, messages, openPanel, panel, part, progress, withAssistant } from "./assistantSupport";
import { openSessions, sessionRows } from "./assistantParts";
import { cannedTurns, complete, step } from "./cannedTurns";
import { contents, gone, see } from "./harness";
import { calls, gate, means, says } from "./modelServer";

const DOCS = "# Chatbot\n\nIt **chats** with you.\n";
const file = (page: Page, path: string) => panel(page).getByTestId(`assistant-file-card-${path}`).last();
const open = (page: Page, path: string) => panel(page).getByTestId(`assistant-file-open-button-${path}`).last();
const save = (page: Page, path: string) => panel(page).getByTestId(`assistant-file-download-button-${path}`).last();
const shown = (page: Page) => page.getByTestId("file-content-modal");

async function downloaded(page: Page, path: string): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), save(page, path).click()]);
  return { name: download.suggestedFilename(), text: (await contents(download)).toString() };
}

describe("a file the assistant writes", () => {
  it("is there without anything to agree to, and is opened and downloaded without asking the server again", async () => {
    const held = gate();
    const script = [
      means("manage_files"),
      calls("write_file", { path: "FLOW_DOCS.md", content: DOCS }, held),
      calls("edit_file", { path: "FLOW_DOCS.md", old: "chats", new: "talks" }),
      says("Written."),
    ];
    await withAssistant(script, (server) => chatbotFlow(server), async ({ page }) => {
      const fetched: string[] = [];
      page.on("request", (request) => void (request.url().includes("/agentic/files") && fetched.push(request.url())));
      await openPanel(page);
      await ask(page, "create a markdown file documenting this flow");
      await see(progress(page).getByText("Generating document…"));
      held.open();
      await see(answer(page).getByText("Written."), file(page, "FLOW_DOCS.md"));
      await idle(page);
      // Written and changed: one file, one card.
      expect(await panel(page).locator('[data-testid^="assistant-file-card-"]').count()).toBe(1);
      expect(await answer(page).getByRole("button", { name: /continue|add to canvas/i }).count()).toBe(0);

      await see(file(page, "FLOW_DOCS.md").getByText(/^Changed/));
      await open(page, "FLOW_DOCS.md").click();
      await see(shown(page).getByText("Chatbot", { exact: true }), shown(page).locator("strong").getByText("talks"));
      await page.keyboard.press("Escape");
      await gone(shown(page));
      await see(panel(page));
      expect(await downloaded(page, "FLOW_DOCS.md")).toEqual({ name: "FLOW_DOCS.md", text: DOCS.replace("chats", "talks") });
      expect(fetched).toEqual([]);
    })();
  });

  it(
    "has no card when it was only read, searched or refused",
    withAssistant(
      [
        means("manage_files"),
        calls("write_file", { path: "NOTES.md", content: "buy tea\nthe API key is elsewhere\n" }),
        says("Noted."),
        means("manage_files"),
        calls("read_file", { path: "NOTES.md" }),
        says("You are to buy tea."),
        means("manage_files"),
        calls("grep_search", { pattern: "API key" }),
        says("In NOTES.md."),
        means("manage_files"),
        calls("write_file", { path: "../escape.md", content: "out" }),
        calls("read_file", { path: ".components/SumComponent.py" }),
        says("That is not allowed."),
      ],
      emptyFlow,
      async ({ page, models }) => {
        await openPanel(page);
        await askAndWait(page, "note that I have to buy tea");
        await see(file(page, "NOTES.md"));
        for (const [text, said] of [
          ["read the NOTES.md file", "You are to buy tea."],
          ["find 'API key' across my docs", "In NOTES.md."],
          ["write ../escape.md and read .components/SumComponent.py", "That is not allowed."],
        ] as const) {
          await askAndWait(page, text);
          await see(answer(page).getByText(said));
          expect(await answer(page).locator('[data-testid^="assistant-file-card-"]').count()).toBe(0);
        }
        expect(models.heard()).toContain("reserved");
        expect(await panel(page).locator('[data-testid^="assistant-file-card-"]').count()).toBe(1);
      },
    ),
  );

  it(
    "is fetched when it did not come along, says so when it is gone, and never runs what is written in it",
    withAssistant(
      [means("manage_files"), calls("write_file", { path: "long.md", content: `# Long\n\n${"A line of it.\n\n".repeat(2000)}` }), says("Written.")],
      emptyFlow,
      async ({ page, expectErrors }) => {
        expectErrors(/status of 404/);
        await openPanel(page);
        await askAndWait(page, "write a long file");
        await see(file(page, "long.md"));
        await page.reload();
        await openPanel(page);
        await sessionRows(await openSessions(page)).first().click();
        await expect.poll(() => messages(page).count()).toBe(2);
        const asked = page.waitForResponse((response) => response.url().includes("/agentic/files"));
        await open(page, "long.md").click();
        expect((await asked).status()).toBe(200);
        await see(shown(page).getByText("Long", { exact: true }));
        await page.keyboard.press("Escape");

        const nasty = `# Fine <img src=x onerror="document.title='hacked'">\n\n<script>document.title='hacked'</script>\n\n[here](javascript:document.title='hacked')\n`;
        const canned = await cannedTurns(page);
        canned.next(
          step("generating_document"),
          { event: "file_written", action: "write_file", path: "nasty.md", size: nasty.length, content: nasty },
          { event: "file_written", action: "write_file", path: "<img src=x onerror=alert(1)>.html", size: 40, content: "<script>document.title='hacked'</script>" },
          { event: "file_written", action: "write_file", path: "lost.md", size: 3 },
          { event: "file_written", action: "write_file", path: "empty.md", size: 0, content: "" },
          complete("There."),
        );
        await askAndWait(page, "write some more");
        await open(page, "nasty.md").click();
        await see(shown(page).getByText(/^Fine/));
        expect(await shown(page).locator("img, script, a[href^='javascript']").count()).toBe(0);
        await page.keyboard.press("Escape");
        await open(page, "<img src=x onerror=alert(1)>.html").click();
        await see(shown(page).getByText("<script>document.title='hacked'</script>"));
        await page.keyboard.press("Escape");
        await open(page, "empty.md").click();
        await see(page.getByTestId("file-content-modal-empty"));
        await page.keyboard.press("Escape");
        await open(page, "lost.md").click();
        await see(file(page, "lost.md").getByRole("alert"));
        expect(await shown(page).count()).toBe(0);
        expect(await page.title()).not.toContain("hacked");
        await see(part(page, "assistant-input-textarea"));
      },
    ),
  );
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer, askAndWait, command, echoFlow, input, kept, messages, openPanel, withAssistant } from "./assistantSupport";
import { asks } from "./assistantParts";
import { see } from "./harness";

const KEY = "langflow-assistant-input-history";
const written = (page: Page): Promise<string> => input(page).inputValue();
const cursor = (page: Page): Promise<number[]> =>
  input(page).evaluate((field: HTMLTextAreaElement) => [field.selectionStart, field.selectionEnd]);
const key = async (page: Page, name: "ArrowUp" | "ArrowDown", shows: string): Promise<void> => {
  await input(page).press(name);
  await expect.poll(() => written(page)).toBe(shows);
};
const history = async (page: Page): Promise<unknown> => JSON.parse((await kept(page, KEY)) ?? "[]") as unknown;

describe("what was written to the assistant before", () => {
  it(
    "comes back with the arrow keys, older and older and no further, and what was being written is not lost",
    withAssistant([], echoFlow, async ({ page, sent, counted }) => {
      await page.evaluate((name) => localStorage.setItem(name, JSON.stringify(["latest", "older", "oldest"])), KEY);
      await openPanel(page);
      await key(page, "ArrowUp", "latest");
      expect(await cursor(page)).toEqual([6, 6]);
      await key(page, "ArrowUp", "older");
      await key(page, "ArrowUp", "oldest");
      await key(page, "ArrowUp", "oldest");
      await key(page, "ArrowDown", "older");
      await key(page, "ArrowDown", "latest");
      await key(page, "ArrowDown", "");
      await key(page, "ArrowDown", "");

      await input(page).fill("my draft");
      await key(page, "ArrowUp", "latest");
      await key(page, "ArrowDown", "my draft");
      await key(page, "ArrowDown", "my draft");

      // In a text of several lines the arrows belong to the text, until they are at its edge.
      await input(page).fill("");
      await input(page).pressSequentially("line one");
      await input(page).press("Shift+Enter");
      await input(page).pressSequentially("line two");
      await key(page, "ArrowUp", "line one\nline two");
      expect((await cursor(page))[0]).toBeLessThanOrEqual("line one".length);
      await key(page, "ArrowUp", "latest");
      await key(page, "ArrowDown", "line one\nline two");
      expect(sent()).toEqual([]);
      // Three steps back into the past, then one and one.
      expect(counted().filter((name) => name === "assistant_input_history_recall_total").length).toBeGreaterThanOrEqual(5);
    }),
  );

  it(
    "is kept when it is sent, the same thing once in a row, over a reload, and a command too",
    withAssistant([], echoFlow, async ({ page, models }) => {
      models.push(...["1", "2", "3", "4"].flatMap((text) => asks(`Answer ${text}.`)));
      await openPanel(page);
      await askAndWait(page, "hello");
      await askAndWait(page, "hello");
      await expect.poll(() => history(page)).toEqual(["hello"]);
      await askAndWait(page, "world");
      await askAndWait(page, "hello");
      await expect.poll(() => history(page)).toEqual(["hello", "world", "hello"]);
      await page.reload();
      await openPanel(page);
      await key(page, "ArrowUp", "hello");
      await key(page, "ArrowUp", "world");
      await command(page, "/history");
      await expect.poll(() => history(page)).toEqual(["/history", "hello", "world", "hello"]);
    }),
  );
});

describe("how much the assistant remembers and how long it works", () => {
  it(
    "is said with commands that nobody else hears; what is sent says it, also after a reload",
    withAssistant([], echoFlow, async ({ page, sent, models }) => {
      const last = async (text: string): Promise<unknown> => {
        models.push(...asks("Yes."));
        await askAndWait(page, text);
        const { history_limit, iterations_limit } = sent().at(-1) ?? {};
        return { history_limit, iterations_limit };
      };
      const tells = async (text: string, note: RegExp): Promise<void> => {
        await command(page, text);
        await see(messages(page).last().getByText(note));
      };
      await openPanel(page);
      expect(await last("My flow is called Rosalind")).toEqual({ history_limit: undefined, iterations_limit: undefined });
      await tells("/history", /^The server decides how many earlier turns/);
      await tells("/history 0", /^The model is told nothing/);
      await tells("/iterations 7", /^A turn may take 7 rounds/);
      const before = models.asked().length;
      expect(await last("What is it called?")).toEqual({ history_limit: 0, iterations_limit: 7 });
      expect(JSON.stringify(models.asked().slice(before))).not.toContain("Rosalind");

      await tells("/history all", /^The model is told the last 100 turns/);
      await tells("/history", /^The model is told the last 100 turns/);
      await tells("/iterations 201", /^That was not understood\. Write \/iterations/);
      await tells("/iterations 0", /^That was not understood/);
      await tells("/history many", /^That was not understood\. Write \/history/);
      const again = models.asked().length;
      expect(await last("And now?")).toEqual({ history_limit: 100, iterations_limit: 7 });
      expect(JSON.stringify(models.asked().slice(again))).toContain("Rosalind");

      await page.reload();
      await openPanel(page);
      expect(await last("Still there?")).toEqual({ history_limit: 100, iterations_limit: 7 });
      await tells("/history clear", /^The server decides how many earlier turns/);
      await tells("/iterations default", /^The server decides how many rounds/);
      const asked = sent().length;
      // These only look like commands.
      expect(await last("/historyx")).toEqual({ history_limit: undefined, iterations_limit: undefined });
      await last("tell me about /history");
      expect(sent().slice(asked).map(({ input_value }) => input_value)).toEqual(["/historyx", "tell me about /history"]);
      await see(answer(page).getByText("Yes."));
    }),
  );
});

import { describe, expect, it } from "vitest";
import {
  answer,
  answers,
  ask,
  askAndWait,
  echoFlow,
  hasFocus,
  idle,
  IN,
  input,
  kept,
  messages,
  openPanel,
  OUT,
  panel,
  part,
  progress,
  sendButton,
  stopButton,
  withAssistant,
} from "./assistantSupport";
import { pull } from "./editorSupport";
import { card, FLOW_ID, settled, zoom } from "./flowSupport";
import { gone, see } from "./harness";
import { gate, means, says } from "./modelServer";

describe("the assistant's panel", () => {
  it(
    "opens from the tools of the canvas and by its key, ready to write, and Escape closes it from anywhere",
    withAssistant([], echoFlow, async ({ page }) => {
      await see(card(page, IN));
      await openPanel(page);
      await page.keyboard.press("Escape");
      await gone(panel(page));

      await card(page, IN).focus();
      await page.keyboard.press("a");
      await see(panel(page));
      await hasFocus(input(page));
      expect(await input(page).inputValue()).toBe("");
      // There it is a letter like any other.
      await page.keyboard.press("a");
      await expect.poll(() => input(page).inputValue()).toBe("a");
      await card(page, OUT).focus();
      await page.keyboard.press("a");
      await gone(panel(page));

      await page.keyboard.press("a");
      await hasFocus(input(page));
      expect(await input(page).inputValue()).toBe("a");
      await card(page, OUT).focus();
      await page.keyboard.press("Escape");
      await gone(panel(page));
    }),
  );

  it(
    "has a key that is listed in the settings and can be another",
    withAssistant([], echoFlow, async ({ page, server }) => {
      await page.goto(`${server.url}/settings/shortcuts`);
      const change = page.getByRole("button", { name: /^Change the keys of .*assistant/i });
      await see(change);
      expect(await change.getAttribute("aria-label")).toMatch(/now A$/);
      const stored = page.waitForResponse((response) => response.url().endsWith("/api/v1/preferences/shortcuts") && response.request().method() === "PUT");
      await change.click();
      await see(page.getByRole("button", { name: /^Press the keys for .*assistant/i }));
      await page.keyboard.press("Shift+J");
      await stored;
      await page.goto(`${server.url}/flow/${FLOW_ID}`);
      await see(card(page, IN));
      await card(page, IN).focus();
      await page.keyboard.press("Shift+J");
      await see(panel(page));
      await hasFocus(input(page));
    }),
  );

  it(
    "says that it is at work and stops when told to: what was said stays, the answer says so, and the next one comes",
    async () => {
      const held = gate();
      const script = [means("question"), says("The beginning ", held, "never seen"), means("question"), says("Here I am again.")];
      await withAssistant(script, echoFlow, async ({ page, sent }) => {
        const hint = () => input(page).getAttribute("placeholder");
        await openPanel(page);
        expect(await hint()).not.toMatch(/Working on it/);
        await ask(page, "Tell me a long story about flows");
        await see(answer(page).getByText("The beginning"));
        await expect.poll(hint).toMatch(/^Working on it/);
        await stopButton(page).click();
        await idle(page);
        await expect.poll(hint).not.toMatch(/Working on it/);
        await see(answer(page).getByText("The beginning"), answer(page).getByText(/^Stopped here/));
        expect(await answer(page).getAttribute("data-status")).toBe("cancelled");
        await gone(progress(page));
        held.open();
        await askAndWait(page, "And now?");
        await see(answer(page).getByText("Here I am again."));
        expect(await hint()).not.toMatch(/Working on it/);
        expect(await panel(page).getByText("never seen").count()).toBe(0);
        expect(await answers(page).count()).toBe(2);
        expect(sent().map((body) => body.input_value)).toEqual(["Tell me a long story about flows", "And now?"]);
      })();
    },
  );

  it(
    "begins anew on request: nothing is shown, nothing is remembered, and what was under way has ended",
    async () => {
      const held = gate();
      const script = [
        means("question"),
        says("It is called Rosalind."),
        means("question"),
        says("I am still ", held, "talking"),
        means("question"),
        says("Which flow?"),
      ];
      await withAssistant(script, echoFlow, async ({ page, sent, resets, models }) => {
        await openPanel(page);
        await askAndWait(page, "My flow is called Rosalind, remember");
        await ask(page, "Say more");
        await see(answer(page).getByText("I am still"));
        const before = await settled(() => panel(page).boundingBox());
        await part(page, "assistant-new-session").click();
        await idle(page);
        await expect.poll(() => messages(page).count()).toBe(0);
        expect(await settled(() => panel(page).boundingBox())).toEqual(before);
        held.open();

        await askAndWait(page, "What is my flow called?");
        await see(answer(page).getByText("Which flow?"));
        expect(await messages(page).count()).toBe(2);
        const [first, , last] = sent().map((body) => body.session_id);
        expect(first).toMatch(/^agentic_\w{16}$/);
        expect(last).not.toBe(first);
        expect(resets()).toContain(last);
        const asked = models.asked().slice(-2);
        expect(JSON.stringify(asked)).not.toContain("Rosalind");
      })();
    },
  );

  it(
    "is made larger by its edges, stays so over a reload, and leaves the canvas beside it usable",
    withAssistant([means("question"), says("A drawing that runs."), means("question"), says("Indeed.")], echoFlow, async ({ page }) => {
      const size = () => settled(() => panel(page).boundingBox());
      await openPanel(page);
      await askAndWait(page, "What is a flow?");
      const before = await size();
      await pull(page, part(page, "assistant-resize-left"), { dx: -60, dy: 0 });
      await pull(page, part(page, "assistant-resize-top"), { dx: 0, dy: -40 });
      const after = await size();
      expect(after?.width).toBeGreaterThan((before?.width ?? 0) + 40);
      expect(after?.height).toBeGreaterThan((before?.height ?? 0) + 30);
      await expect.poll(() => kept(page, "langflow-assistant-panel-size")).not.toBeNull();
      await page.reload();
      await openPanel(page);
      await askAndWait(page, "Really?");
      const again = await size();
      expect(again?.width).toBeCloseTo(after?.width ?? 0, 0);
      expect(again?.height).toBeCloseTo(after?.height ?? 0, 0);
      await card(page, IN).focus();
      await page.keyboard.press("Enter");
      await see(page.getByRole("complementary", { name: "Inspector" }), panel(page));
    }, { size: { width: 1600, height: 900 } }),
  );

  it(
    "stands over tools that keep their places while the zoom changes",
    withAssistant([], echoFlow, async ({ page }) => {
      const tools = page.getByRole("toolbar", { name: "View" });
      await see(card(page, IN), page.getByTestId("assistant-toggle"));
      const places = (): Promise<number[]> =>
        tools.getByRole("button").evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().x));
      const seen = new Set<string | null>();
      const begin = await settled(places);
      for (const name of ["Zoom out", "Zoom in", "Zoom in", "Zoom in", "Zoom in"]) {
        const last = await zoom(page);
        await tools.getByRole("button", { name, exact: true }).click();
        await expect.poll(() => zoom(page)).not.toBe(last);
        seen.add(await zoom(page));
        expect(await places()).toEqual(begin);
      }
      expect(seen.size).toBeGreaterThan(3);
    }),
  );

  it(
    "opens a long conversation at its end, at once",
    withAssistant(
      Array.from({ length: 17 }, (_, at) => [means("question"), says(`Answer number ${at}. ${"More words. ".repeat(30)}`)]).flat(),
      echoFlow,
      async ({ page }) => {
        await openPanel(page);
        for (let at = 0; at < 17; at += 1) await askAndWait(page, `Question number ${at}`);
        await page.keyboard.press("Escape");
        await gone(panel(page));
        await page.getByTestId("assistant-toggle").click();
        await see(panel(page));
        const last = messages(page).last();
        await see(last.getByText(/Answer number 16/));
        // The end is where one looks, without any way to it that could be seen.
        const box = await panel(page).boundingBox();
        const end = await part(page, "assistant-usage").last().boundingBox();
        expect(end && box && end.y < box.y + box.height && end.y > box.y).toBe(true);
        // What is far above is not drawn until somebody wants it.
        const drawn = await messages(page).count();
        expect(drawn).toBeLessThanOrEqual(30);
        await panel(page).getByRole("button", { name: /earlier message/ }).click();
        await see(messages(page).getByText("Question number 0", { exact: true }));
        expect(await messages(page).count()).toBeGreaterThan(drawn);
        await see(sendButton(page));
      },
    ),
  );
});

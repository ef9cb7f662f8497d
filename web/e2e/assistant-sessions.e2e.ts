import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  answer,
  ask,
  askAndWait,
  command,
  component,
  echoFlow,
  emptyFlow,
  idle,
  input,
  kept,
  messages,
  openPanel,
  panel,
  part,
  usage,
  withAssistant,
} from "./assistantSupport";
import { asks, builds, flowButton, openSessions, proposed, sessionRows } from "./assistantParts";
import { cards } from "./flowSupport";
import { createFlow, gone, see, type TestServer } from "./harness";
import { means, writes } from "./modelServer";

const KEY = "langflow-assistant-sessions";

interface Stored {
  id: string;
  flowId: string;
  title: string;
  at: number;
}

const stored = async (page: Page): Promise<Stored[]> => JSON.parse((await kept(page, KEY)) ?? "[]") as Stored[];
const generated = async (server: TestServer): Promise<string[]> =>
  ((await server.call("GET", "/api/v1/user_components")) as { class_name: string }[]).map(({ class_name }) => class_name);
const newSession = async (page: Page): Promise<void> => {
  await part(page, "assistant-new-session").click();
  await expect.poll(() => messages(page).count()).toBe(0);
};

describe("sessions of the assistant", () => {
  it(
    "begin with nothing kept on the server, on the first opening, on request and on a reload; an earlier one goes on with what there is",
    withAssistant([], emptyFlow, async ({ page, resets, sent, server, models }) => {
      const write = async (text: string): Promise<void> => {
        models.push(means("generate_component"), writes(component()));
        await askAndWait(page, text);
        await see(part(page, "assistant-component-card"));
        expect(await generated(server)).toEqual(["UppercaseText"]);
      };
      await openPanel(page);
      await expect.poll(() => resets().length).toBe(1);
      await write("Create a component that turns text into capitals");
      expect(resets()).toEqual([sent()[0]?.session_id]);
      // Closed and opened it is the same talk.
      await page.keyboard.press("Escape");
      await gone(panel(page));
      await openPanel(page);
      expect(await messages(page).count()).toBe(2);
      expect(resets()).toHaveLength(1);

      await newSession(page);
      await expect.poll(() => resets().length).toBe(2);
      await expect.poll(() => generated(server)).toEqual([]);
      await write("Once more, please");
      expect(sent()[1]?.session_id).toBe(resets()[1]);
      expect(resets()[1]).not.toBe(resets()[0]);

      await sessionRows(await openSessions(page)).filter({ hasText: "Create a component" }).click();
      await see(messages(page).first().getByText("Create a component that turns text into capitals"));
      models.push(...asks("Still here."));
      await askAndWait(page, "are you still there?");
      expect(sent()[2]?.session_id).toBe(sent()[0]?.session_id);
      expect(resets()).toHaveLength(2);
      expect(await generated(server)).toEqual(["UppercaseText"]);

      await page.reload();
      await openPanel(page);
      await expect.poll(() => resets().length).toBe(3);
      expect(new Set(resets()).size).toBe(3);
      await expect.poll(() => generated(server)).toEqual([]);
    }),
  );

  it(
    "are kept by their first words, ten of each flow, to be opened, gone on with and deleted, and back again",
    withAssistant([...builds(), ...asks("Newest.")], emptyFlow, async ({ page, server, sent }) => {
      const other = await createFlow(server, "Another flow");
      await openPanel(page);
      await askAndWait(page, `Build me a chatbot ${"and another thing ".repeat(10)}`);
      await see(flowButton(page, "add"));
      const cost = await usage(page).textContent();
      const [first] = await stored(page);
      expect(first?.title.length).toBeLessThanOrEqual(80);
      expect(first?.title).toMatch(/^Build me a chatbot and another thing/);
      // Ten more, and one of another flow, as earlier visits would have left them.
      await page.evaluate(
        ([name, flow]) => {
          const [one] = JSON.parse(localStorage.getItem(name) ?? "[]") as Stored[];
          const older = Array.from({ length: 10 }, (_, index) => ({ ...one, id: `old-${index}`, title: `Old ${index}`, at: 1000 - index }));
          const foreign = { ...one, id: "foreign", flowId: flow, title: "Of another flow", at: 5 };
          localStorage.setItem(name, JSON.stringify([one, ...older, foreign]));
        },
        [KEY, other.id] as const,
      );
      await newSession(page);
      await askAndWait(page, "the newest talk");
      const list = await stored(page);
      expect(list.filter(({ flowId }) => flowId === first?.flowId)).toHaveLength(10);
      expect(list.map(({ title }) => title)).toContain("Of another flow");
      expect(list[0]?.title).toBe("the newest talk");
      expect(list.some(({ id }) => id === "old-9")).toBe(false);

      let menu = await openSessions(page);
      expect(await sessionRows(menu).count()).toBe(10);
      expect(await menu.getByText("Of another flow").count()).toBe(0);
      await sessionRows(menu).filter({ hasText: "Build me a chatbot" }).click();
      await see(proposed(page));
      // What it cost is still known; what it proposed can be looked at and no longer taken.
      expect(await usage(page).textContent()).toBe(cost);
      expect(await flowButton(page, "add").count()).toBe(0);
      await see(proposed(page).getByText("Dismissed", { exact: true }));
      expect(await cards(page).count()).toBe(0);

      menu = await openSessions(page);
      await menu.getByTestId("delete-session-old-0").click();
      await gone(menu.getByTestId("session-old-0"));
      expect((await stored(page)).some(({ id }) => id === "old-0")).toBe(false);
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await expect.poll(async () => (await stored(page)).some(({ id }) => id === "old-0")).toBe(true);

      await page.goto(`${server.url}/flow/${other.id}`);
      await openPanel(page);
      menu = await openSessions(page);
      expect(await sessionRows(menu).allTextContents()).toHaveLength(1);
      await see(menu.getByText("Of another flow"));
      expect(sent()).toHaveLength(2);
    }),
  );

  it(
    "in two tabs have nothing to do with each other: proposals stay where they were made, and both are kept",
    withAssistant([...builds("For the first."), ...builds("For the second.")], emptyFlow, async ({ page, context, sent }) => {
      const second = await context.newPage();
      await second.goto(page.url());
      await openPanel(page);
      await openPanel(second);
      await askAndWait(page, "a chatbot in the first tab");
      await see(answer(page).getByText("For the first."), flowButton(page, "add"));
      expect(await messages(second).count()).toBe(0);
      await askAndWait(second, "a chatbot in the second tab");
      await see(answer(second).getByText("For the second."), flowButton(second, "add"));
      await see(flowButton(page, "add"));
      expect(await messages(page).count()).toBe(2);
      expect(new Set(sent().map(({ session_id }) => session_id)).size).toBe(2);
      expect((await stored(page)).map(({ title }) => title).toSorted()).toEqual(["a chatbot in the first tab", "a chatbot in the second tab"]);
      await flowButton(second, "dismiss").click();
      await gone(flowButton(second, "add"));
      await see(flowButton(page, "add"));
      expect((await stored(second)).length).toBe(2);
    }),
  );

  it(
    "go on where the browser keeps nothing, and when the server cannot be told that one begins",
    withAssistant([...asks("Hello."), ...asks("Hello again."), ...builds()], echoFlow, async ({ page, context, expectErrors, sent }) => {
      expectErrors(/status of 503/);
      await context.addInitScript(() => {
        Object.defineProperty(window, "localStorage", {
          get() {
            throw new DOMException("The operation is insecure.", "SecurityError");
          },
        });
      });
      await page.route("**/api/v1/agentic/sessions/reset*", (route) =>
        route.fulfill({ status: 503, json: { detail: "Not now.", code: "unavailable" } }),
      );
      await page.reload();
      await openPanel(page);
      await askAndWait(page, "hello");
      await see(answer(page).getByText("Hello."));
      await input(page).press("ArrowUp");
      expect(await input(page).inputValue()).toBe("");
      await command(page, "/skip-all");
      await see(part(page, "assistant-skip-all-badge"));
      await command(page, "/skip-all");
      await gone(part(page, "assistant-skip-all-badge"));
      await newSession(page);
      await ask(page, "hello again");
      await see(answer(page).getByText("Hello again."));
      await idle(page);
      const menu = await openSessions(page);
      expect(await sessionRows(menu).count()).toBe(0);
      await page.keyboard.press("Escape");
      await askAndWait(page, "Build me a simple chatbot");
      await see(flowButton(page, "add"));
      expect(sent()).toHaveLength(3);
      await page.reload();
      await openPanel(page);
      expect(await part(page, "assistant-skip-all-badge").count()).toBe(0);
    }),
  );
});

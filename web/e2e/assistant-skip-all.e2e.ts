import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  answer,
  answers,
  ask,
  askAndWait,
  CHATBOT_SPEC,
  command,
  component,
  echoFlow,
  emptyFlow,
  idle,
  kept,
  messages,
  openPanel,
  OUT,
  panel,
  part,
  progress,
  withAssistant,
} from "./assistantSupport";
import { asks, builds, flowButton, plan, plans, redo, undo } from "./assistantParts";
import { saved, savedFlow } from "./editorSupport";
import { cards } from "./flowSupport";
import { gone, see } from "./harness";
import { calls, gate, means, says, writes } from "./modelServer";

const KEY = "langflow-assistant-skip-all";
const badge = (page: Page) => part(page, "assistant-skip-all-badge");

interface Watched {
  answers: number;
  plans: number;
  proposals: number;
  /** The answer's element was another one than before. */
  replaced: number;
  /** It was at work and showed no progress, another element of it, or the very beginning once more. */
  blinks: number;
  states: string[];
}

/** From now on looks at every change of the page that the first answer might blink in. */
async function watchAnswer(page: Page): Promise<() => Promise<Watched>> {
  const seen = await page.evaluateHandle(() => {
    const watched: Watched = { answers: 0, plans: 0, proposals: 0, replaced: 0, blinks: 0, states: [] };
    let element: Element | null = null;
    let bar: Element | null = null;
    let flowing = false;
    const look = (): void => {
      const all = document.querySelectorAll<HTMLElement>('[data-testid^="assistant-message-"][data-status]');
      const [first] = all;
      watched.answers = Math.max(watched.answers, all.length);
      watched.plans += document.querySelectorAll("[data-testid=assistant-plan-card]").length;
      watched.proposals += document.querySelectorAll("[data-testid=assistant-proposal-card]").length;
      if (!first) {
        if (element) watched.replaced += 1;
        return;
      }
      if (element && element !== first) watched.replaced += 1;
      element = first;
      const state = first.dataset.status ?? "";
      if (watched.states.at(-1) !== state) watched.states.push(state);
      if (state !== "streaming") return;
      const shown = first.querySelector("[data-testid=assistant-progress]");
      const text = shown?.textContent ?? "";
      flowing ||= text.includes("Generating flow…");
      if (!shown || (bar && bar !== shown) || (flowing && text.includes("Thinking…"))) watched.blinks += 1;
      bar = shown;
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    return watched;
  });
  return () => seen.evaluate((watched) => watched);
}

describe("who does not want to be asked", () => {
  it(
    "says so with a command, is told so, and it stays so over a reload until it is said again; anything longer is a message",
    withAssistant([...asks("There is such a command."), ...builds()], emptyFlow, async ({ page, sent, counted }) => {
      await openPanel(page);
      await askAndWait(page, "/skip-all please");
      expect(sent().map(({ input_value }) => input_value)).toEqual(["/skip-all please"]);
      expect(await kept(page, KEY)).not.toBe("true");
      expect(await badge(page).count()).toBe(0);

      await command(page, "  /skip-all ");
      await see(messages(page).last().getByText(/^Skip-all is on/), badge(page));
      await expect.poll(() => kept(page, KEY)).toBe("true");
      expect(await badge(page).getAttribute("aria-describedby")).toBeTruthy();
      await badge(page).hover();
      await see(page.getByText(/taken without asking \(\/skip-all\)/).last());
      await page.reload();
      await openPanel(page);
      await see(badge(page));
      await command(page, "/skip-all");
      await see(messages(page).last().getByText(/^Skip-all is off/));
      await gone(badge(page));
      await expect.poll(() => kept(page, KEY)).not.toBe("true");
      expect(counted()).toEqual(["assistant_skip_all_toggle_total", "assistant_skip_all_toggle_total"]);
      expect(sent()).toHaveLength(1);
      // From now on everything is asked about again.
      await askAndWait(page, "Build me a simple chatbot");
      await see(flowButton(page, "add"));
      expect(await cards(page).count()).toBe(0);
    }),
  );

  it("sees one answer from the request to the flow on the canvas: no plan, no proposal, no seam", async () => {
    const [waits, builds2] = [gate(), gate()];
    const script = [
      means("build_flow"),
      calls("propose_plan", { plan: "## Plan\n1. A crawler" }, "I propose a plan and wait."),
      says("Please ", waits, "agree."),
      calls("build_flow", { spec: CHATBOT_SPEC }, builds2),
      says("There it is."),
    ];
    await withAssistant(script, emptyFlow, async ({ page, sent, counted, server }) => {
      await openPanel(page);
      await command(page, "/skip-all");
      await see(badge(page));
      const before = await messages(page).count();
      const seen = await watchAnswer(page);
      await ask(page, "build me a flow with an agent and a web crawler");
      await waits.reached;
      waits.open();
      // The second stream has begun, with the agreement that nobody gave.
      await builds2.reached;
      await expect.poll(() => sent().length).toBe(2);
      await see(progress(page));
      expect(await answer(page).getByText(/I propose|Please|agree/).count()).toBe(0);
      builds2.open();
      await see(answer(page).getByText("There it is."));
      await idle(page);
      await expect.poll(() => cards(page).count()).toBe(3);
      await saved(server, (flow) => flow.data.nodes.length === 3 && flow.data.edges.length === 2);
      expect(await seen()).toEqual({ answers: 1, plans: 0, proposals: 0, replaced: 0, blinks: 0, states: ["streaming", "complete"] });
      expect(await messages(page).count()).toBe(before + 2);
      expect(sent().map(({ input_value }) => input_value)).toEqual([
        "build me a flow with an agent and a web crawler",
        "User approved the plan. Proceed with the build.",
      ]);
      expect(await panel(page).getByText(/User approved/).count()).toBe(0);
      expect(counted()).toContain("assistant_skip_all_auto_approve_total");
      // Not asked does not mean that there is no way back.
      await undo(page);
      await expect.poll(() => cards(page).count()).toBe(0);
      await redo(page);
      await expect.poll(() => cards(page).count()).toBe(3);
    })();
  });

  it(
    "has components shown at once and careful changes made at once, and is asked about a plan that was switched back on meanwhile",
    async () => {
      const waits = gate();
      const script = [
        means("generate_component"),
        writes(component()),
        means("build_flow"),
        calls("propose_field_edit", { component_id: OUT, field_name: "sender_name", new_value: "Clerk" }),
        says("Changed."),
        ...plans("## Plan\n1. A scraper", "Waiting.").slice(0, 2),
        says("Please ", waits, "agree."),
      ];
      await withAssistant(script, echoFlow, async ({ page, server, sent }) => {
        await openPanel(page);
        await command(page, "/skip-all");
        await askAndWait(page, "Create a component that turns text into capitals");
        await see(part(page, "assistant-component-card"), part(page, "assistant-approve-button"));
        expect(await part(page, "assistant-continue-button").count()).toBe(0);

        await askAndWait(page, "call the bot Clerk");
        await see(answer(page).getByTestId("assistant-edit-card").getByText("Accepted"));
        expect(await answer(page).getByTestId("assistant-edit-accept").count()).toBe(0);
        await saved(server, ({ data }) => data.nodes.find(({ id }) => id === OUT)?.data.node.template.sender_name?.value === "Clerk");

        await ask(page, "build a whole back office");
        await waits.reached;
        await badge(page).click();
        await gone(badge(page));
        waits.open();
        await idle(page);
        await see(plan(page).getByText("Plan to look at"));
        expect(sent()).toHaveLength(3);
        expect((await savedFlow(server)).data.nodes).toHaveLength(2);
        expect(await answers(page).count()).toBe(3);
      })();
    },
  );
});

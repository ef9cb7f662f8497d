import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  answer,
  ask,
  askAndWait,
  chatbotFlow,
  echoFlow,
  idle,
  IN,
  LLM,
  messages,
  openPanel,
  OUT,
  panel,
  part,
  withAssistant,
} from "./assistantSupport";
import { builds, flowButton, press, proposed, reviewBar, showAll, taskRows, undo } from "./assistantParts";
import { cannedTurns, complete, step, token, update } from "./cannedTurns";
import { saved, type SavedFlow, savedFlow } from "./editorSupport";
import { card, cards } from "./flowSupport";
import { gone, see } from "./harness";
import { calls, gate, means, says } from "./modelServer";

const ghosts = (page: Page) => page.getByTestId("assistant-ghosts");
const ghost = (page: Page) => ghosts(page).getByRole("img").first();
const mark = (page: Page, id: string) => page.getByTestId(`assistant-review-${id}`);
const choose = (page: Page, name: string) => reviewBar(page).getByRole("button", { name, exact: true });
const sender = ({ data }: SavedFlow): unknown => data.nodes.find(({ id }) => id === OUT)?.data.node.template.sender_name?.value;
const edits = (...values: [node: string, field: string, value: string][]) =>
  values.map(([component_id, field_name, new_value]) => calls("propose_field_edit", { component_id, field_name, new_value }));

describe("what the assistant means to do, on the canvas", () => {
  it(
    "is seen where it would come to stand, and taken or left there, with the panel closed too",
    withAssistant([...builds(), ...builds()], echoFlow, async ({ page, server }) => {
      await openPanel(page);
      await askAndWait(page, "Build me a new chatbot");
      await see(ghost(page), reviewBar(page).getByText("Proposed: 3 nodes"));
      expect(await ghosts(page).getAttribute("aria-label")).toBe("Proposed flow of 3 nodes");
      await expect.poll(() => ghosts(page).getByRole("img", { name: "Language Model, proposed" }).count()).toBe(1);
      // It is only drawn.
      expect(await cards(page).count()).toBe(2);
      expect((await savedFlow(server)).data.nodes).toHaveLength(2);
      // Beside what is there, not on it.
      const right = async (id: string): Promise<number> => {
        const box = await card(page, id).boundingBox();
        return (box?.x ?? 0) + (box?.width ?? 0);
      };
      const box = await ghost(page).boundingBox();
      expect(box?.x).toBeGreaterThan(Math.max(await right(IN), await right(OUT)));

      // Who points at Replace sees what would go.
      await page.keyboard.press("Escape");
      await gone(panel(page));
      await see(reviewBar(page));
      await choose(page, "Replace").hover();
      await see(mark(page, IN).getByText("Would go"), mark(page, OUT).getByText("Would go"));
      await page.mouse.move(5, 300);
      await gone(mark(page, IN));
      await choose(page, "Add").click();
      await gone(ghosts(page));
      await saved(server, ({ data }) => data.nodes.length === 5 && data.edges.length === 3);
      await undo(page);
      await saved(server, ({ data }) => data.nodes.length === 2);

      await openPanel(page);
      await askAndWait(page, "Build me another one");
      await see(ghost(page));
      await choose(page, "Dismiss").click();
      await gone(ghosts(page), reviewBar(page));
      await see(proposed(page).getByText("Dismissed", { exact: true }));
      expect(await flowButton(page, "add").count()).toBe(0);
      expect((await savedFlow(server)).data.nodes).toHaveLength(2);
    }),
  );

  it(
    "is marked on the nodes it is about, to be accepted or rejected there one by one, or all at once",
    withAssistant(
      [
        means("build_flow"),
        ...edits([OUT, "sender_name", "Clerk"], [IN, "sender_name", "Guest"]),
        says("Two changes."),
        means("build_flow"),
        ...edits([OUT, "sender_name", "Butler"], [IN, "sender_name", "Visitor"]),
        says("Two more."),
      ],
      echoFlow,
      async ({ page, server, sent }) => {
        await openPanel(page);
        await askAndWait(page, "call the bot Clerk and the person Guest");
        await see(reviewBar(page).getByText("2 changes to look at"));
        const edit = answer(page).getByTestId("assistant-edit-card");
        await see(edit.getByText("1 of 2"), edit.getByText("AI").first(), edit.getByText("Clerk").first());
        // These wait: they are no rows of what was done.
        expect(await taskRows(page).count()).toBe(0);
        await page.keyboard.press("Escape");
        await gone(panel(page));
        await showAll(page);
        expect(await mark(page, OUT).getAttribute("data-mark")).toBe("changed");
        await mark(page, OUT).getByRole("button", { name: /^Accept the change of/ }).click();
        await saved(server, (flow) => sender(flow) === "Clerk");
        await mark(page, IN).getByRole("button", { name: /^Reject the change of/ }).click();
        await gone(reviewBar(page), mark(page, IN));
        await openPanel(page);
        await see(edit.getByText(/^(Accepted|Dismissed)$/));
        expect((await savedFlow(server)).data.nodes.find(({ id }) => id === IN)?.data.node.template.sender_name?.value).toBe("User");

        await askAndWait(page, "no, Butler and Visitor");
        await choose(page, "Accept all").click();
        await saved(server, (flow) => sender(flow) === "Butler");
        await gone(reviewBar(page));
        // What was agreed to at one go is one step back.
        await undo(page);
        await saved(server, (flow) => sender(flow) === "Clerk");
        expect(sent()).toHaveLength(2);
      },
    ),
  );

  it(
    "lets what waits for it go on once the last change is decided: once, in the same answer, and not when none was taken",
    withAssistant([], echoFlow, async ({ page, server, sent }) => {
      const change = (id: string, node: string, value: string) =>
        update("edit_field", {
          id,
          component_id: node,
          component_type: node.split("-")[0],
          field: "sender_name",
          old_value: "",
          new_value: value,
          description: "",
          patch: [],
        });
      const waiting = { continuation_expected: true, pending_edits: ["0000aaaa", "0000bbbb"] };
      const canned = await cannedTurns(page);
      canned.next(change("0000aaaa", OUT, "Clerk"), change("0000bbbb", IN, "Guest"), complete("Agree first.", waiting));
      canned.next(step("generating"), token("It "), complete("It ran.", { continuation_expected: true }));
      canned.next(change("0000aaaa", OUT, "Butler"), change("0000bbbb", IN, "Visitor"), complete("Agree again.", waiting));
      await openPanel(page);
      await askAndWait(page, "rename both and run it");
      await see(reviewBar(page).getByText("2 changes to look at"));
      await answer(page).getByTestId("assistant-edit-accept").click();
      await see(reviewBar(page).getByText("1 change to look at"));
      await saved(server, (flow) => sender(flow) === "Clerk");
      expect(sent()).toHaveLength(1);
      await choose(page, "Dismiss").click();
      await see(answer(page).getByText("It ran."), answer(page).getByText("Agree first."));
      await idle(page);
      expect(sent()[1]?.input_value).toMatch(/^The proposed canvas edits were applied\. Continue with the remaining steps/);
      expect(await messages(page).count()).toBe(2);

      await askAndWait(page, "rename them again and run it");
      await answer(page).getByTestId("assistant-edit-dismiss-all").click();
      await gone(reviewBar(page));
      await see(answer(page).getByText("Agree again."));
      expect(sent()).toHaveLength(3);
      expect(canned.waiting()).toBe(0);
      expect(sender(await savedFlow(server))).toBe("Clerk");
    }),
  );

  it("shows where it is at work, what it has changed, and takes all of it back or leaves it", async () => {
    const held = gate();
    await withAssistant(
      [means("build_flow"), calls("rename_component", { component_id: OUT, name: "Second" }), says("Renamed again.")],
      (server) => chatbotFlow(server),
      async ({ page, server }) => {
        const canned = await cannedTurns(page);
        canned.next(
          step("generating_flow"),
          { event: "tool_start", tool: "configure_component", label: "Configuring", component_id: LLM },
          held,
          update("configure", { component_id: LLM, params: { system_message: "Be brief." } }),
          update("rename_component", { component_id: OUT, name: "First" }),
          update("remove_component", { component_id: IN }),
          complete("Three changes.", { has_flow: true }),
        );
        await openPanel(page);
        await ask(page, "make it brief");
        await see(part(page, "assistant-build-task-in-progress").getByText("Setting up Language Model"));
        await see(mark(page, LLM).getByText("The assistant is working here"));
        held.open();
        await idle(page);
        await gone(part(page, "assistant-build-task-in-progress"));
        await see(reviewBar(page).getByText(/^The assistant changed \d things$/), card(page, OUT).getByText("First").first());
        expect(await mark(page, LLM).getAttribute("data-mark")).toBe("changed");
        expect(await cards(page).count()).toBe(2);
        // Also when something was done by hand since.
        await card(page, LLM).focus();
        await page.keyboard.press("ArrowDown");
        await choose(page, "Take back").click();
        await expect.poll(() => cards(page).count()).toBe(3);
        await see(card(page, OUT).getByText("Chat Output").first());
        await gone(reviewBar(page));
        await saved(server, ({ data }) => data.nodes.length === 3 && data.edges.length === 2);

        await askAndWait(page, "call it Second");
        await see(reviewBar(page).getByText("The assistant changed 1 thing"), mark(page, OUT));
        await choose(page, "Keep").click();
        await gone(reviewBar(page), mark(page, OUT));
        await see(card(page, OUT).getByText("Second").first());
      },
    )();
  });

  it(
    "can be undone as a whole long afterwards: the flow from before the turn is a version, and so is the one from after it",
    withAssistant(
      [means("build_flow"), calls("rename_component", { component_id: OUT, name: "Reply" }), says("Renamed.")],
      echoFlow,
      async ({ page, server }) => {
        await openPanel(page);
        await askAndWait(page, "call the output Reply");
        await see(card(page, OUT).getByText("Reply").first());
        await saved(server, ({ data }) => data.nodes.some(({ data: { node } }) => node.display_name === "Reply"));
        await part(page, "assistant-revert-button").click();
        await see(part(page, "assistant-revert-confirm"));
        await part(page, "assistant-revert-cancel").click();
        await gone(part(page, "assistant-revert-confirm"));
        await see(card(page, OUT).getByText("Reply").first());
        await part(page, "assistant-revert-button").click();
        await part(page, "assistant-revert-confirm-button").click();
        await see(part(page, "assistant-revert-reverted"), card(page, OUT).getByText("Chat Output").first());
        await saved(server, ({ data }) => data.nodes.every(({ data: { node } }) => node.display_name !== "Reply"));
        expect(await part(page, "assistant-revert-button").count()).toBe(0);
        // Nothing is lost: what was there is a version, and back at once.
        await page.getByRole("button", { name: "Undo", exact: true }).last().click();
        await see(card(page, OUT).getByText("Reply").first());
        await saved(server, ({ data }) => data.nodes.some(({ data: { node } }) => node.display_name === "Reply"));
      },
    ),
  );

  it(
    "does nothing on a flow that was locked meanwhile, and says so",
    withAssistant([], echoFlow, async ({ page, server }) => {
      const held = gate();
      const canned = await cannedTurns(page);
      canned.next(token("One moment. "), held, update("rename_component", { component_id: OUT, name: "Reply" }), complete("Renamed."));
      await openPanel(page);
      await ask(page, "call the output Reply");
      await see(answer(page).getByText("One moment."));
      await page.getByRole("toolbar", { name: "View" }).getByRole("button", { name: /lock/i }).click();
      await see(page.getByText("Locked", { exact: true }).first());
      held.open();
      await see(page.getByText("Not everything could be put on the canvas"));
      await gone(panel(page));
      expect(await card(page, OUT).getByText("Reply").count()).toBe(0);
      await press(page, "a");
      await see(page.getByText(/locked/i).last());
      expect(await panel(page).count()).toBe(0);
      expect((await savedFlow(server)).data.nodes.some(({ data: { node } }) => node.display_name === "Reply")).toBe(false);
    }),
  );
});

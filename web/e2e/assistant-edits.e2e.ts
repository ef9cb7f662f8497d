import { describe, expect, it } from "vitest";
import {
  answer,
  answers,
  ask,
  askAndWait,
  CHATBOT_SPEC,
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
import { saved, savedFlow } from "./editorSupport";
import { card, cards, settled } from "./flowSupport";
import { gone, see } from "./harness";
import { calls, means, says } from "./modelServer";

const edit = calls("propose_field_edit", { component_id: OUT, field_name: "sender_name", new_value: "Clerk" });
const nameOf = async (server: Parameters<typeof savedFlow>[0]): Promise<unknown> =>
  (await savedFlow(server)).data.nodes.find(({ id }) => id === OUT)?.data.node.template.sender_name?.value;

describe("changes the assistant proposes", () => {
  it(
    "go on by themselves once they are accepted, when something waits for them: saved first, in the same answer, once",
    withAssistant(
      [means("build_flow"), edit, says("Please agree first."), calls("run_flow", { input: "hi" }), says("It ran.")],
      echoFlow,
      async ({ page, sent, server, models }) => {
        await openPanel(page);
        await askAndWait(page, "call the bot Clerk and run the flow");
        await see(part(page, "assistant-edit-card"), answer(page).getByText("Please agree first."));
        expect(await nameOf(server)).toBe("AI");
        const begun = page.waitForRequest((request) => request.url().endsWith("/assist/stream"));
        await part(page, "assistant-edit-accept").click();
        await begun;
        // What is run is what was agreed to.
        expect(await nameOf(server)).toBe("Clerk");
        await see(answer(page).getByText("It ran."), answer(page).getByText("Please agree first."));
        await idle(page);
        expect(sent()[1]?.input_value).toMatch(/^The proposed canvas edits were applied\. Continue/);
        expect(await answers(page).count()).toBe(1);
        expect(await messages(page).count()).toBe(2);
        expect(await panel(page).getByText(/proposed canvas edits were applied/).count()).toBe(0);
        expect(models.waiting()).toBe(0);
        expect(sent()).toHaveLength(2);
      },
    ),
  );

  it(
    "end with themselves when nothing waits for them, and leave nothing behind when they are dismissed",
    withAssistant(
      [means("build_flow"), edit, says("Please agree."), means("build_flow"), edit, says("Again?"), means("question"), says("Yes.")],
      echoFlow,
      async ({ page, sent, server }) => {
        await openPanel(page);
        await askAndWait(page, "call the bot Clerk");
        await answer(page).getByTestId("assistant-edit-dismiss").click();
        await gone(answer(page).getByTestId("assistant-edit-accept"));
        await askAndWait(page, "call the bot Clerk, please");
        await answer(page).getByTestId("assistant-edit-accept").click();
        await saved(server, ({ data }) => data.nodes.some(({ data: { node } }) => node.template.sender_name?.value === "Clerk"));
        await gone(answer(page).getByTestId("assistant-edit-accept"));
        // The next thing that is sent is what the person says.
        await askAndWait(page, "is it done?");
        expect(sent().map((body) => body.input_value)).toEqual(["call the bot Clerk", "call the bot Clerk, please", "is it done?"]);
      },
    ),
  );

  it(
    "are made at once when they are small, and planned first when they are large; an agreed plan is not judged again",
    withAssistant(
      [
        means("build_flow"),
        calls("rename_component", { component_id: OUT, name: "Reply" }),
        says("Renamed."),
        means("build_flow"),
        calls("propose_plan", { plan: "## Plan\n1. A scraper\n2. An agent" }),
        says("What do you think?"),
        calls("build_flow", { spec: CHATBOT_SPEC }),
        says("Built as planned."),
      ],
      echoFlow,
      async ({ page, sent, models }) => {
        await openPanel(page);
        await askAndWait(page, "call the output Reply");
        await see(answer(page).getByText("Renamed."), card(page, OUT).getByText("Reply").first());
        expect(await part(page, "assistant-plan-card").count()).toBe(0);

        await askAndWait(page, "build a whole back office");
        await see(part(page, "assistant-plan-card").getByText("A scraper"));
        const asked = models.asked().length;
        await part(page, "assistant-plan-continue-button").click();
        await see(answer(page).getByText("Built as planned."));
        await idle(page);
        expect(sent().at(-1)?.input_value).toBe("User approved the plan. Proceed with the build.");
        expect(models.asked()[asked]?.tools.length).toBeGreaterThan(0);
        expect(await panel(page).getByText(/User approved the plan/).count()).toBe(0);
      },
    ),
  );

  it(
    "put the whole new flow into view when it takes the place of the old",
    withAssistant(
      [means("build_flow"), calls("build_flow", { spec: CHATBOT_SPEC }), says("A chatbot for you.")],
      async (server) => {
        const flow = await echoFlow(server);
        // Far away from where the new one begins.
        for (const node of flow.nodes as { position: { x: number; y: number } }[]) node.position = { x: node.position.x + 9000, y: 7000 };
        return flow;
      },
      async ({ page, server }) => {
        await see(card(page, IN));
        await openPanel(page);
        await askAndWait(page, "Build me a new chatbot");
        await see(part(page, "assistant-proposal-card"));
        expect((await savedFlow(server)).data.nodes).toHaveLength(2);
        await part(page, "assistant-flow-replace-button").click();
        await expect.poll(() => cards(page).count()).toBe(3);
        const canvas = await page.locator(".react-flow").boundingBox();
        const boxes = await settled(async () => Promise.all((await cards(page).all()).map((one) => one.boundingBox())));
        for (const box of boxes) {
          if (!box || !canvas) throw new Error("nothing is drawn");
          expect(box.x).toBeGreaterThanOrEqual(canvas.x - 1);
          expect(box.x + box.width).toBeLessThanOrEqual(canvas.x + canvas.width + 1);
          expect(box.y).toBeGreaterThanOrEqual(canvas.y - 1);
          expect(box.y + box.height).toBeLessThanOrEqual(canvas.y + canvas.height + 1);
        }
        await saved(server, ({ data }) => data.nodes.length === 3 && data.edges.length === 2);
      },
    ),
  );

  it(
    "set a model whichever way it was written down",
    withAssistant(
      [
        means("build_flow"),
        calls("configure_component", {
          component_id: LLM,
          params: { model: [{ name: JSON.stringify([{ provider: "OpenAI", name: "gpt-4o-mini" }]), provider: "Unknown" }] },
        }),
        says("Switched."),
      ],
      (server) => chatbotFlow(server),
      async ({ page, server }) => {
        await openPanel(page);
        await ask(page, "change the model to gpt-4o-mini");
        await see(answer(page).getByText("Switched."), card(page, LLM).getByText("gpt-4o-mini").first());
        await see(answer(page).locator('[data-testid^="assistant-build-task-configure"]').first());
        const flow = await saved(server, ({ data }) =>
          JSON.stringify(data.nodes.find(({ id }) => id === LLM)?.data.node.template.model?.value ?? "").includes("gpt-4o-mini"),
        );
        const value = flow.data.nodes.find(({ id }) => id === LLM)?.data.node.template.model?.value;
        expect(value).toMatchObject([{ provider: "OpenAI", name: "gpt-4o-mini" }]);
        expect(await card(page, LLM).textContent()).not.toContain("[{");
      },
    ),
  );
});

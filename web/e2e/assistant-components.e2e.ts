import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  answer,
  ask,
  askAndWait,
  component,
  emptyFlow,
  idle,
  messages,
  openPanel,
  panel,
  part,
  progress,
  watchProgress,
  withAssistant,
} from "./assistantSupport";
import { saved } from "./editorSupport";
import { cards } from "./flowSupport";
import { gone, see } from "./harness";
import { gate, means, says, writes } from "./modelServer";

const broken = component("UppercaseText", { from: "lfx.nowhere" });
const onCanvas = (page: Page, title: string) => cards(page).filter({ hasText: title });

/** Through the gate before the card. */
async function reveal(page: Page): Promise<void> {
  await answer(page).getByTestId("assistant-continue-button").click();
  await see(answer(page).getByTestId("assistant-component-card"));
}

describe("a component that the assistant writes", () => {
  it(
    "is told of step by step, shown with its code, and put in the middle of the canvas",
    async () => {
      const held = gate();
      await withAssistant([means("generate_component"), writes(component(), held)], emptyFlow, async ({ page, server }) => {
        await openPanel(page);
        const shownOnTheWay = await watchProgress(page);
        await ask(page, "Create a component that converts text to uppercase");
        await held.reached;
        await see(progress(page).getByText("Generating component…"));
        held.open();
        await see(answer(page).getByText(/passed every check/));
        const steps = await shownOnTheWay();
        for (const step of [/Component generated/, /Code extracted|Extracting code/, /Validating/]) expect(steps).toMatch(step);
        await gone(progress(page));
        await reveal(page);
        await idle(page);
        const shown = answer(page).getByTestId("assistant-component-card");
        await see(shown.getByText("UppercaseText").first());
        await part(page, "assistant-view-code-button").click();
        await see(page.getByText("class UppercaseText(Component):").first());
        await expect.poll(() => onCanvas(page, "Uppercase").count()).toBe(0);

        const checked = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/custom_component"));
        await part(page, "assistant-approve-button").click();
        await checked;
        await see(onCanvas(page, "Uppercase"));
        await see(page.getByText(/added/i).first());
        const flow = await saved(server, ({ data }) => data.nodes.length === 1);
        expect(flow.data.nodes[0]?.data.node.template.code?.value).toContain("class UppercaseText(Component)");
        const [node, canvas] = [await onCanvas(page, "Uppercase").boundingBox(), await page.locator(".react-flow").boundingBox()];
        if (!node || !canvas) throw new Error("nothing is drawn");
        expect(Math.abs(node.x + node.width / 2 - canvas.x - canvas.width / 2)).toBeLessThan(60);
        expect(Math.abs(node.y + node.height / 2 - canvas.y - canvas.height / 2)).toBeLessThan(160);

        // One step: as if it had never been there.
        await panel(page).press("Escape");
        await gone(panel(page));
        await page.keyboard.press("ControlOrMeta+z");
        await expect.poll(() => onCanvas(page, "Uppercase").count()).toBe(0);
      })();
    },
  );

  it(
    "is changed by what is said next, in the same way and with the same card",
    async () => {
      const held = gate();
      const other = component("UppercaseTable", { title: "Uppercase table" });
      const script = [means("generate_component"), writes(component()), means("generate_component"), writes(other, held)];
      await withAssistant(script, emptyFlow, async ({ page, models }) => {
        await openPanel(page);
        await askAndWait(page, "Create a component for capital letters");
        await reveal(page);
        await ask(page, "can you use dataframe output instead?");
        await held.reached;
        await see(progress(page).getByText("Generating component…"));
        // No raw code while it comes.
        expect(await answer(page).getByText("Here it is").count()).toBe(0);
        held.open();
        await reveal(page);
        await see(part(page, "assistant-approve-button").last(), part(page, "assistant-view-code-button").last());
        await see(answer(page).getByText("UppercaseTable").first());
        const generator = JSON.stringify(models.asked().at(-1));
        expect(generator).toContain("Create a component for capital letters");
        expect(generator).toContain("class UppercaseText");
        expect(await messages(page).count()).toBe(4);
      })();
    },
  );

  it(
    "may be asked for in Portuguese, and is found in an answer that is not quite as it should be",
    withAssistant(
      [
        means("generate_component", { translation: "Create a component that adds two numbers" }),
        says(`Claro!\n\`\`\`bash\npip install x\n\`\`\`\ne\n\`\`\`py\n${component("SumNumbers", { title: "Sum" })}\n\`\`\`\nPronto.`),
      ],
      emptyFlow,
      async ({ page, models }) => {
        await openPanel(page);
        await askAndWait(page, "Crie um componente que soma dois numeros");
        await reveal(page);
        await see(messages(page).getByText("Crie um componente que soma dois numeros"), answer(page).getByText("SumNumbers").first());
        expect(JSON.stringify(models.asked()[0])).toContain("Crie um componente que soma dois numeros");
        expect(JSON.stringify(models.asked()[1])).toContain("Create a component that adds two numbers");
        await part(page, "assistant-approve-button").click();
        await see(onCanvas(page, "Sum"));
      },
    ),
  );

  it(
    "is written again when it does not work, and the attempts are counted",
    async () => {
      const held = gate();
      const script = [means("generate_component"), writes(broken), writes(component(), held)];
      await withAssistant(script, emptyFlow, async ({ page, models }) => {
        await openPanel(page);
        await ask(page, "uppercase, please");
        await held.reached;
        await see(progress(page).getByText("Attempt 2 of 3"), progress(page).getByText("Validation failed"));
        await see(progress(page).getByText(/lfx\.nowhere. is not part/));
        expect(await panel(page).getByText(/Traceback/).count()).toBe(0);
        expect(JSON.stringify(models.asked().at(-1))).toContain("nowhere");
        held.open();
        await reveal(page);
        expect(await panel(page).getByTestId("assistant-validation-failed").count()).toBe(0);
      })();
    },
  );

  it(
    "is not to be had after three attempts: the card says so kindly, keeps the details folded, and tries again when told to",
    withAssistant(
      [means("generate_component"), writes(broken), writes(broken), writes(broken), means("generate_component"), writes(component())],
      emptyFlow,
      async ({ page, sent, models }) => {
        await openPanel(page);
        await askAndWait(page, "uppercase, please");
        const failed = answer(page).getByTestId("assistant-validation-failed");
        await see(failed, failed.getByText(/more capable model/i), answer(page).getByTestId("assistant-usage"));
        expect(models.waiting()).toBe(2);
        expect(await panel(page).getByText(/Attempt [4-9]/).count()).toBe(0);
        await gone(failed.getByText(/lfx\.nowhere. is not part/));
        await failed.getByText("Error details").click();
        await see(failed.getByText(/lfx\.nowhere. is not part/).first());
        await failed.getByTestId("assistant-view-code-button").click();
        await see(failed.getByText("from lfx.nowhere import Component").first());
        expect(await part(page, "assistant-approve-button").count()).toBe(0);

        await failed.getByTestId("assistant-retry-button").click();
        await expect.poll(() => sent().length).toBe(2);
        expect(sent()[1]?.input_value).toBe("uppercase, please");
        await idle(page);
        await reveal(page);
        await see(part(page, "assistant-approve-button"));
      },
    ),
  );

  it(
    "must not take a name that is reserved, and has as a tool the name of its class where its method has none",
    async () => {
      const held = gate();
      const reserved = component("RandomMenuItem", { title: "Menu", output: "component_as_tool" });
      const good = component("RandomMenuItem", { title: "Menu", output: "item" }).replaceAll("make_upper", "process");
      await withAssistant([means("generate_component"), writes(reserved), writes(good, held)], emptyFlow, async ({ page }) => {
        await openPanel(page);
        await ask(page, "a random item of the menu");
        await held.reached;
        await see(progress(page).getByText(/component_as_tool.*reserved|reserved.*component_as_tool/).first());
        held.open();
        await reveal(page);
        await part(page, "assistant-approve-button").click();
        await see(onCanvas(page, "Menu"));
        await page.getByTestId("assistant-close").click();
        await gone(panel(page));
        await onCanvas(page, "Menu").getByText("Menu", { exact: true }).first().click();
        await page.getByRole("button", { name: "Use as a tool" }).click();
        await see(onCanvas(page, "Menu").getByText("random_menu_item", { exact: true }));
      })();
    },
  );
});

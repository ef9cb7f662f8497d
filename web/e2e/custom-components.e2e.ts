import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { port, pull, saved, savedFlow } from "./editorSupport";
import { card, cards, dock, expectAccessible, FLOW_ID, inspect, openBottom, withFlow, wires } from "./flowSupport";
import { gone, see } from "./harness";

const empty = { nodes: [], edges: [] };

function source({
  name = "Shout",
  title = "Shout",
  field = "words",
  body = "return Message(text=str(self.words).upper())",
  top = "",
} = {}): string {
  return `${top}from lfx.custom import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class ${name}(Component):
    display_name = "${title}"
    description = "Says it louder."

    inputs = [MessageTextInput(name="${field}", display_name="Words", value="hello")]
    outputs = [Output(name="loud", display_name="Loud", method="shout")]

    def shout(self) -> Message:
        ${body}
`;
}

/** A switch that decides whether another field is shown. */
const choice =
  'BoolInput(name="choir", display_name="Choir", value=False, real_time_refresh=True), MessageTextInput(name="voices", display_name="Voices", show=False)]';
const rule = `
    def update_build_config(self, build_config, field_value, field_name=None):
        if field_name == "choir":
            build_config["voices"]["show"] = field_value
        return build_config
`;

const area = (page: Page): Locator => page.getByRole("textbox", { name: "Python code" });
const problems = (page: Page): Locator => page.getByRole("list", { name: "Problems in the code" });
const button = (page: Page, name: string): Locator => page.getByRole("dialog").getByRole("button", { name, exact: true }).last();

/** Another text in the editor, as if it were typed. */
async function write(page: Page, code: string): Promise<void> {
  await area(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(code);
}

async function addCustom(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New custom component" }).click();
  await see(area(page));
}

async function paste(page: Page, code: string): Promise<void> {
  // The page listens once it is drawn.
  await see(page.getByRole("button", { name: "New custom component" }));
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, code);
}

describe("a custom component", () => {
  it(
    "is added from the palette, written, checked while it is typed, and becomes the node",
    withFlow(empty, async ({ page, server, expectErrors }) => {
      await addCustom(page);
      await see(page.getByText("No problems found"));
      await expectAccessible(page);

      await write(page, source({ top: "import subprocess\n" }));
      await see(problems(page).getByText("Line 1", { exact: true }).first());
      await write(page, source().replace("self) -> Message:", "self -> Message:"));
      await see(problems(page).getByText("Line 13", { exact: true }).first());
      await expectAccessible(page);

      expectErrors(/400/);
      await page.keyboard.press("Control+s");
      await see(page.getByText("Not saved yet"));
      await write(page, source());
      await see(page.getByText("No problems found"));
      await page.keyboard.press("Control+Enter");
      await gone(area(page));
      await see(cards(page).filter({ hasText: "Shout" }), cards(page).getByRole("img", { name: "Own code: runs in the sandbox" }));
      const flow = await saved(server, ({ data }) => data.nodes[0]?.data.node.display_name === "Shout");
      expect(flow.data.nodes[0]?.data.node.template.words).toMatchObject({ value: "hello" });
      expect(flow.data.nodes[0]?.data.node.template.code?.value).toBe(source());
      await expectAccessible(page);
    }),
  );

  it(
    "keeps what was set and its wires over a change, and loses a wire that no longer fits in one step",
    withFlow(empty, async ({ page, server }) => {
      await page.getByRole("searchbox", { name: "Search components" }).fill("chat input");
      await page.keyboard.press("Enter");
      await page.getByRole("searchbox", { name: "Search components" }).fill("");
      await paste(page, source());
      await see(cards(page).filter({ hasText: "Shout" }));
      const flow = await saved(server, ({ data }) => data.nodes.length === 2);
      const id = flow.data.nodes.find(({ id: one }) => !one.startsWith("ChatInput"))?.id ?? "";

      await inspect(page, id);
      await page.getByRole("button", { name: "Connect Words" }).click();
      await page.getByRole("menuitem", { name: /Chat Input/ }).first().click();
      await expect.poll(() => wires(page).count()).toBe(1);

      const open = page.getByRole("complementary", { name: "Inspector" }).getByRole("button", { name: "Open the code" });
      await open.click();
      await see(area(page));
      await write(page, source({ title: "Shout twice" }));
      await button(page, "Check & save").click();
      await gone(area(page));
      await see(card(page, id).getByText("Shout twice"));
      expect(await wires(page).count()).toBe(1);

      await open.click();
      await see(area(page));
      await write(page, source({ field: "other" }));
      await button(page, "Check & save").click();
      await see(page.getByText("A wire no longer fits the new code and was removed"));
      await expect.poll(() => wires(page).count()).toBe(0);
      await page.getByRole("button", { name: "Undo", exact: true }).last().click();
      await expect.poll(() => wires(page).count()).toBe(1);
      await see(card(page, id).getByText("Shout twice"));
    }),
  );

  it(
    "comes from pasted text and from a file, and says why it does not",
    withFlow(empty, async ({ page, expectErrors }) => {
      await paste(page, `Try this:\n\n\`\`\`python\n${source({ title: "Pasted" })}\`\`\``);
      await see(cards(page).filter({ hasText: "Pasted" }));
      await page.locator(".react-flow__pane").evaluate(
        (pane, [name, text]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text ?? ""], name ?? ""));
          for (const type of ["dragenter", "dragover", "drop"])
            pane.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, clientX: 700, clientY: 300 }));
        },
        ["loud.py", source({ name: "Dropped", title: "Dropped" })],
      );
      await see(cards(page).filter({ hasText: "Dropped" }));

      expectErrors(/400/);
      await paste(page, source({ name: "Broken", top: "import nothing_of_that_name\n" }));
      await see(page.getByText("Broken could not become a node"));
      await page.getByRole("button", { name: "Fix it in the editor" }).click();
      await see(area(page), page.getByRole("dialog").getByRole("code").getByText("Broken"));
      await write(page, source({ name: "Mended", title: "Mended" }));
      await page.keyboard.press("Control+Enter");
      await see(cards(page).filter({ hasText: "Mended" }));
    }),
  );

  it(
    "loses nothing that was typed: not by closing, not by a reload",
    withFlow(empty, async ({ page }) => {
      await addCustom(page);
      await write(page, source({ title: "Half done" }));
      await page.keyboard.press("Escape");
      await see(page.getByRole("dialog", { name: "The code is not saved" }));
      await expectAccessible(page);
      await page.keyboard.press("Enter");
      await gone(page.getByRole("dialog", { name: "The code is not saved" }));
      await see(area(page));

      await page.reload();
      await see(page.getByText("Code of “Custom Component” was left unsaved"));
      await page.getByRole("button", { name: "Open the code" }).first().click();
      await see(area(page).getByText("Half done"));
      await page.keyboard.press("Control+s");
      await see(page.getByRole("dialog").getByText("Saved", { exact: true }));
      await page.keyboard.press("Escape");
      await gone(area(page));
      await see(cards(page).filter({ hasText: "Half done" }));
    }),
  );

  it(
    "runs in the flow, and a failure leads to its line",
    withFlow(empty, async ({ page, server }) => {
      await paste(page, source());
      await see(cards(page).filter({ hasText: "Shout" }));
      const flow = await saved(server, ({ data }) => data.nodes.length === 1);
      const id = flow.data.nodes[0]?.id ?? "";
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await see(card(page, id).locator('[data-run-state="done"]'));
      await card(page, id).focus();
      await page.keyboard.press("o");
      await see(page.getByText("HELLO", { exact: true }));

      await card(page, id).focus();
      await page.keyboard.press("e");
      await see(area(page));
      await write(page, source({ body: 'raise ValueError("too loud")' }));
      await page.keyboard.press("Control+Enter");
      await gone(area(page));
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await see(card(page, id).locator('[data-run-state="error"]'));
      await card(page, id).getByRole("button", { name: "Open the code at line 14" }).click();
      await see(area(page));
      await page.keyboard.type("# here ");
      await see(area(page).getByText(/# here raise ValueError/));
      expect((await savedFlow(server)).data.nodes).toHaveLength(1);
    }),
  );

  it(
    "does not run when its code is not safe, however it came into the flow, and the refusal leads to the line",
    withFlow(empty, async ({ page, server, expectErrors }) => {
      await paste(page, source());
      await see(cards(page).filter({ hasText: "Shout" }));
      const { data } = await saved(server, ({ data: now }) => now.nodes.length === 1);
      const [node] = data.nodes;
      if (!node?.data.node.template.code) throw new Error("the node has no code");
      node.data.node.template.code.value = source({ body: "return __import__('os').system('id')" });
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data });
      await page.reload();
      await see(card(page, node.id));
      expectErrors(/400/);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const refusal = page.getByRole("alert").filter({ hasText: /Refused to run.*Shout.*line 14/ });
      await see(refusal);
      expect(await refusal.textContent()).not.toContain("Try again");
      await expectAccessible(page);
      await refusal.getByRole("button", { name: "Open the code at line 14" }).click();
      await see(area(page), problems(page).getByText("Line 14", { exact: true }).first());
      await page.keyboard.type("# here ");
      await see(area(page).getByText(/# here return/));
    }),
  );

  it(
    "shows and hides fields by what it says itself, and is a tool where it says so",
    withFlow(empty, async ({ page, server }) => {
      const asked = "required=True, tool_mode=True), ";
      const said = source({ field: "text", body: "return Message(text=self.text.upper())" });
      const code = said.replace('value="hello")]', asked + choice).replace("Output\n", "Output, BoolInput\n");
      await paste(page, code + rule);
      const shout = cards(page).filter({ hasText: "Shout" });
      await see(shout);
      await gone(shout.getByText("Voices"));
      await shout.getByRole("switch", { name: "Choir" }).click();
      await see(shout.getByText("Voices"));
      await saved(server, ({ data }) => data.nodes[0]?.data.node.template.voices?.show === true);
      await shout.getByRole("switch", { name: "Choir" }).click();
      await gone(shout.getByText("Voices"));

      await page.getByRole("button", { name: "Use as a tool" }).click();
      await see(shout.getByText("Toolset"), shout.getByText("shout", { exact: true }));
      await gone(shout.getByText("Words"));

      await page.getByRole("searchbox", { name: "Search components" }).fill("agent");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Show everything" }).click();
      const { data } = await saved(server, ({ data: now }) => now.nodes.length === 2);
      const [tool, agent] = data.nodes.map(({ id }) => id);
      const thinker = card(page, agent ?? "");
      await pull(page, port(page, tool ?? "", "out", "Toolset"), port(page, agent ?? "", "in", "Tools"));
      await expect.poll(() => wires(page).count()).toBe(1);
      await thinker.getByRole("button", { name: /^Language Model/ }).first().click();
      await page.getByRole("option", { name: /rehearsal/ }).click();
      await thinker.getByRole("textbox", { name: "Input", exact: true }).fill('Use shout with "good morning"');
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await see(thinker.locator('[data-run-state="done"]'));
      await thinker.getByText("Agent", { exact: true }).click();
      await page.keyboard.press("o");
      await see(dock(page, "Last run").getByText(/answered: .GOOD MORNING/).first());
    }),
  );

  it(
    "is not what a built-in node has: the page says so",
    withFlow(empty, async ({ page }) => {
      await page.getByRole("searchbox", { name: "Search components" }).fill("chat output");
      await page.keyboard.press("Enter");
      await see(cards(page).filter({ hasText: "Chat Output" }));
      await cards(page).filter({ hasText: "Chat Output" }).focus();
      await page.keyboard.press("e");
      await see(page.getByText("“Chat Output” has no code to edit"));
      const shown = await openBottom(page, "Problems");
      await see(shown);
    }),
  );
});

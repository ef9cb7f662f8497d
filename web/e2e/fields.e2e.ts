import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../src/flow/json";
import { ready, saved } from "./editorSupport";
import { card, dock, expectAccessible, FLOW_ID, putFlow } from "./flowSupport";
import { type App, gone, see, type TestServer, withApp } from "./harness";

const NODE = "Node-a1B2c";

/** A flow with one node of a real component. */
async function putNode(server: TestServer, type: string): Promise<void> {
  const all = (await server.call("GET", "/api/v1/all")) as Record<string, Record<string, JsonRecord>>;
  const node = Object.values(all)
    .map((types) => types[type])
    .find((found) => found !== undefined);
  if (!node) throw new Error(`no ${type}`);
  await putFlow(server, {
    nodes: [{ id: NODE, type: "genericNode", position: { x: 0, y: 0 }, data: { id: NODE, type, node, showNode: true } }],
    edges: [],
  });
}

interface Bench extends App {
  card: Locator;
  /** The fields in the panel, those for advanced use too. */
  panel: () => Promise<Locator>;
  /** Waits until the server has it, reloads, and waits for the page. */
  again: (check: (template: Record<string, JsonRecord>) => unknown) => Promise<Record<string, JsonRecord>>;
}

function withNode(type: string, run: (bench: Bench) => Promise<void>): () => Promise<void> {
  return withApp({ seed: (server) => putNode(server, type), path: `/flow/${FLOW_ID}` }, async (app) => {
    const { page, server } = app;
    await ready(page);
    const panel = async (): Promise<Locator> => {
      const inspector = dock(page, "Inspector");
      if (!(await inspector.isVisible())) {
        await card(page, NODE).focus();
        await page.keyboard.press("Enter");
      }
      await see(inspector);
      for (const part of await inspector.locator("details").all())
        await part.evaluate((details) => details.setAttribute("open", ""));
      return inspector;
    };
    await run({
      ...app,
      card: card(page, NODE),
      panel,
      again: async (check) => {
        const flow = await saved(server, ({ data }) => check(data.nodes[0]?.data.node.template ?? {}));
        await page.reload();
        await ready(page);
        return flow.data.nodes[0]?.data.node.template ?? {};
      },
    });
  });
}

async function pick(page: Page, control: Locator, option: string | RegExp): Promise<void> {
  await control.click();
  await page.getByRole("option", { name: option }).click();
  await gone(page.getByRole("listbox"));
}

function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", copied);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

describe("fields of a node", () => {
  it(
    "text, choice, number, yes or no, and a table pasted from a spreadsheet",
    withNode("APIRequest", async ({ page, card: node, panel, again }) => {
      await node.getByRole("textbox", { name: "URL" }).fill("https://example.com/a");
      const inspector = await panel();
      await pick(page, inspector.getByRole("button", { name: /^Method/ }), "POST");
      const timeout = inspector.getByRole("spinbutton", { name: "Timeout" });
      await timeout.fill("soon");
      await see(inspector.getByText("This is not a number. Write it like 12 or 0.5."));
      await timeout.fill("41");
      await timeout.press("ArrowUp");
      await inspector.getByRole("switch", { name: "Follow Redirects" }).click();
      await inspector.getByRole("button", { name: /^Headers/ }).click();
      const table = page.getByRole("dialog");
      await table.getByRole("textbox", { name: "Key, row 1" }).click();
      await paste(page, "Accept\tapplication/json\nX-Trace\tyes");
      await see(table.getByRole("textbox", { name: "Key, row 2" }));
      await table.getByRole("button", { name: "Done" }).click();

      const template = await again((fields) => JSON.stringify(fields.headers?.value).includes("X-Trace"));
      expect(template.url_input?.value).toBe("https://example.com/a");
      expect(template.method?.value).toBe("POST");
      expect(template.timeout?.value).toBe(42);
      expect(template.headers?.value).toEqual([
        { key: "Accept", value: "application/json" },
        { key: "X-Trace", value: "yes" },
      ]);
      expect(await node.getByRole("textbox", { name: "URL" }).inputValue()).toBe("https://example.com/a");
      const after = await panel();
      expect(await after.getByRole("spinbutton", { name: "Timeout" }).inputValue()).toBe("42");
      await see(after.getByRole("button", { name: /^Headers 2 rows/ }));
    }),
  );

  it(
    "a prompt, whose variables become inputs when it is left",
    withNode("Prompt Template", async ({ page, card: node, again }) => {
      await node.getByRole("textbox", { name: "Template" }).fill("Greet {name} in {language}");
      await node.getByRole("textbox", { name: "Template" }).blur();
      await see(node.getByText("Language", { exact: true }).or(node.getByText("language", { exact: true })));
      await node.getByRole("button", { name: "Open the editor for Template" }).click();
      const editor = page.getByRole("dialog");
      await see(editor.getByRole("textbox", { name: "Template" }));
      await editor.getByRole("textbox", { name: "Template" }).press("Control+End");
      await page.keyboard.type(", {bad name}");
      await see(editor.getByText(/is not a name for a variable/));
      await expectAccessible(page);
      for (let times = 0; times < 12; times += 1) await page.keyboard.press("Backspace");
      await editor.getByRole("button", { name: "Done" }).click();
      const template = await again((fields) => "language" in fields && fields.template?.value === "Greet {name} in {language}");
      expect(Object.keys(template)).toEqual(expect.arrayContaining(["name", "language"]));
    }),
  );

  it(
    "a model, several choices and a slider",
    withNode("GuardrailValidator", async ({ page, card: node, panel, again }) => {
      await pick(page, node.getByRole("button", { name: /^Language Model/ }), /rehearsal/);
      const inspector = await panel();
      await inspector.getByRole("button", { name: /^Guardrails/ }).click();
      await page.getByRole("option", { name: "Malicious Code" }).click();
      await page.getByRole("option", { name: "PII" }).click();
      await page.keyboard.press("Escape");
      await inspector.getByRole("slider", { name: "Heuristic Detection Threshold" }).press("ArrowRight");
      const template = await again((fields) => fields.heuristic_threshold?.value === 0.8);
      expect(template.model?.value).toMatchObject([{ provider: "Rehearsal", name: "rehearsal" }]);
      expect(template.enabled_guardrails?.value).toEqual(["Tokens/Passwords", "Jailbreak", "Malicious Code"]);
      await see(node.getByRole("button", { name: /^Language Model rehearsal/ }));
    }),
  );

  it(
    "decisions, each with an output of its own",
    withNode("HumanInput", async ({ page, card: node, again }) => {
      await node.getByRole("button", { name: /^Decisions/ }).click();
      await page.getByRole("button", { name: "Add a decision" }).click();
      await page.keyboard.type("Ask again");
      await page.keyboard.press("Escape");
      await see(node.getByText("Ask again").first());
      const template = await again((fields) => JSON.stringify(fields.decisions?.value).includes("Ask again"));
      expect(template.decisions?.value).toMatchObject([{ id: "approve" }, { id: "reject" }, { label: "Ask again" }]);
    }),
  );

  it(
    "keys and values that appear with the operation they belong to",
    withNode("DataOperations", async ({ page, card: node, panel, again }) => {
      await pick(page, node.getByRole("button", { name: /^Operations/ }), "Append or Update");
      const inspector = await panel();
      await inspector.getByRole("textbox", { name: "Append or Update, key 1" }).fill("colour");
      await inspector.getByRole("textbox", { name: "Append or Update, value 1" }).fill("blue");
      await inspector.getByRole("button", { name: "Add an entry Append or Update" }).click();
      await inspector.getByRole("textbox", { name: "Append or Update, key 2" }).fill("colour");
      expect(await inspector.getByText(/is there twice/).count()).toBe(2);
      await inspector.getByRole("textbox", { name: "Append or Update, key 2" }).fill("size");
      await inspector.getByRole("textbox", { name: "Append or Update, value 2" }).fill("9");
      const template = await again(
        (fields) => JSON.stringify(fields.append_update_data?.value) === '{"colour":"blue","size":"9"}',
      );
      expect(template.operations?.value).toMatchObject([{ name: "Append or Update" }]);
    }),
  );

  it(
    "several texts from pasted lines",
    withNode("CreateList", async ({ page, card: node, again }) => {
      await node.getByRole("textbox", { name: "Texts" }).click();
      await paste(page, "one\ntwo\nthree");
      const template = await again((fields) => JSON.stringify(fields.texts?.value) === '["one","two","three"]');
      expect(template.texts?.value).toHaveLength(3);
      await node.getByRole("button", { name: /^Texts/ }).click();
      await page.getByRole("button", { name: "Move three up" }).click();
      await again((fields) => JSON.stringify(fields.texts?.value) === '["one","three","two"]');
    }),
  );

  it(
    "a file that is uploaded here, and one that is refused",
    withNode("File", async ({ page, card: node, again }) => {
      await node.getByRole("button", { name: /^Files/ }).click();
      const dialog = page.getByRole("dialog");
      const input = dialog.locator("input[type=file]");
      await input.setInputFiles([{ name: "run.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") }]);
      await see(dialog.getByText(/does not take this kind of file/));
      await input.setInputFiles([{ name: "facts.txt", mimeType: "text/plain", buffer: Buffer.from("Water is wet.") }]);
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Use 1 file" }).click();
      const template = await again((fields) => JSON.stringify(fields.path?.value) === '["facts.txt"]');
      expect(template.path?.file_path).toEqual([expect.stringMatching(/.+\/.+/)]);
      await see(node.getByText("facts.txt"));
    }),
  );

  it(
    "a secret from a variable made on the spot, and back",
    withNode("SQLComponent", async ({ page, server, card: node, again }) => {
      await node.getByRole("button", { name: "Use a variable for Database URL" }).click();
      await page.getByRole("button", { name: "New variable" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("SHOP_DB");
      await page.getByLabel("Value", { exact: true }).fill("sqlite://shop.db");
      await page.getByRole("button", { name: "Create and use" }).click();
      const template = await again((fields) => fields.database_url?.value === "SHOP_DB");
      expect(template.database_url?.load_from_db).toBe(true);
      expect(await server.call("GET", "/api/v1/variables")).toMatchObject([{ name: "SHOP_DB", type: "Credential", value: null }]);
      await node.getByRole("button", { name: "Use a value Database URL" }).click();
      await see(node.getByLabel("Database URL", { exact: true }));
      await again((fields) => fields.database_url?.value === "" && fields.database_url?.load_from_db === false);
    }),
  );

  it(
    "keep keys and the mouse to themselves",
    withNode("APIRequest", async ({ page, card: node }) => {
      const url = node.getByRole("textbox", { name: "URL" });
      const place = await node.boundingBox();
      await url.fill("x");
      await url.press("Backspace");
      await url.press("Delete");
      await page.keyboard.type("1/?a=0");
      expect(await url.inputValue()).toBe("1/?a=0");
      const box = await url.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 8);
      await page.mouse.down();
      await page.mouse.move((box?.x ?? 0) + 90, (box?.y ?? 0) + 60, { steps: 5 });
      await page.mouse.up();
      expect(await node.boundingBox()).toEqual(place);
      await see(node);
    }),
  );
});

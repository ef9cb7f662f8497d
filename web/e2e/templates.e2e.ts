import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { component } from "../src/flow/fixtures/build";
import { cards, withFlow } from "./flowSupport";
import { flowLink, gone, see, type TestServer, withApp } from "./harness";

const empty = { nodes: [], edges: [] };
const card = (page: Page, name: string) =>
  page.getByRole("list", { name: "Templates" }).getByRole("button", { name, exact: true });
const needs = (page: Page, name: string) =>
  page
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name, exact: true }) })
    .getByRole("list", { name: "Needs" });

function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const withOpenAi = (server: TestServer) =>
  server.call("POST", "/api/v1/variables/", {
    name: "OPENAI_API_KEY",
    value: "sk-not-a-real-key",
    type: "Credential",
    default_fields: [],
  });

describe("the gallery", () => {
  it(
    "is searched, narrowed to a category, and looked through before use",
    withApp({ path: "/templates" }, async ({ page }) => {
      await see(card(page, "Echo"), needs(page, "Echo").getByText("Works offline"));
      await see(needs(page, "Web digest").getByText("Reads from the web"));
      await see(needs(page, "Basic prompting").getByText("A model for real answers"));
      await page.getByRole("button", { name: /^Agents/ }).click();
      await gone(card(page, "Echo"));
      await see(card(page, "Simple agent"));
      await page.getByRole("button", { name: /^All \d/ }).click();
      await page.getByRole("searchbox", { name: "Search templates" }).fill("approves person");
      await gone(card(page, "Echo"));
      await card(page, "Human approval").click();
      await see(page.getByRole("heading", { name: "Human approval" }));
      await expect.poll(() => cards(page).count()).toBeGreaterThan(4);
      await page.goBack();
      // The search is as it was.
      await see(card(page, "Human approval"));
      await page.getByRole("searchbox", { name: "Search templates" }).fill("zzzz");
      await page.getByRole("button", { name: "Show all templates" }).click();
      await see(card(page, "Echo"));
    }),
  );

  it(
    "makes a flow and says what it still needs",
    withApp({ path: "/templates" }, async ({ page }) => {
      await card(page, "Basic prompting").click();
      await page.getByRole("button", { name: "Use this template" }).click();
      await page.waitForURL(/\/flow\//);
      const setup = page.getByRole("region", { name: "Set up Basic prompting" });
      await see(setup.getByText("It rehearses"), setup.getByRole("link", { name: "Model providers" }));
      await expect.poll(() => cards(page).count()).toBe(5);
      await setup.getByRole("button", { name: "Close" }).click();
      await gone(setup);
      await page.goto(`${new URL(page.url()).origin}/`);
      await see(flowLink(page, "Basic prompting"));
    }),
  );

  it(
    "asks for nothing when nothing is missing",
    withApp({ path: "/templates", seed: withOpenAi }, async ({ page }) => {
      await see(needs(page, "Basic prompting").getByText("OpenAI is set up"));
      await card(page, "Basic prompting").click();
      await page.getByRole("button", { name: "Use this template" }).click();
      await page.waitForURL(/\/flow\//);
      await expect.poll(() => cards(page).count()).toBe(5);
      expect(await page.getByRole("region", { name: /^Set up/ }).count()).toBe(0);
    }),
  );

  it(
    "is a step away from a new flow, and a description leads to what fits it",
    withApp({}, async ({ page }) => {
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      await page.keyboard.press("n");
      const dialog = page.getByRole("dialog", { name: "New flow" });
      await see(dialog.getByRole("button", { name: "Start from a template" }));
      await dialog.getByRole("textbox", { name: "Description" }).fill("Somebody has to approve every letter");
      await dialog.getByRole("button", { name: "Look at Human approval" }).click();
      const gallery = page.getByRole("dialog", { name: "Templates" });
      await gallery.getByRole("button", { name: "Use this template" }).click();
      await page.waitForURL(/\/flow\//);
      await gone(gallery);
      await expect.poll(() => cards(page).count()).toBeGreaterThan(4);
    }),
  );
});

describe("an empty flow", () => {
  it(
    "takes a template that shares words with a description, in one step that can be taken back",
    withFlow(empty, async ({ page }) => {
      await page.getByRole("textbox", { name: "Describe what it should do" }).fill("remember what I said in the session");
      await page.getByRole("button", { name: "Find a start" }).click();
      await page.getByRole("button", { name: "Look at Memory chatbot" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Put it into this flow" }).click();
      await expect.poll(() => cards(page).count()).toBe(6);
      await page.getByRole("button", { name: "Undo" }).click();
      await see(page.getByRole("heading", { name: "How do you want to begin?" }));
    }),
  );

  it(
    "says so when nothing fits, and begins with a node",
    withFlow(empty, async ({ page }) => {
      await page.getByRole("textbox", { name: "Describe what it should do" }).fill("qqqq wwww");
      await page.getByRole("button", { name: "Find a start" }).click();
      await see(page.getByText(/No template or component shares a word/));
      await page.getByRole("button", { name: "Add the first node" }).click();
      const quick = page.getByRole("dialog", { name: "Add a node" });
      await quick.getByRole("combobox").fill("chat in");
      await quick.getByRole("combobox").press("Enter");
      await expect.poll(() => cards(page).count()).toBe(1);
      await gone(page.getByRole("heading", { name: "How do you want to begin?" }));
    }),
  );
});

describe("pasting on the home page", () => {
  const imports = (page: Page) => page.getByRole("region", { name: "Imports" });

  it(
    "imports a flow and names what this server does not have",
    withApp({}, async ({ page }) => {
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      const acme = component("Acme-1", { display_name: "Acme search" });
      await paste(page, JSON.stringify({ name: "From afar", data: { nodes: [acme], edges: [] } }));
      await see(
        imports(page).getByRole("link", { name: "Open From afar" }),
        imports(page).getByText(/does not have this component: Acme search/),
      );
      await see(flowLink(page, "From afar"));
    }),
  );

  it.each([
    ["Dear all, see you tomorrow", /not the JSON of a flow/],
    ['{"hello": "there"}', /no flow is in it/],
  ])("says what is wrong with %s", async (text, sentence) => {
    await withApp({}, async ({ page }) => {
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      await paste(page, text);
      await see(imports(page).getByText(sentence));
    })();
  });

  it(
    "is left alone inside a field",
    withApp({}, async ({ page }) => {
      const field = page.getByRole("searchbox", { name: "Search flows" });
      await field.focus();
      await field.evaluate((element) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", "nonsense");
        element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      });
      await paste(page, "nonsense outside");
      await see(imports(page));
      expect(await imports(page).getByRole("listitem").count()).toBe(1);
    }),
  );
});

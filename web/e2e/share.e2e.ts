import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, FLOW_ID, putFlow } from "./flowSupport";
import { type App, contents, gone, type OpenOptions, see, type TestServer, withApp } from "./harness";

interface Example {
  name: string;
  data: { nodes: { data: { type: string; node: { template: Record<string, Record<string, unknown>> } } }[] };
}

async function example(server: TestServer, name: string): Promise<Example["data"]> {
  const list = (await server.call("GET", "/api/v1/flows/basic_examples")) as Example[];
  const found = list.find((item) => item.name === name);
  if (!found) throw new Error(`There is no example ${name}.`);
  return found.data;
}

const SECRET = "sk-very-secret-1234";

function withExample(
  name: string,
  run: (app: App) => Promise<void>,
  { more, ...options }: OpenOptions & { more?: Record<string, unknown> } = {},
): () => Promise<void> {
  const seed = async (server: TestServer): Promise<void> => {
    const data = await example(server, name);
    for (const node of data.nodes) {
      const key = node.data.node.template?.api_key;
      if (key) Object.assign(key, { value: SECRET, load_from_db: false });
    }
    await putFlow(server, data, { name, ...more });
  };
  return withApp({ path: `/flow/${FLOW_ID}`, seed, ...options }, run);
}

async function share(page: Page, item: string): Promise<ReturnType<Page["getByRole"]>> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("menuitem", { name: item, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: item });
  await see(dialog);
  return dialog;
}

/** A page of another site that has the snippet in it. */
async function withSite(html: string, visit: (address: string) => Promise<void>): Promise<void> {
  const page = `<!doctype html><html lang="en"><head><title>Shop</title></head><body><main><h1>Shop</h1></main>${html}</body></html>`;
  const site = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  try {
    await visit(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  } finally {
    site.closeAllConnections();
    await new Promise((closed) => site.close(closed));
  }
}

async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  await field.fill(text);
  await field.press("Enter");
}

const answers = (page: Page) => page.getByRole("article", { name: "Answer" });
const MAKE_PUBLIC = { more: { access_type: "PUBLIC" } };

describe("API access", () => {
  it("gives code that works with a key made on the spot", withExample("Echo", async ({ page }) => {
    const dialog = await share(page, "API access");
    await dialog.getByRole("textbox", { name: "Message" }).fill(`it's "$HOME"`);
    const command = dialog.getByRole("region", { name: "Command that sets the key" });
    expect(await command.textContent()).toBe("export FERROFLOW_API_KEY=sk-…");
    await dialog.getByRole("button", { name: "Create an API key" }).click();
    await see(dialog.getByText(/it is not shown again/));
    const code = await dialog.getByRole("region", { name: "curl code" }).textContent();
    const { stdout } = await promisify(execFile)("bash", ["-c", `${await command.textContent()}\n${code}`]);
    expect(stdout).toContain(`"text":"it's \\"$HOME\\""`);

    await dialog.getByRole("tab", { name: "Python" }).click();
    await see(dialog.getByRole("region", { name: "Python code" }).getByText("urllib.request.urlopen"));
    await page.keyboard.press("Escape");
    await gone(dialog);
    await share(page, "API access");
    expect(await command.textContent()).toBe("export FERROFLOW_API_KEY=sk-…");
  }));

  it("sets the chosen fields, and writes out no secret", withExample("Basic prompting", async ({ page }) => {
    const dialog = await share(page, "API access");
    const code = dialog.getByRole("region", { name: "curl code" });
    await dialog.getByText("Language Model", { exact: true }).click();
    await dialog.getByRole("checkbox", { name: "API Key" }).click();
    await dialog.getByRole("switch", { name: "Stream the answer as it is written" }).click();
    await dialog.getByRole("textbox", { name: "Session" }).fill("mine");
    const text = (await code.textContent()) ?? "";
    expect(text).toContain("?stream=true");
    expect(text).toContain('"session_id": "mine"');
    expect(text).toMatch(/"api_key": \{\s+"load_from_db": true,\s+"value": "API_KEY"/);
    expect(await page.content()).not.toContain(SECRET);
  }));

  it("offers the webhook of a flow that has one", withExample("Webhook", async ({ page }) => {
    const dialog = await share(page, "API access");
    await see(dialog.getByRole("textbox", { name: "Body" }));
    expect(await dialog.getByRole("region", { name: "curl code" }).textContent()).toContain(`/api/v1/webhook/${FLOW_ID}`);
    expect(await dialog.getByRole("tab", { name: "Langflow client" }).count()).toBe(0);
  }));
});

describe("the shareable playground", () => {
  it("is switched on and off, and says what that means", withExample("Echo", async ({ page, server }) => {
    const dialog = await share(page, "Shareable playground");
    const link = dialog.getByRole("textbox", { name: "Link to the playground" });
    expect(await link.inputValue()).toBe(`${server.url}/playground/${FLOW_ID}`);
    await see(dialog.getByText(/^Private: only you/));
    await dialog.getByRole("switch", { name: "Anyone with the link can use it" }).click();
    await see(dialog.getByText(/^Public: whoever/), dialog.getByRole("link", { name: "Open" }));
    expect(await server.call("GET", `/api/v1/flows/${FLOW_ID}`)).toMatchObject({ access_type: "PUBLIC" });
    await dialog.getByRole("switch", { name: "Anyone with the link can use it" }).click();
    await see(dialog.getByText(/^Private: only you/));
    expect(await server.call("GET", `/api/v1/flows/${FLOW_ID}`)).toMatchObject({ access_type: "PRIVATE" });
  }));
});

describe("an export", () => {
  const file = async (page: Page, button: string): Promise<string> => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("My flow.json");
    return (await contents(download)).toString("utf8");
  };

  it("leaves secrets out and names them, unless they are asked for", withExample("Basic prompting", async ({ page }) => {
    const dialog = await share(page, "Export");
    await see(dialog.getByText("1 secret value is left out:"));
    const list = dialog.getByRole("list", { name: "Fields with secret values" });
    expect(await list.getByRole("listitem").allTextContents()).toEqual(["Language ModelAPI Key"]);
    await dialog.getByRole("textbox", { name: "File name" }).fill("My flow");
    const without = await file(page, "Export");
    expect(without).not.toContain(SECRET);
    expect(without).toContain('\n  "name": "Basic prompting"');
    await gone(dialog);

    await share(page, "Export");
    await dialog.getByRole("textbox", { name: "File name" }).fill("My flow");
    await dialog.getByRole("checkbox", { name: "Include the secret values" }).click();
    await see(dialog.getByText(/can read and use these values/));
    expect(await file(page, "Export with secrets")).toContain(SECRET);
  }));

  it("goes to the clipboard without secrets", withExample("Basic prompting", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy as JSON" }).click();
    await see(page.getByText("The flow was copied as JSON, without 1 secret."));
    const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as { name: string };
    expect(copied.name).toBe("Basic prompting");
    expect(JSON.stringify(copied)).not.toContain(SECRET);
  }));
});

describe("the embedded chat", () => {
  it("is made public, tried and taken along from its dialog", withExample("Echo", async ({ page, server }) => {
    const dialog = await share(page, "Embed");
    await dialog.getByRole("button", { name: "Make it public" }).click();
    await gone(dialog.getByText(/^The flow is private/));
    await dialog.getByRole("textbox", { name: "Title" }).fill(`Ask "us" <b>`);
    const preview = dialog.getByRole("group", { name: "Preview" });
    await see(preview.getByRole("heading", { name: `Ask "us" <b>` }));
    await say(page, "**Hi** <img src=x onerror=alert(1)>");
    await see(answers(page).getByText("Hi", { exact: true }));
    expect(await answers(page).locator("img").count()).toBe(0);
    await expectAccessible(page);

    await dialog.getByRole("combobox", { name: "Position" }).selectOption("Bottom left");
    await dialog.getByRole("switch", { name: "Open when the page loads" }).click();
    const code = await dialog.getByRole("region", { name: "HTML code" }).textContent();
    expect(code).toContain(`host-url="${server.url}"`);
    await withSite(code ?? "", async (address) => {
      await page.goto(address);
      const chat = page.getByRole("dialog", { name: `Ask "us" <b>` });
      await see(chat);
      await say(page, "from another site");
      await see(answers(page).getByText("from another site"));
    });
  }));

  it.each(["light", "dark"] as const)("is usable by keyboard and accessible, %s", (theme) =>
    withExample(
      "Echo",
      async ({ page, server }) => {
        const html = `<script src="${server.url}/embed/chat.js" defer></script><ferroflow-chat flow-id="${FLOW_ID}"></ferroflow-chat>`;
        await withSite(html, async (address) => {
          await page.goto(address);
          const button = page.getByRole("button", { name: "Open chat" });
          await button.focus();
          await page.keyboard.press("Enter");
          const chat = page.getByRole("dialog", { name: "Chat" });
          await see(chat);
          await page.keyboard.type("typed");
          await page.keyboard.press("Enter");
          await see(answers(page).getByText("typed"));
          await expectAccessible(page);
          await page.reload();
          await see(answers(page).getByText("typed"));
          await page.getByRole("button", { name: "Close chat" }).first().focus();
          await page.keyboard.press("Escape");
          await gone(chat);
          await expectAccessible(page);
        });
      },
      { theme, ...MAKE_PUBLIC },
    )(),
  );

  it("is Langflow's element too, on a phone and without storage", withExample(
    "Echo",
    async ({ page, server }) => {
      await page.addInitScript(() => {
        Object.defineProperty(globalThis, "sessionStorage", {
          get: () => {
            throw new DOMException("denied", "SecurityError");
          },
        });
      });
      const html = `<script src="${server.url}/embed/chat.js"></script>
        <langflow-chat flow_id="${FLOW_ID}" host_url="${server.url}" window_title="Help" chat_position="bottom-left"></langflow-chat>`;
      await withSite(html, async (address) => {
        await page.goto(address);
        await page.getByRole("button", { name: "Open chat" }).click();
        const chat = page.getByRole("dialog", { name: "Help" });
        const box = await chat.boundingBox();
        expect(box).toEqual({ x: 0, y: 0, width: 390, height: 780 });
        await say(page, "small screen");
        await see(answers(page).getByText("small screen"));
      });
    },
    { size: { width: 390, height: 780 }, ...MAKE_PUBLIC },
  ));

  it("asks the visitor what the run asks", withExample(
    "Human approval",
    async ({ page, server }) => {
      const html = `<script src="${server.url}/embed/chat.js" defer></script><ferroflow-chat start-open flow-id="${FLOW_ID}"></ferroflow-chat>`;
      await withSite(html, async (address) => {
        await page.goto(address);
        await say(page, "A trip to Rome");
        await page.getByRole("button", { name: "Approve" }).click();
        await see(answers(page).first());
        await gone(page.getByRole("button", { name: "Approve" }));
        await see(page.getByRole("button", { name: "Send" }));
      });
    },
    MAKE_PUBLIC,
  ));

  it("says so when the flow is taken back, and asks again when it is there again", withExample(
    "Echo",
    async ({ page, server, expectErrors }) => {
      expectErrors(/404/);
      const html = `<script src="${server.url}/embed/chat.js" defer></script><ferroflow-chat start-open flow-id="${FLOW_ID}"></ferroflow-chat>`;
      await withSite(html, async (address) => {
        await page.goto(address);
        await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { access_type: "PRIVATE" });
        await say(page, "anyone?");
        await see(page.getByText(/^This chat is not available/).first());
        await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { access_type: "PUBLIC" });
        await page.getByRole("button", { name: "Try again" }).click();
        await see(answers(page).getByText("anyone?"));
        expect(await page.getByRole("article", { name: "You" }).count()).toBe(1);
      });
    },
    MAKE_PUBLIC,
  ));
});

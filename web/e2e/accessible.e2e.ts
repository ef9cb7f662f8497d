import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { card, cards, dock, FLOW_ID, inspect, openBottom, openPanel, putFlow, violations } from "./flowSupport";
import { createFlow, createProject, gone, see, type TestServer, withApp } from "./harness";
import { ask, example } from "./playgroundSupport";

const EMPTY = "7d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e02";
const LOCKED = "7d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e03";

async function seed(server: TestServer): Promise<void> {
  await createProject(server, "Second project");
  const gone = await createFlow(server, "Deleted");
  await server.call("DELETE", `/api/v1/flows/${gone.id}`);
  const data = await example(server, "Basic prompting");
  for (const { data: node } of data.nodes) {
    const key = node.node.template?.api_key;
    if (key) Object.assign(key, { value: "sk-not-a-real-key", load_from_db: false });
  }
  await putFlow(server, data, {
    name: "Basic prompting",
    access_type: "PUBLIC",
    tags: ["one", "two"],
    description: "With a description.",
  });
  await server.call("POST", "/api/v2/workflows", { flow_id: FLOW_ID, input_value: "Hello", mode: "sync" });
  await server.call("PUT", `/api/v1/flows/${EMPTY}`, { name: "Empty", data: { nodes: [], edges: [] } });
  await server.call("PUT", `/api/v1/flows/${LOCKED}`, { name: "Locked", data, locked: true });
  await server.call("POST", "/api/v1/variables/", {
    name: "KEY",
    value: "secret",
    type: "Credential",
    default_fields: ["api_key"],
  });
  await server.call("POST", "/api/v1/api_key/", { name: "Key" });
  await server.call("POST", "/api/v1/users/", {
    username: "grace",
    password: "a long enough password",
    is_active: true,
  });
}

/** Address and first heading of every page. */
const pages: Record<string, string> = {
  "/": "All flows",
  [`/flow/${FLOW_ID}`]: "Basic prompting",
  [`/flow/${FLOW_ID}/playground`]: "Playground",
  [`/flow/${FLOW_ID}/runs`]: "Runs",
  [`/playground/${FLOW_ID}`]: "Basic prompting",
  "/templates": "Templates",
  "/files": "Files",
  "/trash": "Trash",
  "/docs": "API reference",
  "/settings/profile": "Profile",
  "/settings/models": "Model providers",
  "/settings/variables": "Variables",
  "/settings/api-keys": "API keys",
  "/settings/users": "Users",
  "/settings/appearance": "Appearance",
  "/settings/language": "Language",
  "/settings/shortcuts": "Shortcuts",
  "/settings/about": "About",
  "/no/such/page": "There is nothing here",
};

type Check = (what: string) => Promise<void>;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

async function dialog(page: Page, check: Check, name: string, open: () => Promise<void>): Promise<void> {
  await open();
  await see(page.getByRole("dialog", { name }));
  await check(name);
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog", { name }));
}

/** What opens on a page, one after the other. */
const opened: Record<string, (page: Page, check: Check) => Promise<void>> = {
  "/": async (page, check) => {
    await button(page, "List").click();
    await page.getByRole("checkbox", { name: "Select Locked" }).check();
    await see(page.getByRole("toolbar"));
    await check("list with a selection");
    await button(page, "Clear the selection").click();
    await button(page, "Actions for Locked").click();
    await see(page.getByRole("menuitem", { name: "Unlock" }));
    await check("flow menu");
    await page.keyboard.press("Escape");
    await dialog(page, check, "New flow", () => page.keyboard.press("n"));
    await dialog(page, check, "Keyboard shortcuts", () => page.keyboard.press("?"));
    await page.keyboard.press("ControlOrMeta+k");
    await see(page.getByRole("option", { name: "New flow" }));
    await check("command bar");
  },
  "/templates": async (page, check) => {
    await button(page, "Simple agent").click();
    await expect.poll(() => cards(page).count()).toBeGreaterThan(4);
    await check("template");
    await button(page, "Use this template").click();
    await see(page.getByRole("region", { name: "Set up Simple agent" }));
    await check("what a template needs");
  },
  [`/flow/${EMPTY}`]: async (page, check) => {
    await see(page.getByRole("heading", { name: "How do you want to begin?" }));
    const palette = page.getByRole("complementary", { name: "Components" });
    await palette.getByText("Agent", { exact: true }).first().hover();
    await see(page.getByRole("tooltip").getByText("Language Model"));
    await check("empty flow, help of a component");
    await palette.getByRole("searchbox").or(palette.getByRole("textbox")).first().fill("json");
    await check("component search");
    await dialog(page, check, "Add a node", () => button(page, "Add the first node").click());
    await button(page, "Start from a template").click();
    await see(page.getByRole("dialog", { name: "Templates" }).getByRole("button", { name: "Echo" }));
    await check("gallery");
  },
  [`/flow/${LOCKED}`]: async (page, check) => {
    await see(page.getByText("Locked", { exact: true }).last(), cards(page).first());
    await inspect(page, await firstNode(page));
    await check("locked flow");
  },
  [`/flow/${FLOW_ID}`]: async (page, check) => {
    const id = await firstNode(page);
    await inspect(page, id);
    await check("inspector");
    await dock(page, "Inspector").getByRole("tab", { name: "Last run" }).click();
    await check("output of a node");
    for (const tab of ["Problems", "Runs", "Variables"] as const) {
      const region = await openBottom(page, tab);
      if (tab === "Runs") await see(region.getByRole("table"));
      await check(`${tab} below`);
    }
    for (const panel of ["Outline", "Details", "Versions"] as const) {
      await openPanel(page, panel);
      await check(panel);
    }
    await button(page, "Playground").click();
    await see(dock(page, "Playground"));
    await check("playground beside the canvas");
    await card(page, id).getByText("Chat Input", { exact: true }).first().click({ button: "right" });
    await see(page.getByRole("menu"));
    await check("menu of a node");
    await page.keyboard.press("Escape");
    await gone(page.getByRole("menu"));
    for (const item of ["API access", "Shareable playground", "Embed", "Export"]) {
      await dialog(page, check, item, async () => {
        await button(page, "Share").click();
        await page.getByRole("menuitem", { name: item, exact: true }).click();
      });
    }
  },
  [`/playground/${FLOW_ID}`]: async (page, check) => {
    await ask(page, "Hello");
    await check("public conversation");
  },
  "/settings/variables": (page, check) =>
    dialog(page, check, "Edit KEY", () => button(page, "Edit KEY").click()),
  "/settings/api-keys": (page, check) =>
    dialog(page, check, "New API key", () => button(page, "New API key").click()),
  "/settings/users": (page, check) =>
    dialog(page, check, "New user", () => button(page, "New user").click()),
  "/settings/models": (page, check) =>
    dialog(page, check, "OpenAI", () => button(page, "Set up OpenAI").click()),
  "/docs?q=flows": async (page, check) => {
    await page.getByRole("button", { name: /GET \/api\/v1\/flows/ }).first().click();
    await see(page.getByRole("button", { name: "Send" }).first());
    await check("an open route");
  },
};

async function firstNode(page: Page): Promise<string> {
  await see(cards(page).first());
  return (await page.locator('[data-node-id^="ChatInput"]').first().getAttribute("data-node-id")) ?? "";
}

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it("every page, panel and dialog is free of what axe finds", withApp({ theme, seed }, async ({ page, server }) => {
    const found: Record<string, string[]> = {};
    for (const path of new Set([...Object.keys(pages), ...Object.keys(opened)])) {
      const check: Check = async (what) => {
        const list = await violations(page);
        if (list.length > 0) found[`${path} ${what}`] = list;
      };
      await page.goto(server.url + path);
      const title = pages[path];
      if (title !== undefined) {
        await see(page.getByRole("heading", { level: 1, name: title }));
        await page.waitForLoadState("networkidle");
        await check("");
      }
      await opened[path]?.(page, check);
    }
    expect(found).toEqual({});
  }), 300_000);

  it("so are the pages of somebody who is not signed in", withApp(
    { theme, path: "/login", accounts: [{ username: "ada", password: "correct horse battery", admin: true }] },
    async ({ page, server, expectErrors }) => {
      expectErrors(/404/);
      await see(page.getByRole("heading", { name: "Sign in to Ferroflow" }));
      expect(await violations(page)).toEqual([]);
      await page.goto(`${server.url}/playground/${FLOW_ID}`);
      await see(page.getByRole("heading", { name: "This flow is not shared" }));
      expect(await violations(page)).toEqual([]);
    },
  ));
});

it("a phone shows every page without scrolling sideways", withApp(
  { size: { width: 390, height: 844 }, seed },
  async ({ page, server }) => {
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(server.url + path);
      await see(page.getByRole("heading", { level: 1, name: title }));
      await page.waitForLoadState("networkidle");
      const [inside, outside] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      expect(inside, path).toBeLessThanOrEqual(outside ?? 0);
    }
  },
));

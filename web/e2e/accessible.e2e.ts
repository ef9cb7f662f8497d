import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { component } from "../src/flow/fixtures/build";
import { FLOW_ID, putFlow } from "./flowSupport";
import { createFlow, createProject, see, type TestServer, withApp } from "./harness";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: engine } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const result = await engine.run({ resultTypes: ["violations"] });
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
  });
}

async function seed(server: TestServer): Promise<void> {
  await createProject(server, "Second project");
  const gone = await createFlow(server, "Deleted");
  await server.call("DELETE", `/api/v1/flows/${gone.id}`);
  await createFlow(server, "Public and tagged", {
    access_type: "PUBLIC",
    tags: ["one", "two"],
    description: "With a description.",
  });
  await createFlow(server, "Locked", { locked: true });
  await putFlow(server, { nodes: [component("ChatInput-1", { type: "ChatInput" })], edges: [] });
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

const pages: Record<string, string> = {
  "/": "All flows",
  [`/flow/${FLOW_ID}/playground`]: "Playground",
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
};

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it("every page is free of what axe finds", withApp({ theme, seed }, async ({ page, server }) => {
    const found: Record<string, string[]> = {};
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(server.url + path);
      await see(page.getByRole("heading", { level: 1, name: title }));
      await page.waitForLoadState("networkidle");
      const list = await violations(page);
      if (list.length > 0) found[path] = list;
    }
    expect(found).toEqual({});
  }));

  it("so are the list, the menus, the dialogs and the command bar", withApp({ theme, seed }, async ({ page, server }) => {
    const found: Record<string, string[]> = {};
    const check = async (what: string) => {
      const list = await violations(page);
      if (list.length > 0) found[what] = list;
    };
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select Locked" }).check();
    await see(page.getByRole("toolbar"));
    await check("list with a selection");
    await page.getByRole("button", { name: "Clear the selection" }).click();

    await page.getByRole("button", { name: "Actions for Locked" }).click();
    await see(page.getByRole("menuitem", { name: "Unlock" }));
    await check("flow menu");
    await page.keyboard.press("Escape");

    await page.keyboard.press("n");
    await see(page.getByRole("dialog", { name: "New flow" }));
    await check("new flow");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await page.keyboard.press("ControlOrMeta+k");
    await see(page.getByRole("option", { name: "New flow" }));
    await check("command bar");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await page.keyboard.press("?");
    await see(page.getByRole("dialog", { name: "Keyboard shortcuts" }));
    await check("shortcut sheet");
    await page.keyboard.press("Escape");

    await page.goto(`${server.url}/settings/variables`);
    await page.getByRole("button", { name: "Edit KEY" }).click();
    await see(page.getByRole("dialog"));
    await check("variable");

    await page.goto(`${server.url}/docs?q=flows`);
    await page.getByRole("button", { name: /GET \/api\/v1\/flows/ }).first().click();
    await see(page.getByRole("button", { name: "Send" }).first());
    await check("an open route");

    await page.goto(`${server.url}/no/such/page`);
    await see(page.getByRole("heading", { name: "There is nothing here" }));
    await check("not found");
    expect(found).toEqual({});
  }));

  it("so is the sign-in page", withApp(
    { theme, path: "/login", accounts: [{ username: "ada", password: "correct horse battery", admin: true }] },
    async ({ page }) => {
      await see(page.getByRole("heading", { name: "Sign in to Ferroflow" }));
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

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible } from "./flowSupport";
import { type Account, chooseFromMenu, gone, see, withApp } from "./harness";

const ada: Account = { username: "ada", password: "correct horse battery", admin: true };
const grace: Account = { username: "grace", password: "a long enough password" };

async function signIn(page: Page, account: Account): Promise<void> {
  await page.getByLabel("User name").fill(account.username);
  await page.getByLabel("Password").first().fill(account.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(`^${name}\\b`) });
const keysButton = (page: Page, name: string) => page.getByRole("button", { name: `Change the keys of ${name}` });
const recording = (page: Page, name: string) => page.getByRole("button", { name: `Press the keys for ${name}` });
const newFlow = (page: Page) => page.getByRole("dialog", { name: "New flow" });

async function record(page: Page, name: string, keys: string): Promise<void> {
  await keysButton(page, name).click();
  await see(recording(page, name));
  await page.keyboard.press(keys);
}

async function stored(page: Page): Promise<void> {
  await page.waitForResponse(
    (answer) => answer.url().endsWith("/api/v1/preferences/shortcuts") && answer.request().method() === "PUT" && answer.ok(),
  );
}

describe("shortcuts", () => {
  it("are changed for one person, and stay so", withApp(
    { accounts: [ada, grace], path: "/login?next=/settings/shortcuts", theme: "dark" },
    async ({ page }) => {
      await signIn(page, ada);
      const saved = stored(page);
      await record(page, "New flow", "Shift+N");
      await see(row(page, "New flow").getByText("Changed"));
      await saved;
      await expectAccessible(page);

      await page.reload();
      await see(row(page, "New flow").getByText("Changed"));
      await page.goto(new URL("/all", page.url()).href);
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      await page.keyboard.press("n");
      await page.keyboard.press("?");
      const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await see(sheet.getByText("New flow"));
      expect(await sheet.locator("dl > div", { hasText: "New flow" }).locator("dd").textContent()).toBe("Shift N");
      await page.keyboard.press("Escape");
      await gone(sheet);
      await page.keyboard.press("Shift+N");
      await see(newFlow(page));
      await page.keyboard.press("Escape");
      await gone(newFlow(page));

      await chooseFromMenu(page, "Account menu of ada", "Sign out");
      await signIn(page, grace);
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      await page.keyboard.press("Shift+N");
      await page.keyboard.press("n");
      await see(newFlow(page));
    },
  ));

  it("say who has the keys already, and take them over only when told to", withApp(
    { path: "/settings/shortcuts" },
    async ({ page }) => {
      await record(page, "Run up to this node", "f");
      await see(page.getByText("F already does this: Freeze or thaw."));
      await page.getByRole("button", { name: "Cancel" }).click();
      await see(keysButton(page, "Run up to this node, now P"));

      await record(page, "Run up to this node", "f");
      await page.getByRole("button", { name: "Move the keys here" }).click();
      await see(keysButton(page, "Run up to this node, now F"), keysButton(page, "Freeze or thaw, now No keys"));

      await page.getByRole("button", { name: "Reset Freeze or thaw" }).click();
      await see(page.getByText("F already does this: Run up to this node."));
      await page.getByRole("button", { name: "Move the keys here" }).click();
      await see(keysButton(page, "Freeze or thaw, now F"), keysButton(page, "Run up to this node, now No keys"));

      await page.getByRole("button", { name: "Reset all" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Reset all" }).click();
      await see(keysButton(page, "Run up to this node, now P"));
      expect(await page.getByText("Changed", { exact: true }).count()).toBe(0);
    },
  ));

  it("are recorded with the keyboard alone; what the browser keeps is refused", withApp(
    { path: "/settings/shortcuts" },
    async ({ page }) => {
      await keysButton(page, "Undo").focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+w");
      await see(page.getByText("Ctrl+W belongs to the browser. Choose other keys."));
      await page.keyboard.press("ArrowUp");
      await see(page.getByText(/^↑ always does this/));
      await page.keyboard.press("Escape");
      await see(keysButton(page, "Undo, now Ctrl Z"));

      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+u");
      await see(keysButton(page, "Undo, now Ctrl U"));
      await page.getByRole("button", { name: "More keys for Undo" }).click();
      await page.keyboard.press("u");
      await see(keysButton(page, "Undo, now Ctrl U, U"));
      await page.keyboard.press("Enter");
      await page.keyboard.press("Backspace");
      await see(keysButton(page, "Undo, now No keys"));

      await page.getByLabel("Search shortcuts").fill("ctrl shift g");
      await see(row(page, "Ungroup"));
      expect(await page.getByRole("row").count()).toBe(2);
    },
  ));

  it("are put back when the server does not take them", withApp(
    { path: "/settings/shortcuts" },
    async ({ page, context, expectErrors }) => {
      expectErrors(/503/);
      await see(keysButton(page, "Undo, now Ctrl Z"));
      await context.route("**/api/v1/preferences/shortcuts", (route) =>
        route.fulfill({ status: 503, json: { detail: "The database is busy.", code: "busy" } }),
      );
      await record(page, "Undo", "Control+u");
      await see(page.getByText("The database is busy."));
      await see(keysButton(page, "Undo, now Ctrl Z"));
    },
  ));
});

import { describe, expect, it } from "vitest";
import { type Account, chooseFromMenu, createFlow, flowLink, gone, see, withApp } from "./harness";
import type { Page } from "playwright-core";

const ada: Account = { username: "ada", password: "correct horse battery", admin: true };

async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password", { exact: false }).first().fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("on a server with accounts", () => {
  it("one signs in, lands where one wanted to go, and signs out", withApp(
    { accounts: [ada], path: "/settings/variables" },
    async ({ page }) => {
      await see(page.getByRole("heading", { name: "Sign in to Ferroflow" }));
      await signIn(page, ada.username, ada.password);
      await page.waitForURL(/\/settings\/variables$/);
      await see(page.getByRole("heading", { level: 1, name: "Variables" }));
      expect(await page.evaluate(() => document.cookie)).toBe("");
      await chooseFromMenu(page, "Account menu of ada", "Sign out");
      await see(page.getByRole("heading", { name: "Sign in to Ferroflow" }));
      await page.goto(new URL("/files", page.url()).href);
      await see(page.getByRole("heading", { name: "Sign in to Ferroflow" }));
    },
  ));

  it("a wrong password is refused with one sentence and what to do", withApp(
    { accounts: [ada], path: "/login" },
    async ({ page, expectErrors }) => {
      expectErrors(/401/);
      await signIn(page, ada.username, "not the password");
      const alert = page.getByRole("alert");
      await see(alert, alert.getByText("Check the name and the password. Capital letters matter."));
      await alert.getByText("Details").click();
      await see(alert.getByText("Request id"));
      expect(await page.getByLabel("User name").inputValue()).toBe("ada");
    },
  ));

  it("a session that ends asks for the password over the page, and loses nothing", withApp(
    { accounts: [ada], path: "/login", seed: (server) => createFlow(server, "Kept") },
    async ({ page, context, expectErrors }) => {
      expectErrors(/401/);
      await signIn(page, ada.username, ada.password);
      await see(flowLink(page, "Kept"));
      await page.getByRole("button", { name: "New flow" }).click();
      const form = page.getByRole("dialog", { name: "New flow" });
      await form.getByLabel("Name").fill("Typed before the session ended");
      await context.clearCookies();
      await form.getByRole("button", { name: "Create and open" }).click();
      const expired = page.getByRole("dialog", { name: "Your session has ended" });
      await see(expired);
      await expired.getByLabel("Password", { exact: false }).first().fill(ada.password);
      await expired.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(/\/flow\//);
      await gone(expired);
    },
  ));

  it("there is no way to sign up unless the server allows it", withApp(
    { accounts: [ada], path: "/signup" },
    async ({ page }) => {
      await see(page.getByText(/does not take new accounts/));
    },
  ));

  it("a new account waits for an administrator", withApp(
    { accounts: [ada], args: ["--signup"], path: "/login" },
    async ({ page }) => {
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.getByLabel("User name").fill("grace");
      await page.getByLabel("Password", { exact: false }).first().fill("a long enough password");
      await page.getByRole("button", { name: "Create account" }).click();
      await see(page.getByRole("heading", { name: "Almost there" }));
    },
  ));

  it("an address from outside does not decide where a sign-in leads", withApp(
    { accounts: [ada], path: "/login?next=//evil.example/" },
    async ({ page, server }) => {
      await signIn(page, ada.username, ada.password);
      await see(page.getByRole("heading", { level: 1, name: "All flows" }));
      expect(page.url()).toMatch(new RegExp(`^${server.url}/`));
    },
  ));
});

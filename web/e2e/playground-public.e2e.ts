import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { FLOW_ID } from "./flowSupport";
import { gone, see } from "./harness";
import { conversation, field, idle, said, say, sessionList, withExample } from "./playgroundSupport";

const path = `/playground/${FLOW_ID}`;
const accounts = [{ username: "ada", password: "correct horse battery", admin: true }];
const shared = { path, accounts, more: { access_type: "PUBLIC", description: "Says what you say." } };
const articles = (page: Page) => conversation(page).getByRole("article");

describe("a shared flow", () => {
  it("is found at its older address, and shows nothing of its inside", withExample("Echo", async ({ page, server }) => {
    await see(page.getByRole("heading", { level: 1, name: "Echo" }), field(page));
    expect(new URL(page.url()).pathname).toBe(path);
    const answer = await fetch(`${server.url}/api/v1/flows/public_flow/${FLOW_ID}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain("written inside");
  }, {
    ...shared,
    path: `/public/${FLOW_ID}`,
    change: ({ nodes }) => {
      for (const { data } of nodes) {
        const own = data.node.template?.input_value;
        if (own) own.value = "written inside";
      }
    },
  }));

  it("is talked to without an account, and only this tab keeps it", withExample("Echo", async ({ page, server, context }) => {
    await see(
      page.getByRole("heading", { level: 1, name: "Echo" }),
      page.getByText("Says what you say."),
      page.getByText(/stays in this tab/),
    );
    await say(page, "Hello there");
    await see(said(page, "AI").getByText("Hello there"));
    await idle(page);
    expect(await articles(page).count()).toBe(2);
    await page.reload();
    await see(said(page, "AI").getByText("Hello there"));
    expect(await articles(page).count()).toBe(2);
    expect(await server.call("GET", `/api/v1/monitor/messages?flow_id=${FLOW_ID}`)).toEqual([]);

    await sessionList(page).getByRole("button", { name: "New session", exact: true }).click();
    await say(page, "Elsewhere");
    await see(said(page, "AI").getByText("Elsewhere"));
    await idle(page);
    await sessionList(page).getByRole("button", { name: "Default session", exact: true }).click();
    await see(said(page, "AI").getByText("Hello there"));
    expect(await articles(page).count()).toBe(2);

    const other = await context.newPage();
    await other.goto(page.url());
    await see(other.getByRole("heading", { name: "Nothing said yet" }));
  }, shared));

  it("lets a visitor edit, delete, undo and ask again", withExample("Echo", async ({ page }) => {
    await say(page, "First");
    await see(said(page, "AI").getByText("First"));
    await idle(page);
    await said(page, "AI").hover();
    await said(page, "AI").getByRole("button", { name: "Regenerate" }).click();
    await see(page.getByText("The earlier answer was replaced."));
    expect(await articles(page).count()).toBe(2);
    await said(page, "AI").hover();
    await said(page, "AI").getByRole("button", { name: "Delete" }).click();
    await gone(said(page, "AI"));
    await page.getByRole("button", { name: "Undo" }).last().click();
    await see(said(page, "AI").getByText("First"));
    await page.reload();
    await see(said(page, "AI").getByText("First"));
    expect(await articles(page).count()).toBe(2);
  }, shared));

  it("is kept for an account where one is signed in", withExample("Echo", async ({ page, server }) => {
    await page.goto(`${server.url}/login`);
    await page.getByLabel("User name").fill("ada");
    await page.getByLabel("Password", { exact: false }).first().fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await see(page.getByRole("heading", { level: 1, name: "All flows" }));
    await page.goto(server.url + path);
    await see(page.getByText(/kept for your account/));
    await say(page, "Remember me");
    await see(said(page, "AI").getByText("Remember me"));
    await idle(page);
    expect(await articles(page).count()).toBe(2);
    expect(await page.evaluate(() => Object.values(sessionStorage).join().includes("Remember me"))).toBe(false);
    await page.reload();
    await see(said(page, "AI").getByText("Remember me"));
    expect(await articles(page).count()).toBe(2);
  }, shared));

  it("says when to try again after too many questions", withExample("Echo", async ({ page, expectErrors }) => {
    expectErrors(/429/);
    await page.route("**/api/v2/workflows/public", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "30", "content-type": "application/json" },
        body: JSON.stringify({ detail: "Too many requests.", code: "RATE_LIMITED" }),
      }),
    );
    await say(page, "Hello again");
    await see(conversation(page).getByRole("alert").getByText(/30 seconds/));
    expect(await field(page).inputValue()).toBe("Hello again");
    expect(await articles(page).count()).toBe(0);
  }, shared));
});

it("a flow that is not shared says so", withExample("Echo", async ({ page, expectErrors }) => {
  expectErrors(/404/);
  await see(page.getByRole("heading", { name: "This flow is not shared" }));
}, { path, accounts }));

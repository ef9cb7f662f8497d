import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { card, expectAccessible, FLOW_ID, putFlow } from "./flowSupport";
import { type App, gone, type OpenOptions, see, type TestServer, withApp } from "./harness";
import { example } from "./playgroundSupport";

interface Seeded extends OpenOptions {
  /** What the flow is given, run by run. */
  inputs?: string[];
  page?: "runs" | "flow";
}

async function runWith(server: TestServer, input: string): Promise<void> {
  await server.call("POST", "/api/v2/workflows", { flow_id: FLOW_ID, input_value: input, mode: "sync" });
}

/** A test on the runs of a flow made of one of the examples. */
function withRuns(
  name: string,
  run: (app: App) => Promise<void>,
  { inputs = [], page = "runs", ...options }: Seeded = {},
): () => Promise<void> {
  const seed = async (server: TestServer): Promise<void> => {
    await putFlow(server, await example(server, name), { name });
    for (const input of inputs) await runWith(server, input);
  };
  return withApp({ path: page === "runs" ? `/flow/${FLOW_ID}/runs` : `/flow/${FLOW_ID}`, seed, ...options }, run);
}

const table = (page: Page) => page.getByRole("table", { name: "Runs" });
const rows = (page: Page) => table(page).getByRole("row").filter({ has: page.getByRole("checkbox") });
const openRun = (page: Page, index: number) => rows(page).nth(index).getByRole("button").click();
const line = (page: Page, name: string | RegExp) =>
  page.getByRole("listbox", { name: "Nodes over time" }).getByRole("option", { name });
const status = (page: Page, id: string, state: string) => card(page, id).locator(`[data-run-state="${state}"]`);

async function nodeIds(server: TestServer): Promise<(type: string, nth?: number) => string> {
  const flow = (await server.call("GET", `/api/v1/flows/${FLOW_ID}`)) as {
    data: { nodes: { id: string; data: { type: string } }[] };
  };
  return (type, nth = 0) => {
    const found = flow.data.nodes.filter((node) => node.data.type === type)[nth];
    if (!found) throw new Error(`The flow has no ${type}.`);
    return found.id;
  };
}

describe("the history of a flow", () => {
  it("says so while there is none, and shows a run that begins elsewhere", withRuns("Branch", async ({ page, server }) => {
    await see(page.getByRole("heading", { name: "This flow has not run yet" }));
    await runWith(server, "Is it so?");
    await see(rows(page).first());
    expect(await rows(page).count()).toBe(1);
    await see(rows(page).first().getByText("Done"));
  }));

  it("shows one run: when each node was at work, what it did and why", withRuns(
    "Branch",
    async ({ page }) => {
      await openRun(page, 0);
      await see(line(page, /Is it a question/), line(page, /Skipped.*To statements/));
      await line(page, /Is it a question/).click();
      await see(page.getByText('"Is it so?" ends with "?", so the true branch.'));
      await see(page.getByRole("button", { name: "Chat Input › message" }));
      await page.keyboard.press("ArrowDown");
      await see(page.getByRole("heading", { name: "To questions" }));
      await see(page.getByRole("group", { name: "To questions prompt", exact: true }).getByText("You ask: Is it so?"));
      await line(page, /To statements/).click();
      await see(page.getByText(/Is it a question took another branch/));
      await expectAccessible(page);
    },
    { inputs: ["Is it so?"] },
  ));

  it("shows the rounds of a loop one by one", withRuns(
    "Loop over rows",
    async ({ page }) => {
      await openRun(page, 0);
      await line(page, /^Done Line/).click();
      await see(page.getByText("Order 1004").first());
      await page.getByRole("button", { name: "Round before" }).click();
      await see(page.getByText("Order 1003").first());
      await page.getByRole("combobox", { name: "Round" }).selectOption({ index: 0 });
      await see(page.getByText("Order 1001").first());
    },
    { inputs: [""] },
  ));

  it("shows a table as one, sorts it, and loads what was cut", withRuns(
    "Loop over rows",
    async ({ page }) => {
      await openRun(page, 0);
      await line(page, /Orders/).click();
      const orders = page.getByRole("table", { name: "Orders dataframe_output" });
      await see(orders);
      const before = Number(await orders.getAttribute("aria-rowcount"));
      await page.getByRole("button", { name: "Load all" }).first().click();
      await expect.poll(async () => Number(await orders.getAttribute("aria-rowcount"))).toBeGreaterThan(before);
      await orders.getByRole("button", { name: "customer" }).click();
      expect(await orders.getByRole("columnheader", { name: "customer" }).getAttribute("aria-sort")).toBe("ascending");
      const customers = await orders.locator("tbody tr td:nth-child(3)").allTextContents();
      expect(customers).toEqual([...customers].sort());
      await page.getByRole("button", { name: "Tree", exact: true }).first().click();
      const tree = page.getByRole("tree", { name: "Orders dataframe_output" });
      await tree.focus();
      await page.keyboard.press("ArrowRight");
      await see(page.getByText("[0].order_id"));
      await page.getByRole("searchbox", { name: "Search in this value" }).first().fill("Lisbon");
      await see(page.getByRole("status").getByText(/\d+ found/).first());
      await expectAccessible(page);
    },
    { inputs: [""] },
  ));

  it("compares two runs and shows what differs", withRuns(
    "Branch",
    async ({ page }) => {
      const compare = page.getByRole("button", { name: "Compare", exact: true });
      await see(compare);
      expect(await compare.isDisabled()).toBe(true);
      for (const box of await page.getByRole("checkbox", { name: /^Compare the run/ }).all()) await box.check();
      await compare.click();
      await see(page.getByText("6 nodes differ"));
      const answer = page.getByRole("listitem").filter({ hasText: "To questions" });
      await see(answer.getByText("Skipped"), answer.getByText("You ask: Is it so?"));
      await expectAccessible(page);
      await page.getByRole("button", { name: "Back to all runs" }).click();
      await see(table(page));
    },
    { inputs: ["Just so.", "Is it so?"] },
  ));

  it("runs again from a node with another value, and compares with the first", withRuns(
    "Branch",
    async ({ page }) => {
      await openRun(page, 0);
      await line(page, /To statements/).click();
      await page.getByRole("button", { name: "Run from here…" }).click();
      const dialog = page.getByRole("dialog", { name: "Run again from a node" });
      await see(dialog);
      await expectAccessible(page);
      await dialog.getByText(/Change \d+ fields? of this node/).click();
      await dialog.getByRole("textbox", { name: "Template" }).fill("Noted: {statement}");
      await dialog.getByRole("button", { name: "Run", exact: true }).click();
      await gone(dialog);
      await see(line(page, /Reused.*Chat Input/), line(page, /Done.*To statements/));
      await line(page, /To statements/).click();
      await see(page.getByText("Noted: Just so.").first());
      await page.getByRole("button", { name: "Compare with the first" }).click();
      await see(page.getByText("2 nodes differ"));
      await page.getByRole("checkbox", { name: "Only what differs" }).check();
      expect(await page.getByText("Chat Input", { exact: true }).count()).toBe(0);
    },
    { inputs: ["Just so."] },
  ));

  it("names the cause of a failure, is filtered, and forgets", withRuns(
    "CSV report",
    async ({ page }) => {
      await see(rows(page).first().getByText('The table has no column "sold"'));
      await openRun(page, 0);
      await see(page.getByRole("heading", { name: "Only sold" }), page.getByText("It has: text."));
      await line(page, /As markdown/).click();
      await see(page.getByText(/^It needs/));
      await page.getByRole("button", { name: "Back to all runs" }).click();
      await page.getByRole("combobox", { name: "Show runs by status" }).selectOption("completed");
      await see(page.getByRole("heading", { name: "No such runs" }));
      await page.getByRole("combobox", { name: "Show runs by status" }).selectOption("failed");
      await see(rows(page).first());
      await page.getByRole("button", { name: "Delete all…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete all…" }).click();
      await see(page.getByRole("heading", { name: "No such runs" }));
    },
    { inputs: ["no table"] },
  ));

  it.each(["light", "dark"] as const)("is accessible in the %s theme", (theme) =>
    withRuns(
      "Loop over rows",
      async ({ page }) => {
        await see(rows(page).first());
        await expectAccessible(page);
        await openRun(page, 0);
        await see(line(page, /Chat Output/));
        await expectAccessible(page);
      },
      { inputs: [""], theme },
    )());
});

describe("a run from the page", () => {
  const run = (page: Page) => page.getByRole("button", { name: "Run", exact: true });
  const stop = (page: Page) => page.getByRole("button", { name: "Stop", exact: true });
  const many = Array.from({ length: 120 }, (_, index) => `word${index}`).join(" ");
  const slow = async (server: TestServer): Promise<void> => {
    const data = await example(server, "Basic prompting");
    for (const { data: node } of data.nodes) {
      if (node.type === "ChatInput" && node.node.template.input_value) node.node.template.input_value.value = many;
    }
    await putFlow(server, data, { name: "Slow" });
  };
  const onSlow = (test: (app: App) => Promise<void>) => withApp({ path: `/flow/${FLOW_ID}`, seed: slow }, test);

  it("shows each node's state, and all of it is there after a reload", withRuns(
    "Branch",
    async ({ page, server }) => {
      const id = await nodeIds(server);
      await run(page).click();
      await see(status(page, id("ConditionalRouter"), "done"), status(page, id("ChatOutput", 1), "skipped"));
      await see(page.getByRole("note", { name: "Last run" }));
      await page.reload();
      await see(status(page, id("ConditionalRouter"), "done"), status(page, id("ChatOutput", 1), "skipped"));
      await expectAccessible(page);
    },
    { page: "flow" },
  ));

  it("is stopped", onSlow(async ({ page, server }) => {
    const id = await nodeIds(server);
    await run(page).click();
    await see(stop(page), status(page, id("LanguageModelComponent"), "running"));
    await stop(page).click();
    await see(run(page), status(page, id("LanguageModelComponent"), "cancelled"));
  }));

  it("is found again after a reload in the middle", onSlow(async ({ page, server }) => {
    const id = await nodeIds(server);
    await run(page).click();
    await see(status(page, id("LanguageModelComponent"), "running"));
    await page.reload();
    await see(stop(page), status(page, id("LanguageModelComponent"), "running"));
    await see(run(page), status(page, id("ChatOutput"), "done"));
  }));

  it("goes on when the server has come back", onSlow(async ({ page, server, expectErrors }) => {
    expectErrors(/Failed to load resource|ERR_|network error/i);
    const id = await nodeIds(server);
    await run(page).click();
    await see(status(page, id("LanguageModelComponent"), "running"));
    await server.kill();
    await see(page.getByText("Connection lost"));
    await server.startAgain();
    await see(run(page));
    await gone(page.getByText("Connection lost"));
    await expect.poll(() => card(page, id("LanguageModelComponent")).locator("[data-run-state]").getAttribute("data-run-state")).toMatch(
      /^(done|error|cancelled)$/,
    );
  }));

  it("tells what was said to the model", onSlow(async ({ page }) => {
    await run(page).click();
    await see(page.getByRole("note", { name: "Last run" }));
    await page.goto(`${new URL(page.url()).origin}/flow/${FLOW_ID}/runs`);
    await openRun(page, 0);
    await line(page, /Language Model/).click();
    await see(page.getByRole("heading", { name: "1 call to a model" }));
    await page.locator("summary").filter({ hasText: /rehearsal/i }).click();
    await see(page.getByRole("heading", { name: "Sent, exactly as it went out" }));
    await see(page.getByText(/word119/).first());
    await expectAccessible(page);
  }));
});

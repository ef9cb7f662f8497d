import { describe, expect, it } from "vitest";
import { chat } from "../src/flow/fixtures/build";
import { card, dock, expectAccessible, FLOW_ID, openPanel, withFlow } from "./flowSupport";
import { gone, see } from "./harness";
import type { Page } from "playwright-core";

async function rename(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Rename this flow" }).click();
  await page.getByRole("textbox", { name: "Name of the flow" }).fill(name);
  await page.keyboard.press("Enter");
}

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

describe("the flow's name", () => {
  it(
    "is changed where it stands",
    withFlow(chat(), async ({ page, server }) => {
      await rename(page, "Better name");
      await see(title(page, "Better name"), page.getByTestId("saved-state").getByText(/Saved/));
      expect(await server.call("GET", `/api/v1/flows/${FLOW_ID}`)).toMatchObject({ name: "Better name" });
    }),
  );

  it(
    "is left alone by Escape",
    withFlow(chat(), async ({ page }) => {
      await page.getByRole("button", { name: "Rename this flow" }).click();
      await page.getByRole("textbox", { name: "Name of the flow" }).fill("No");
      await page.keyboard.press("Escape");
      await see(title(page, "Sample"));
    }),
  );

  it(
    "asks when somebody else was faster, and shows what they did",
    withFlow(chat(), async ({ page, context, expectErrors }) => {
      expectErrors(/409/);
      await see(card(page, "Model-1"));
      const other = await context.newPage();
      await other.goto(page.url());
      await rename(other, "Theirs");
      await see(title(other, "Theirs"));

      await rename(page, "Mine");
      const dialog = page.getByRole("dialog", { name: "This flow was changed elsewhere" });
      await see(dialog.getByText("“Mine”"), dialog.getByText("Theirs"));
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Save mine anyway" }).click();
      await see(title(page, "Mine"));

      await rename(other, "Late");
      await other.getByRole("button", { name: "Reload, drop mine" }).click();
      await see(title(other, "Mine"));
    }),
  );
});

describe("the details", () => {
  it(
    "are saved, and a wrong field says why",
    withFlow(chat(), async ({ page, server, expectErrors }) => {
      expectErrors(/422/);
      await openPanel(page, "Details");
      const panel = dock(page, "Details");
      await panel.getByLabel("Description").fill("Says hello.");
      await panel.getByLabel("Tags").fill("one,two,");
      await panel.getByLabel("Endpoint name").fill("not a name");
      await panel.getByRole("button", { name: "Save" }).click();
      await expect.poll(() => panel.getByLabel("Endpoint name").getAttribute("aria-invalid")).toBe("true");
      await panel.getByLabel("Endpoint name").fill("hello");
      await panel.getByRole("button", { name: "Save" }).click();
      await see(page.getByText("The details were saved."));
      expect(await server.call("GET", `/api/v1/flows/${FLOW_ID}`)).toMatchObject({
        description: "Says hello.",
        tags: ["one", "two"],
        endpoint_name: "hello",
      });
    }),
  );

  it(
    "are closed while the flow is locked",
    withFlow(chat(), async ({ page }) => {
      await openPanel(page, "Details");
      const panel = dock(page, "Details");
      await panel.getByRole("switch", { name: "Locked" }).click();
      await see(page.getByText("Nothing about this flow can be changed until it is unlocked."));
      expect(await panel.getByLabel("Description").isDisabled()).toBe(true);
      await gone(page.getByRole("button", { name: "Rename this flow" }));
      await panel.getByRole("switch", { name: "Locked" }).click();
      await see(page.getByRole("button", { name: "Rename this flow" }));
    }),
  );
});

it(
  "speaks the person's language",
  withFlow(
    chat(),
    async ({ page }) => {
      await see(card(page, "Model-1").getByText("입력 받는 중"));
      await see(page.getByRole("button", { name: "버전" }));
    },
    { locale: "ko-KR" },
  ),
);

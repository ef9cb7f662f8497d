import { describe, expect, it } from "vitest";
import { chat, component, output } from "../src/flow/fixtures/build";
import { card, dock, expectAccessible, FLOW_ID, openPanel, withFlow } from "./flowSupport";
import { chooseFromMenu, gone, see, type App } from "./harness";

interface Document {
  nodes: { id: string; data: { node: { template: Record<string, { value: unknown }> } } }[];
  edges: { target: string }[];
}

/** Saves a version of the chat flow, then changes the draft: one node added, one removed, one changed. */
async function versionAndChange({ page, server }: App): Promise<void> {
  await see(card(page, "Model-1"));
  await page.keyboard.press("Control+s");
  const text = dock(page, "Versions").getByLabel("What is in this version?");
  await expect.poll(() => text.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.type("The first one");
  await page.keyboard.press("Enter");
  await see(dock(page, "Versions").getByText("The first one"));

  const document = structuredClone(chat()) as unknown as Document;
  const message = document.nodes.find((node) => node.id === "Model-1")?.data.node.template.system_message;
  if (!message) throw new Error("the sample has no system message");
  message.value = "Be long.";
  await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, {
    data: {
      nodes: [
        ...document.nodes.filter((node) => node.id !== "ChatOutput-1"),
        component("New-1", { display_name: "Newcomer", at: [960, 300], outputs: [output("o", ["Message"])] }),
      ],
      edges: document.edges.filter((edge) => edge.target !== "ChatOutput-1"),
    },
  });
  await page.reload();
  await see(card(page, "New-1"));
  await openPanel(page, "Versions");
}

describe("versions", () => {
  it(
    "are compared with the draft, in words and on the canvas",
    withFlow(chat(), async (app) => {
      const { page } = app;
      await versionAndChange(app);
      await page.getByRole("button", { name: "Compare the newest version with the draft" }).click();
      const panel = dock(page, "Versions");
      await see(
        panel.getByText("1 node added"),
        panel.getByText("1 node removed"),
        panel.getByText("1 node changed"),
      );
      await see(panel.getByText("Be brief."), panel.getByText("Be long."));
      await see(page.getByText("Comparing v1 with draft"));
      expect(await card(page, "New-1").getAttribute("data-mark")).toBe("added");
      expect(await card(page, "ChatOutput-1").getAttribute("data-mark")).toBe("removed");
      expect(await card(page, "Model-1").getAttribute("data-mark")).toBe("changed");
      expect(await page.locator('.ff-wire[data-mark="removed"]').count()).toBe(1);
      await expectAccessible(page);

      await panel.getByRole("button", { name: "Newcomer" }).click();
      await expect.poll(() => card(page, "New-1").getAttribute("data-selected")).toBe("true");
      await panel.getByRole("button", { name: "Swap the two sides" }).click();
      await expect.poll(() => card(page, "New-1").getAttribute("data-mark")).toBe("removed");
      await panel.getByRole("searchbox").fill("be long");
      await gone(panel.getByRole("button", { name: "Newcomer" }));
      await panel.getByRole("button", { name: "As text" }).click();
      await see(panel.getByText(/Newcomer/));
      await page.getByRole("button", { name: "Back to draft" }).click();
      await gone(page.locator("[data-mark]").first());
    }),
  );

  it(
    "are looked at and restored, and the restore is undone",
    withFlow(chat(), async (app) => {
      const { page } = app;
      await versionAndChange(app);
      await page.getByRole("button", { name: "Look at v1" }).click();
      await see(page.getByText("You are looking at v1"), card(page, "ChatOutput-1"));
      await gone(card(page, "New-1"));
      await page.getByRole("button", { name: "Restore this version" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
      await see(
        page.getByText("v1 is the draft again."),
        page.getByTestId("saved-state"),
        card(page, "ChatOutput-1"),
      );
      await see(dock(page, "Versions").getByText("Auto-saved before activating v1"));
      await page.getByRole("button", { name: "Undo" }).last().click();
      await see(page.getByText("The draft is as it was before."), card(page, "New-1"));
      await gone(card(page, "ChatOutput-1"));
    }),
  );

  it(
    "are described anew and deleted, and hold the last word",
    withFlow(chat(), async (app) => {
      const { page, server } = app;
      await versionAndChange(app);
      await chooseFromMenu(page, "Actions for v1", "Edit the description");
      await page.getByRole("textbox", { name: "Description of v1" }).fill("Known to work");
      await page.keyboard.press("Enter");
      await see(dock(page, "Versions").getByText("Known to work"));
      await chooseFromMenu(page, "Actions for v1", "Delete");
      await page.getByRole("dialog", { name: "Delete v1?" }).getByRole("button", { name: "Delete" }).click();
      await see(page.getByText(/No versions yet/));

      // A version holds what was typed a moment ago, also before it was saved on its own.
      await card(page, "ChatInput-1").getByRole("textbox", { name: "Input Text" }).fill("typed last");
      await page.keyboard.press("Control+s");
      await dock(page, "Versions").getByLabel("What is in this version?").press("Enter");
      await see(page.getByRole("button", { name: /^Look at v/ }));
      const { entries } = (await server.call("GET", `/api/v1/flows/${FLOW_ID}/versions`)) as { entries: { id: string }[] };
      const version = await server.call("GET", `/api/v1/flows/${FLOW_ID}/versions/${entries[0]?.id}`);
      expect(JSON.stringify(version)).toContain("typed last");
    }),
  );
});

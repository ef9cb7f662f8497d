import { describe, expect, it } from "vitest";
import {
  chooseFromMenu,
  contents,
  createFlow,
  createProject,
  dropFiles,
  flowLink,
  flowNames,
  gone,
  see,
  withApp,
} from "./harness";

describe("first run", () => {
  it("opens home without a password and offers three ways in", withApp({}, async ({ page }) => {
    await see(page.getByRole("heading", { name: "No flows yet" }));
    expect(new URL(page.url()).pathname).toBe("/");
    await see(page.getByRole("button", { name: "New flow" }).first());
    await see(page.getByRole("button", { name: "Import", exact: true }).first());
    await see(page.getByText("or drop a JSON or ZIP file anywhere on this page"));
    await see(page.getByRole("link", { name: "Starter Project" }));
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  }));

  it("creates a flow and opens it", withApp({}, async ({ page, server }) => {
    await page.getByRole("button", { name: "New flow" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New flow" });
    await dialog.getByLabel("Name").fill("My first flow");
    await dialog.getByLabel("Description").fill("It says hello.");
    await dialog.getByLabel("Tags").fill("demo,");
    await dialog.getByRole("button", { name: "Create and open" }).click();
    await page.waitForURL(/\/flow\//);
    const id = page.url().split("/").at(-1);
    const flow = (await server.call("GET", `/api/v1/flows/${id}`)) as Record<string, unknown>;
    expect(flow).toMatchObject({ name: "My first flow", description: "It says hello.", tags: ["demo"] });
  }));
});

describe("a flow", () => {
  it("is renamed, described and tagged", withApp(
    { seed: (server) => createFlow(server, "Before") },
    async ({ page }) => {
      await chooseFromMenu(page, "Actions for Before", "Rename and describe F2");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("After");
      await dialog.getByLabel("Tags").fill("one");
      await dialog.getByLabel("Tags").press("Enter");
      await dialog.getByRole("button", { name: "Save" }).click();
      await see(flowLink(page, "After"), page.getByText("one", { exact: true }));
      await gone(flowLink(page, "Before"));
    },
  ));

  it("must have a name", withApp({ seed: (server) => createFlow(server, "Named") }, async ({ page }) => {
    await chooseFromMenu(page, "Actions for Named", "Rename and describe F2");
    await page.getByRole("dialog").getByLabel("Name").fill("  ");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await see(page.getByText("Give it a name."));
  }));

  it("is duplicated", withApp({ seed: (server) => createFlow(server, "Original") }, async ({ page }) => {
    await chooseFromMenu(page, "Actions for Original", "Duplicate");
    await expect.poll(() => flowNames(page)).toHaveLength(2);
    expect((await flowNames(page)).filter((name) => name.startsWith("Original"))).toHaveLength(2);
  }));

  it("is deleted and brought back by Undo", withApp(
    { seed: (server) => createFlow(server, "Precious") },
    async ({ page, server }) => {
      await chooseFromMenu(page, "Actions for Precious", "Delete Del");
      await gone(flowLink(page, "Precious"));
      await see(page.getByText("“Precious” is in the trash."));
      await page.getByRole("button", { name: "Undo" }).click();
      await see(flowLink(page, "Precious"));
      expect(await server.call("GET", "/api/v1/trash/")).toEqual({ items: [] });
    },
  ));

  it("is locked, refuses changes, and is unlocked", withApp(
    { seed: (server) => createFlow(server, "Fixed") },
    async ({ page }) => {
      await chooseFromMenu(page, "Actions for Fixed", "Lock");
      await see(page.getByRole("img", { name: "Locked" }));
      await page.getByRole("button", { name: "Actions for Fixed" }).click();
      const item = page.getByRole("menuitem", { name: "Delete" });
      await see(item);
      expect(await item.getAttribute("aria-disabled")).toBe("true");
      await page.getByRole("menuitem", { name: "Unlock" }).click();
      await gone(page.getByRole("img", { name: "Locked" }));
    },
  ));

  it("is made public and private again", withApp(
    { seed: (server) => createFlow(server, "Shared") },
    async ({ page }) => {
      await chooseFromMenu(page, "Actions for Shared", "Make public");
      await see(page.getByRole("img", { name: "Public" }));
      await chooseFromMenu(page, "Actions for Shared", "Make private");
      await gone(page.getByRole("img", { name: "Public" }));
    },
  ));

  it("is exported as JSON", withApp({ seed: (server) => createFlow(server, "Exported") }, async ({ page }) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      chooseFromMenu(page, "Actions for Exported", "Export"),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
    const saved = JSON.parse((await contents(download)).toString()) as { name: string };
    expect(saved.name).toBe("Exported");
  }));

  it("that was changed elsewhere asks before it overwrites", withApp(
    { seed: (server) => createFlow(server, "Contested") },
    async ({ page, server, expectErrors }) => {
      expectErrors(/409/);
      await see(flowLink(page, "Contested"));
      const { items } = (await server.call("GET", "/api/v1/flows/?get_all=false&header_flows=true")) as {
        items: { id: string }[];
      };
      await chooseFromMenu(page, "Actions for Contested", "Rename and describe F2");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Mine");
      await server.call("PATCH", `/api/v1/flows/${items[0]?.id}`, { name: "Theirs" });
      await dialog.getByRole("button", { name: "Save" }).click();
      const stale = page.getByRole("dialog", { name: "Changed elsewhere" });
      await see(stale.getByRole("cell", { name: "Contested Theirs" }), stale.getByRole("cell", { name: "Mine", exact: true }));
      await stale.getByRole("button", { name: "Overwrite with mine" }).click();
      await see(flowLink(page, "Mine"));
    },
  ));
});

describe("projects", () => {
  it("are created, renamed, deleted and brought back", withApp({}, async ({ page }) => {
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel("Project name").fill("Reports");
    await page.getByLabel("Project name").press("Enter");
    await page.waitForURL(/\/projects\//);
    await see(page.getByRole("heading", { level: 1, name: "Reports" }));
    await chooseFromMenu(page, "Actions for project Reports", "Rename F2");
    await page.getByLabel("Project name").fill("Yearly reports");
    await page.getByLabel("Project name").press("Enter");
    await see(page.getByRole("heading", { level: 1, name: "Yearly reports" }));
    await chooseFromMenu(page, "Actions for project Yearly reports", "Delete");
    await page.waitForURL(/\/all$/);
    await gone(page.getByRole("link", { name: /Yearly reports/ }));
    await page.getByRole("button", { name: "Undo" }).click();
    await see(page.getByRole("link", { name: /Yearly reports/ }));
  }));

  it("take a flow from the menu, and give it back by Undo", withApp(
    {
      seed: async (server) => {
        await createFlow(server, "Traveller");
        await createProject(server, "Elsewhere");
      },
    },
    async ({ page }) => {
      await page.getByRole("button", { name: "Actions for Traveller" }).click();
      await page.getByRole("menuitem", { name: "Move to" }).click();
      await page.getByRole("menuitem", { name: "Elsewhere" }).click();
      await see(page.getByText("“Traveller” was moved to Elsewhere."));
      await page.getByRole("link", { name: /Elsewhere/ }).click();
      await see(flowLink(page, "Traveller"));
      await page.getByRole("button", { name: "Undo" }).click();
      await gone(flowLink(page, "Traveller"));
    },
  ));

  it("take a card that is dragged onto them", withApp(
    {
      seed: async (server) => {
        await createFlow(server, "Dragged");
        await createProject(server, "Target");
      },
    },
    async ({ page }) => {
      const card = page.getByRole("listitem").filter({ has: flowLink(page, "Dragged") });
      const target = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: /Target/ }) });
      await card.dragTo(target, { sourcePosition: { x: 150, y: 100 } });
      await see(page.getByText("“Dragged” was moved to Target."));
      await page.getByRole("link", { name: /Target/ }).click();
      await see(flowLink(page, "Dragged"));
    },
  ));

  it("are exported as a ZIP", withApp({ seed: (server) => createFlow(server, "Inside") }, async ({ page }) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      chooseFromMenu(page, "Actions for project Starter Project", "Export"),
    ]);
    expect((await contents(download)).subarray(0, 2).toString()).toBe("PK");
  }));

  it("come back from their ZIP with everything in them", withApp(
    {
      seed: async (server) => {
        const project = await createProject(server, "Packed");
        await createFlow(server, "Inside", { folder_id: project.id });
      },
    },
    async ({ page }) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        chooseFromMenu(page, "Actions for project Packed", "Export"),
      ]);
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Import a project" }).click(),
      ]);
      await chooser.setFiles([
        { name: "Packed.zip", mimeType: "application/zip", buffer: await contents(download) },
      ]);
      await see(page.getByText("Import finished"));
      await page.getByRole("link", { name: /^Packed \(1\)/ }).click();
      await expect.poll(() => flowNames(page)).toHaveLength(1);
    },
  ));

  it("that do not exist say so", withApp(
    { path: "/projects/00000000-0000-0000-0000-000000000000" },
    async ({ page }) => {
      await see(page.getByRole("heading", { name: "This project is not here" }));
    },
  ));
});

describe("several flows", () => {
  const three = async (server: Parameters<typeof createFlow>[0]) => {
    for (const name of ["Alpha", "Beta", "Gamma"]) await createFlow(server, name);
  };

  it("are selected, exported as a ZIP, deleted and brought back", withApp({ seed: three }, async ({ page }) => {
    await page.getByRole("checkbox", { name: "Select Alpha" }).check();
    await page.getByRole("checkbox", { name: "Select Gamma" }).check();
    const bar = page.getByRole("toolbar");
    await see(bar.getByText("2 selected"));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      bar.getByRole("button", { name: "Export" }).click(),
    ]);
    expect((await contents(download)).subarray(0, 2).toString()).toBe("PK");
    await bar.getByRole("button", { name: "Delete" }).click();
    await gone(flowLink(page, "Alpha"), flowLink(page, "Gamma"), bar);
    await see(flowLink(page, "Beta"));
    await page.getByRole("button", { name: "Undo" }).click();
    await see(flowLink(page, "Alpha"), flowLink(page, "Gamma"));
  }));

  it("are moved together", withApp(
    {
      seed: async (server) => {
        await three(server);
        await createProject(server, "Archive");
      },
    },
    async ({ page }) => {
      await page.getByRole("checkbox", { name: "Select Alpha" }).check();
      await page.getByRole("checkbox", { name: "Select all" }).check();
      await page.getByRole("toolbar").getByRole("button", { name: "Move to" }).click();
      await page.getByRole("menuitem", { name: "Archive" }).click();
      await see(page.getByText("3 flows were moved to Archive."));
      await page.getByRole("link", { name: /Archive/ }).click();
      await expect.poll(() => flowNames(page)).toHaveLength(3);
    },
  ));

  it("are searched on the server, and the search survives a reload", withApp({ seed: three }, async ({ page }) => {
    await page.getByRole("searchbox").fill("bet");
    await expect.poll(() => flowNames(page)).toEqual(["Beta"]);
    await page.reload();
    await expect.poll(() => flowNames(page)).toEqual(["Beta"]);
    await page.getByRole("searchbox").fill("nothing like it");
    await see(page.getByRole("heading", { name: "Nothing found" }));
    await page.getByRole("button", { name: "Clear the search" }).last().click();
    await expect.poll(() => flowNames(page)).toHaveLength(3);
  }));

  it("are sorted, and the order and the view are remembered", withApp({ seed: three }, async ({ page }) => {
    await page.getByLabel("Order").selectOption({ label: "Name A–Z" });
    await expect.poll(() => flowNames(page)).toEqual(["Alpha", "Beta", "Gamma"]);
    await page.getByLabel("Order").selectOption({ label: "Name Z–A" });
    await expect.poll(() => flowNames(page)).toEqual(["Gamma", "Beta", "Alpha"]);
    await page.getByRole("button", { name: "List", exact: true }).click();
    await page.reload();
    await expect.poll(() => flowNames(page)).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await page.getByRole("button", { name: "List", exact: true }).getAttribute("aria-pressed")).toBe("true");
  }));

  it("come page by page as one scrolls", withApp(
    {
      seed: (server) =>
        server.call("POST", "/api/v1/flows/batch/", {
          flows: Array.from({ length: 60 }, (_, index) => ({
            name: `Flow ${String(index).padStart(2, "0")}`,
            data: { nodes: [], edges: [] },
          })),
        }),
    },
    async ({ page }) => {
      await expect.poll(() => flowNames(page)).toHaveLength(48);
      await page.getByRole("button", { name: "Show more" }).scrollIntoViewIfNeeded();
      await expect.poll(() => flowNames(page)).toHaveLength(60);
    },
  ));
});

describe("import", () => {
  const flow = JSON.stringify({ name: "Brought along", data: { nodes: [], edges: [] } });

  it("takes what is dropped, and says in plain words what it cannot take", withApp({}, async ({ page }) => {
    await see(page.getByRole("heading", { name: "No flows yet" }));
    await dropFiles(page, [
      { name: "good.json", text: flow },
      { name: "broken.json", text: "{oops" },
      { name: "photo.png", text: "x" },
    ]);
    await see(page.getByText("Import finished"));
    await see(
      flowLink(page, "Brought along"),
      page.getByText(/cannot be read as such/),
      page.getByText(/not a JSON or ZIP file/),
    );
  }));

  it("takes what is picked, into the project that is open", withApp(
    { seed: (server) => createProject(server, "Here") },
    async ({ page }) => {
      await page.getByRole("link", { name: /Here/ }).click();
      await see(page.getByRole("heading", { level: 1, name: "Here" }));
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Import", exact: true }).first().click(),
      ]);
      await chooser.setFiles([{ name: "flow.json", mimeType: "application/json", buffer: Buffer.from(flow) }]);
      await see(flowLink(page, "Brought along"));
      expect(new URL(page.url()).pathname).toMatch(/^\/projects\//);
    },
  ));

  it("shows what the server found wrong with a file", withApp({}, async ({ page, expectErrors }) => {
    expectErrors(/4\d\d/);
    await see(page.getByRole("heading", { name: "No flows yet" }));
    await dropFiles(page, [{ name: "number.json", text: "42" }]);
    await see(page.getByText("Import finished"));
    const row = page.getByRole("listitem").filter({ hasText: "number.json" });
    await see(row.getByText("Choose a file that was exported from Ferroflow or Langflow."));
  }));
});

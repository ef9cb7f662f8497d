import { describe, expect, it } from "vitest";
import { contents, createFlow, dropFiles, flowLink, gone, see, withApp } from "./harness";

describe("trash", () => {
  it("restores, deletes for ever and is emptied", withApp(
    {
      path: "/trash",
      seed: async (server) => {
        for (const name of ["One", "Two", "Three"]) {
          const flow = await createFlow(server, name);
          await server.call("DELETE", `/api/v1/flows/${flow.id}`);
        }
      },
    },
    async ({ page }) => {
      await page.getByRole("button", { name: "Restore One" }).click();
      await see(page.getByText("“One” is back."));
      await page.getByRole("button", { name: "Delete Two for ever" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete for ever" }).click();
      await gone(page.getByRole("row", { name: /Two/ }));
      await page.getByRole("button", { name: "Empty the trash" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Empty the trash" }).click();
      await see(page.getByRole("heading", { name: "The trash is empty" }));
      await page.getByRole("link", { name: "Ferroflow, home" }).click();
      await see(flowLink(page, "One"));
    },
  ));
});

describe("files", () => {
  it("are dropped, renamed, downloaded and deleted", withApp({ path: "/files" }, async ({ page }) => {
    await see(page.getByRole("heading", { name: "No files yet" }));
    await dropFiles(page, [{ name: "notes.txt", text: "hello" }]);
    await see(page.getByRole("row", { name: /notes/ }));
    await page.getByRole("button", { name: /^Rename notes/ }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("letters.txt");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await see(page.getByRole("row", { name: /letters/ }));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: /^Download letters/ }).click(),
    ]);
    expect((await contents(download)).toString()).toBe("hello");
    await page.getByRole("button", { name: /^Delete letters/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await see(page.getByRole("heading", { name: "No files yet" }));
  }));

  it("come as a ZIP when several are chosen", withApp({ path: "/files" }, async ({ page }) => {
    await see(page.getByRole("heading", { name: "No files yet" }));
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Upload" }).first().click(),
    ]);
    await chooser.setFiles(
      ["a.txt", "b.txt"].map((name) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) })),
    );
    await see(page.getByRole("row", { name: /a\.txt|a /u }).first(), page.getByRole("row", { name: /b\.txt|b /u }).first());
    await page.getByRole("checkbox", { name: "Select all files" }).check();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download 2 as ZIP" }).click(),
    ]);
    expect((await contents(download)).subarray(0, 2).toString()).toBe("PK");
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await see(page.getByRole("heading", { name: "No files yet" }));
  }));
});

describe("the API reference", () => {
  it("is searched, copied from and tried", withApp({ path: "/docs" }, async ({ page }) => {
    await page.getByLabel("Search routes").fill("get version");
    const route = page.getByRole("button", { name: /GET \/api\/v1\/version/ });
    await route.click();
    await see(page.getByText(/curl 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/version'/));
    await page.getByRole("button", { name: "Send" }).click();
    await see(page.getByRole("region", { name: "Answer" }).getByText(/"package": "Ferroflow"/));
  }));
});

describe("when things go wrong", () => {
  it("an unknown address says so and leads home", withApp({ path: "/no/such/page" }, async ({ page }) => {
    await see(page.getByRole("heading", { name: "There is nothing here" }));
    await page.getByRole("link", { name: "Go to your flows" }).click();
    await see(page.getByRole("heading", { level: 1, name: "All flows" }));
  }));

  it("a server that is gone shows a banner, and the page comes back with it", withApp(
    { seed: (server) => createFlow(server, "Still here") },
    async ({ page, context, expectErrors }) => {
      expectErrors(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/);
      await see(flowLink(page, "Still here"));
      await context.setOffline(true);
      await see(page.getByText("The server cannot be reached. What you see may be out of date."));
      await see(flowLink(page, "Still here"));
      await context.setOffline(false);
      await gone(page.getByText("The server cannot be reached. What you see may be out of date."));
    },
  ));
});

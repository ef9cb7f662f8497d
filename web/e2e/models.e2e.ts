import { describe, expect, it } from "vitest";
import { gone, see, withApp } from "./harness";

describe("model providers", () => {
  it("are listed, the rehearsal ready and labelled", withApp({ path: "/settings/models" }, async ({ page }) => {
    await see(
      page.getByRole("heading", { name: "OpenAI", exact: true }),
      page.getByText("Offline, not an AI"),
      page.getByLabel("Language model"),
    );
    await page.getByRole("option", { name: /Automatic \(now Rehearsal/ }).first().waitFor({ state: "attached" });
  }));

  it("are set up with a key that is tried first, and taken away again", withApp(
    { path: "/settings/models" },
    async ({ page, server }) => {
      await page.getByRole("button", { name: "Set up OpenAI", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Save" }).click();
      await see(dialog.getByText("This is needed."));
      await dialog.getByLabel("API key", { exact: false }).first().fill("sk-test-123");
      // An address nothing may connect to: the answer is a sentence, not a crash.
      await dialog.getByLabel("Base URL", { exact: false }).fill("http://127.0.0.1:9/v1");
      await dialog.getByRole("button", { name: "Test connection" }).click();
      await see(dialog.getByText(/not allowed here/));
      await dialog.getByRole("button", { name: "Save anyway" }).click();
      await gone(dialog);
      await see(page.getByText("Ready", { exact: true }));
      expect(await page.content()).not.toContain("sk-test-123");
      const saved = (await server.call("GET", "/api/v1/variables/")) as { name: string; type: string }[];
      expect(saved.map((variable) => [variable.name, variable.type])).toEqual([
        ["OPENAI_API_KEY", "Credential"],
        ["OPENAI_BASE_URL", "Generic"],
      ]);

      await page.getByRole("button", { name: "Manage OpenAI", exact: true }).click();
      await dialog.getByRole("tab", { name: "Models" }).click();
      const first = dialog.getByRole("switch").first();
      const on = await first.getAttribute("aria-checked");
      await first.click();
      await expect.poll(() => first.getAttribute("aria-checked")).not.toBe(on);
      await dialog.getByLabel("Add a model by its name").fill("my-own-model");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      await see(dialog.getByText("my-own-model"));

      await dialog.getByRole("tab", { name: "Connection" }).click();
      await see(dialog.getByText("A value is stored. It is never shown."));
      await dialog.getByRole("button", { name: "Remove settings" }).click();
      await page.getByRole("dialog", { name: /Remove the settings/ }).getByRole("button", { name: "Remove settings" }).click();
      await see(page.getByRole("button", { name: "Set up OpenAI", exact: true }));
      expect(await server.call("GET", "/api/v1/variables/")).toEqual([]);
    },
  ));

  it("give the default model for new nodes", withApp(
    {
      path: "/settings/models",
      seed: (server) =>
        server.call("POST", "/api/v1/variables/", {
          name: "ANTHROPIC_API_KEY",
          value: "sk-ant-x",
          type: "Credential",
          default_fields: [],
        }),
    },
    async ({ page, server }) => {
      await page.getByRole("option", { name: /Automatic \(now Anthropic/ }).first().waitFor({ state: "attached" });
      await page.getByLabel("Language model").selectOption({ label: "Rehearsal · rehearsal" });
      await expect
        .poll(async () => (await server.call("GET", "/api/v1/models/default_model")) as object)
        .toMatchObject({ default_model: { provider: "Rehearsal", model_name: "rehearsal" } });
    },
  ));
});

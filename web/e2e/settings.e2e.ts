import { describe, expect, it } from "vitest";
import { type Account, gone, see, withApp } from "./harness";

describe("variables", () => {
  it("are created, edited and deleted; a credential is never shown", withApp(
    { path: "/settings/variables" },
    async ({ page, server }) => {
      await page.getByRole("button", { name: "New variable" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("OPENAI_API_KEY");
      await dialog.getByLabel("Value").first().fill("sk-very-secret");
      await dialog.getByLabel("Default for fields").fill("api_key");
      await dialog.getByRole("button", { name: "Save" }).click();
      await gone(dialog);
      const row = page.getByRole("row", { name: /OPENAI_API_KEY/ });
      await see(row.getByText("Credential"), row.getByRole("img", { name: "Hidden value" }));
      expect(await page.content()).not.toContain("sk-very-secret");

      await page.getByRole("button", { name: "Edit OPENAI_API_KEY" }).click();
      await see(dialog.getByText("A value is stored. It is never shown."));
      await dialog.getByRole("button", { name: "Replace value" }).click();
      await dialog.getByLabel("Value").first().fill("sk-other");
      await dialog.getByLabel("Name").fill("RENAMED");
      await dialog.getByRole("button", { name: "Save" }).click();
      await see(page.getByRole("row", { name: /RENAMED/ }));

      await page.getByRole("button", { name: "Delete RENAMED" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await see(page.getByRole("heading", { name: "No variables yet" }));
      expect(await server.call("GET", "/api/v1/variables/")).toEqual([]);
    },
  ));

  it("with a plain value show it, and a name that is taken is explained", withApp(
    {
      path: "/settings/variables",
      seed: (server) =>
        server.call("POST", "/api/v1/variables/", {
          name: "COMPANY",
          value: "Iron Ltd",
          type: "Generic",
          default_fields: [],
        }),
    },
    async ({ page, expectErrors }) => {
      expectErrors(/409/);
      await see(page.getByText("Iron Ltd"));
      await page.getByRole("button", { name: "New variable" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("COMPANY");
      await page.getByRole("dialog").getByLabel("Value").first().fill("x");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await see(page.getByRole("alert").getByText("Choose another name."));
    },
  ));
});

describe("API keys", () => {
  it("are shown once, work, and are revoked", withApp({ path: "/settings/api-keys" }, async ({ page, server }) => {
    await page.getByRole("button", { name: "New API key" }).click();
    await page.getByLabel("Name").fill("Nightly job");
    await page.getByRole("button", { name: "Create key" }).click();
    const once = page.getByRole("dialog", { name: "Copy your key now" });
    await see(once);
    const key = await once.getByLabel("Key").inputValue();
    expect(key).toMatch(/^sk-/);
    await page.keyboard.press("Escape");
    await see(once);
    await once.getByRole("button", { name: "I have stored it" }).click();
    const answer = await fetch(`${server.url}/api/v1/users/whoami`, { headers: { "x-api-key": key } });
    expect(answer.status).toBe(200);
    await see(page.getByRole("row", { name: /Nightly job/ }));
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Revoke Nightly job" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await see(page.getByRole("heading", { name: "No API keys yet" }));
    const refused = await fetch(`${server.url}/api/v1/users/whoami`, { headers: { "x-api-key": key } });
    expect(refused.status).toBe(401);
  }));
});

describe("users", () => {
  it("are created, found, made administrators, deactivated and deleted", withApp(
    { path: "/settings/users" },
    async ({ page, server }) => {
      await page.getByRole("button", { name: "New user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("User name").fill("grace");
      await dialog.getByLabel("Password").first().fill("short");
      await dialog.getByRole("button", { name: "Create user" }).click();
      await see(dialog.getByText("At least 12 characters."));
      await dialog.getByLabel("Password").first().fill("a long enough password");
      await dialog.getByRole("button", { name: "Create user" }).click();
      const row = page.getByRole("row", { name: /grace/ });
      await see(row);

      await page.getByLabel("Search users").fill("gra");
      await expect.poll(() => page.getByRole("row").count()).toBe(2);

      await row.getByLabel("Role of grace").selectOption({ label: "Administrator" });
      await row.getByRole("switch").click();
      const grace = async () => {
        const { users } = (await server.call("GET", "/api/v1/users/?search=grace")) as {
          users: { is_active: boolean; is_superuser: boolean }[];
        };
        return users[0];
      };
      await expect.poll(grace).toMatchObject({ is_active: false, is_superuser: true });

      await row.getByRole("button", { name: "Reset the password of grace" }).click();
      await dialog.getByLabel("New password").first().fill("another long password");
      await dialog.getByRole("button", { name: "Set a password" }).click();
      await see(page.getByText("grace has a new password."));

      await row.getByRole("button", { name: "Delete grace" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await gone(row);
    },
  ));

  const ada: Account = { username: "ada", password: "correct horse battery", admin: true };
  const grace: Account = { username: "grace", password: "a long enough password" };

  it("are for administrators only", withApp(
    { accounts: [ada, grace], path: "/login?next=/settings/users" },
    async ({ page }) => {
      await page.getByLabel("User name").fill(grace.username);
      await page.getByLabel("Password").first().fill(grace.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await see(page.getByRole("heading", { name: "For administrators" }));
      await gone(page.getByRole("link", { name: "Users" }));
    },
  ));
});

describe("profile", () => {
  it("takes a name and a colour", withApp({ path: "/settings/profile" }, async ({ page }) => {
    await page.getByLabel("User name").fill("Iron Ada");
    await page.getByLabel("Colour 3").check();
    await page.getByRole("button", { name: "Save" }).click();
    await see(page.getByText("Your profile was saved."));
    await see(page.getByRole("button", { name: "Account menu of Iron Ada" }));
  }));

  it("sets a first password and then changes it with the current one", withApp(
    { path: "/settings/profile" },
    async ({ page, expectErrors }) => {
      expectErrors(/40\d|422/);
      await see(page.getByText(/single-user mode/));
      await page.getByLabel("New password", { exact: false }).first().fill("the first password");
      await page.getByLabel("New password again", { exact: false }).first().fill("something else!!");
      await see(page.getByText("The two are not the same."));
      await page.getByLabel("New password again", { exact: false }).first().fill("the first password");
      await page.getByRole("button", { name: "Set a password" }).click();
      await see(page.getByText("The password was saved."));

      await see(page.getByLabel("Current password", { exact: false }).first());
      await page.getByLabel("Current password", { exact: false }).first().fill("not the password");
      await page.getByLabel("New password", { exact: false }).first().fill("the second password");
      await page.getByLabel("New password again", { exact: false }).first().fill("the second password");
      await page.getByRole("button", { name: "Change password" }).click();
      await see(page.getByRole("alert"));
      await page.getByLabel("Current password", { exact: false }).first().fill("the first password");
      await page.getByRole("button", { name: "Change password" }).click();
      await gone(page.getByRole("alert"));
    },
  ));
});

describe("appearance", () => {
  it("follows the system until told otherwise, and remembers", withApp(
    { path: "/settings/appearance", theme: "dark" },
    async ({ page }) => {
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
      await expect.poll(theme).toBe("dark");
      await page.getByRole("radio", { name: "Light" }).check();
      await expect.poll(theme).toBe("light");
      await page.getByRole("radio", { name: "Compact" }).check();
      await page.reload();
      await see(page.getByRole("heading", { name: "Appearance" }));
      expect(await theme()).toBe("light");
      expect(await page.evaluate(() => document.documentElement.dataset.density)).toBe("compact");
      await page.getByRole("radio", { name: "As the system" }).first().check();
      await page.emulateMedia({ colorScheme: "light" });
      await page.emulateMedia({ colorScheme: "dark" });
      await expect.poll(theme).toBe("dark");
    },
  ));

  it("speaks three languages", withApp({ path: "/settings/language" }, async ({ page }) => {
    await page.getByRole("radio", { name: "Português" }).check();
    await see(page.getByRole("heading", { level: 1, name: "Idioma" }));
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt");
    await page.getByRole("radio", { name: "한국어" }).check();
    await see(page.getByRole("heading", { level: 1, name: "언어" }));
    await page.reload();
    await see(page.getByRole("heading", { level: 1, name: "언어" }));
    await page.getByRole("radio", { name: "English" }).check();
    await see(page.getByRole("heading", { level: 1, name: "Language" }));
  }));

  it("starts in the browser's language", withApp({ locale: "pt-BR" }, async ({ page }) => {
    await see(page.getByRole("heading", { level: 1, name: "Todos os fluxos" }));
  }));
});

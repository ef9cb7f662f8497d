import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import {
  answer,
  ask,
  askAndWait,
  chatbotFlow,
  chooseModel,
  echoFlow,
  emptyFlow,
  idle,
  IN,
  input,
  kept,
  LLM,
  openPanel,
  panel,
  part,
  sendButton,
  usage,
  variable,
  withAssistant,
} from "./assistantSupport";
import { card, cards } from "./flowSupport";
import { gone, see } from "./harness";
import { badKey, calls, means, missingModel, refuses, says } from "./modelServer";

const CHOICE = "langflow-assistant-selected-model";
const selector = (page: Page): Locator => part(page, "assistant-model-selector");
/** The sign of the provider, as it is drawn. */
const sign = (page: Page): Promise<string> => selector(page).locator("[data-provider], svg, img").first().evaluate((element) => element.outerHTML);

describe("the model the assistant speaks with", () => {
  it(
    "is there without being chosen, and is kept",
    withAssistant([means("question"), says("Hello.")], echoFlow, async ({ page, server, sent }) => {
      const config = (await server.call("GET", "/api/v1/agentic/check-config")) as { default_model: string };
      await openPanel(page);
      await expect.poll(() => selector(page).textContent()).toContain(config.default_model);
      await askAndWait(page, "hello");
      expect(sent()[0]).toMatchObject({ provider: "OpenAI", model_name: config.default_model });
      await expect.poll(() => kept(page, CHOICE)).toContain(config.default_model);

      // One that is gone is not kept to: another takes its place.
      await page.evaluate(([key, value]) => localStorage.setItem(key ?? "", value ?? ""), [
        CHOICE,
        (await kept(page, CHOICE))?.replaceAll(config.default_model, "gpt-gone") ?? "",
      ]);
      await page.reload();
      await openPanel(page);
      await expect.poll(() => selector(page).textContent()).toContain(config.default_model);
    }),
  );

  it(
    "is chosen from a list, with the sign of its provider, is the one that is asked, and stays chosen",
    withAssistant(
      [means("question"), says("With gpt-4o."), means("question"), says("With a llama.")],
      echoFlow,
      async ({ page, sent, models }) => {
        await openPanel(page);
        await chooseModel(page, "gpt-4o");
        const openAi = await sign(page);
        await askAndWait(page, "Create a text splitter, or tell me how");
        expect(sent()[0]).toMatchObject({ provider: "OpenAI", model_name: "gpt-4o" });
        expect(models.asked().every(({ model }) => model === "gpt-4o")).toBe(true);
        await page.reload();
        await openPanel(page);
        await expect.poll(() => selector(page).textContent()).toContain("gpt-4o");

        await chooseModel(page, "llama3:latest");
        expect(await sign(page)).not.toBe(openAi);
        await askAndWait(page, "And you?");
        await see(answer(page).getByText("With a llama."));
        expect(sent().at(-1)).toMatchObject({ provider: "Ollama", model_name: "llama3:latest" });
        expect(models.asked().slice(2).every(({ path }) => path === "/api/chat")).toBe(true);
      },
      { seed: (server, models) => variable(server, "OLLAMA_BASE_URL", models.url) },
    ),
  );

  it(
    "is missing at first: the panel says so, nothing can be written, and a provider is set up without leaving",
    withAssistant(
      [means("question"), says("Now I can.")],
      echoFlow,
      async ({ page, models }) => {
        await see(card(page, IN));
        await page.getByTestId("assistant-toggle").click();
        const configure = part(page, "assistant-no-models-configure-providers");
        await see(panel(page), configure);
        expect((await input(page).count()) === 0 || (await input(page).isDisabled())).toBe(true);
        const address = page.url();
        await configure.click();
        const dialog = page.getByRole("dialog").last();
        await see(dialog);
        expect(page.url()).toBe(address);
        await dialog.getByRole("button", { name: /OpenAI/ }).first().click();
        const form = page.getByRole("dialog").last();
        await form.getByLabel("API key", { exact: false }).first().fill("sk-test-123");
        await form.getByLabel("Base URL", { exact: false }).fill(`${models.url}/v1`);
        await form.getByRole("button", { name: /^Save/ }).click();
        await gone(form.getByLabel("API key", { exact: false }).first());
        await gone(page.getByRole("dialog"));
        await see(input(page));
        await askAndWait(page, "hello");
        await see(answer(page).getByText("Now I can."));
        expect(page.url()).toBe(address);
      },
      { provider: "none" },
    ),
  );

  it(
    "may be the rehearsal, which needs no key, builds and answers, and never passes for an AI",
    withAssistant(
      [],
      emptyFlow,
      async ({ page, models }) => {
        await page.getByTestId("assistant-toggle").click();
        await part(page, "assistant-rehearsal-offer").click();
        await see(input(page));
        await see(panel(page).getByText(/not an AI/i).first());
        await askAndWait(page, "Crie um chatbot simples");
        await see(part(page, "assistant-proposal-card"), usage(page));
        await see(answer(page).getByText("Rehearsal: not an AI"));
        await part(page, "assistant-flow-replace-button").click();
        await expect.poll(() => cards(page).count()).toBeGreaterThan(1);
        await see(cards(page).filter({ hasText: "Chat Input" }), cards(page).filter({ hasText: "Chat Output" }));
        await askAndWait(page, "Execute o fluxo");
        await see(answer(page).getByTestId("assistant-usage"));
        await askAndWait(page, "how does n8n work?");
        expect(models.asked()).toEqual([]);
      },
      { provider: "none" },
    ),
  );

  it(
    "may refuse the key: the answer says so, where to mend it, and asks no other model",
    withAssistant([badKey(), badKey(), means("question"), says("Better.")], echoFlow, async ({ page, models, expectErrors }) => {
      expectErrors(/401/);
      await openPanel(page);
      await chooseModel(page, "gpt-4o");
      await askAndWait(page, "hello");
      await see(answer(page).getByText(/API key/).first(), answer(page).getByText(/Settings/).first());
      expect(new Set(models.asked().map(({ model }) => model))).toEqual(new Set(["gpt-4o"]));
      await answer(page).getByTestId("assistant-error-details").locator("summary").click();
      await see(answer(page).getByTestId("assistant-error-details-raw-cause"));
      await answer(page).getByTestId("assistant-retry-button").click();
      await see(answer(page).getByText("Better."));
      await idle(page);
    }),
  );

  it(
    "may be one the key has no right to: another of the same provider answers, and it says which",
    withAssistant(
      [missingModel(), means("generate_component"), missingModel(), says("Which numbers?")],
      emptyFlow,
      async ({ page, models }) => {
        await openPanel(page);
        await chooseModel(page, "gpt-4o");
        await askAndWait(page, "Create a component");
        await see(answer(page).getByText("Which numbers?"));
        const asked = models.asked().map(({ model }) => model);
        expect(asked[0]).toBe("gpt-4o");
        expect(asked.at(-1)).not.toBe("gpt-4o");
        const notice = answer(page).getByTestId("assistant-model-notice");
        await see(notice.first());
        expect(await notice.first().textContent()).toContain("gpt-4o");
        expect(await panel(page).getByText(/Attempt 2/).count()).toBe(0);
        expect(models.asked().every(({ path }) => path.startsWith("/v1/"))).toBe(true);
      },
    ),
  );

  it(
    "may be nowhere to be had: the answer names what was tried and where to change it",
    withAssistant([], echoFlow, async ({ page, models }) => {
      models.always(missingModel());
      await openPanel(page);
      await chooseModel(page, "gpt-4o");
      await ask(page, "hello");
      await see(answer(page).getByText(/No accessible model on OpenAI/).first());
      const told = (await answer(page).textContent()) ?? "";
      expect(told).toContain("gpt-4o");
      expect(told).toMatch(/Settings/);
      expect(told).not.toContain("Error building Component");
      await idle(page);
      await see(sendButton(page));
    }),
  );

  it(
    "may fail for a reason of its own, which is what the answer says, in the turn and in a run within it",
    withAssistant(
      [means("question"), refuses(400, "Your organisation must be verified to use this model.")],
      (server) => chatbotFlow(server),
      async ({ page, models }) => {
        await openPanel(page);
        await chooseModel(page, "gpt-4o");
        await askAndWait(page, "hello");
        await see(answer(page).getByText(/must be verified/).first());
        expect(new Set(models.asked().map(({ model }) => model))).toEqual(new Set(["gpt-4o"]));
        models.push(
          means("run_flow"),
          calls("run_flow", { input: "hi" }),
          refuses(400, "Your organisation must be verified to use this model."),
          says("It could not run."),
        );
        await askAndWait(page, "run the flow");
        await see(answer(page).getByText("It could not run."));
        expect(models.heard()).toContain("must be verified");
        expect(await panel(page).getByText(/Error building Component/).count()).toBe(0);
      },
    ),
  );

  it(
    "of a node is shown by its name, however its value was written down, and a missing key by both of its names",
    withAssistant(
      [],
      async (server) => {
        const list = JSON.stringify([{ provider: "Anthropic", name: "claude-sonnet-4-6" }]);
        const flow = await chatbotFlow(server, [{ name: list, provider: "Unknown" }]);
        const nodes = flow.nodes as { id: string; data: { node: { template: Record<string, Record<string, unknown>> } } }[];
        const key = nodes.find(({ id }) => id === LLM)?.data.node.template.api_key;
        if (key) Object.assign(key, { value: "MY_OWN_KEY", load_from_db: true });
        return flow;
      },
      async ({ page }) => {
        const model = card(page, LLM).getByRole("button", { name: /^Language Model/ }).first();
        await see(model);
        const shown = (await card(page, LLM).textContent()) ?? "";
        expect(shown).toContain("claude-sonnet-4-6");
        expect(shown).not.toContain("[{");
        expect(shown).not.toContain('"provider"');
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await see(card(page, LLM).locator('[data-run-state="error"]'));
        await see(card(page, LLM).getByText(/MY_OWN_KEY/));
        await see(card(page, LLM).getByTitle(/MY_OWN_KEY[^]*ANTHROPIC_API_KEY[^]*Settings/));
      },
    ),
  );
});

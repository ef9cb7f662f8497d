import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { answer, type AssistantApp, emptyFlow, input, part, sendButton, usage, withAssistant } from "./assistantSupport";
import { showAll, undo } from "./assistantParts";
import { saved } from "./editorSupport";
import { cards } from "./flowSupport";
import { gone, see } from "./harness";

interface Words {
  build: string;
  run: string;
  change: string;
  notAi: RegExp;
  ran: RegExp;
  /** The rows of what was added. */
  added: RegExp;
}

/** Says it and waits until the answer is there. */
async function say(page: Page, text: string): Promise<void> {
  await input(page).fill(text);
  await input(page).press("Enter");
  await see(part(page, "assistant-stop-button").or(sendButton(page)));
  await expect.poll(() => answer(page).getAttribute("data-status")).toBe("complete");
  await see(sendButton(page));
}

/** What somebody does who has no key and has never been here. */
async function newcomer({ page, server, models }: AssistantApp, words: Words): Promise<void> {
  await page.getByTestId("assistant-toggle").click();
  await part(page, "assistant-rehearsal-offer").click();
  await see(input(page));
  await say(page, words.build);
  await see(part(page, "assistant-proposal-card"), answer(page).getByText(words.notAi).first());
  expect(await cards(page).count()).toBe(0);
  await part(page, "assistant-flow-add-button").click();
  const { data } = await saved(server, (flow) => flow.data.nodes.length >= 2 && flow.data.edges.length >= 1);
  const built = data.nodes.length;

  await say(page, words.run);
  await see(answer(page).getByText(words.ran), usage(page).last());

  await say(page, words.change);
  await saved(server, (flow) => flow.data.nodes.length === built + 1);
  await see(answer(page).getByText(words.added).first());
  await showAll(page);
  await expect.poll(() => cards(page).count()).toBe(built + 1);
  await undo(page);
  await saved(server, (flow) => flow.data.nodes.length === built);
  await expect.poll(() => cards(page).count()).toBe(built);
  // Nobody outside was asked.
  expect(models.asked()).toEqual([]);
  await gone(part(page, "assistant-no-models-configure-providers"));
}

describe("somebody new without a key", () => {
  it(
    "builds a chatbot with the rehearsal, puts it on the canvas, runs it, has it changed and takes that back",
    withAssistant(
      [],
      emptyFlow,
      (app) =>
        newcomer(app, {
          build: "Build me a simple chatbot",
          run: "Run the flow",
          change: "Add a calculator",
          notAi: /not an AI/,
          ran: /^The run:/,
          added: /^Added Calculator/,
        }),
      { provider: "none" },
    ),
  );

  it(
    "does the same in Portuguese, on a page in Portuguese",
    withAssistant(
      [],
      emptyFlow,
      (app) =>
        newcomer(app, {
          build: "Crie um chatbot simples",
          run: "Execute o fluxo",
          change: "Adicione uma calculadora",
          notAi: /não é uma IA/i,
          ran: /^A execução:/,
          added: /^Calculator adicionado/,
        }),
      { provider: "none", locale: "pt-BR" },
    ),
  );
});

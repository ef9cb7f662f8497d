import { describe, expect, it } from "vitest";
import {
  answer,
  answers,
  ask,
  askAndWait,
  chatbotFlow,
  component,
  emptyFlow,
  idle,
  input,
  messages,
  openPanel,
  panel,
  part,
  progress,
  runCost,
  withAssistant,
} from "./assistantSupport";
import { saved } from "./editorSupport";
import { cards, wires } from "./flowSupport";
import { see } from "./harness";
import { calls, costs, gate, means, says, writes } from "./modelServer";

const OWN = `
nodes:
  in: ChatInput
  own: UppercaseText
  out: ChatOutput
edges:
  in.message -> own.text
  own.result -> out.input_value
config:
  in.input_value: quiet words
`;
const AGENT =
  "nodes:\n  in: ChatInput\n  bot: Agent\n  out: ChatOutput\nedges:\n  in.message -> bot.input_value\n  bot.response -> out.input_value\n";

describe("the assistant, asked to run something,", () => {
  it(
    "writes a component, builds a flow with it and runs it, all in one answer",
    async () => {
      const held = gate();
      const script = [
        means("component_then_flow"),
        calls("generate_component", { spec: "capital letters" }, held),
        writes(component()),
        calls("build_flow", { spec: OWN }),
        calls("run_flow", {}),
        says("It said QUIET WORDS."),
      ];
      await withAssistant(script, emptyFlow, async ({ page, models, server }) => {
        await openPanel(page);
        await ask(page, "Create a component that makes capital letters, build a flow that uses it, and run it");
        await held.reached;
        await see(progress(page).getByText(/Orchestrating/).first());
        held.open();
        await see(answer(page).getByText("It said QUIET WORDS."));
        await idle(page);
        expect(models.heard()).toContain("QUIET WORDS");
        // Built and run: it is on the canvas, nobody is asked.
        await see(cards(page).filter({ hasText: "Uppercase" }));
        await expect.poll(() => wires(page).count()).toBe(2);
        expect(await part(page, "assistant-flow-replace-button").count()).toBe(0);
        await saved(server, ({ data }) => data.nodes.length === 3);
        await see(runCost(page));
        expect(await answers(page).count()).toBe(1);
        expect(await messages(page).count()).toBe(2);
      })();
    },
  );

  it(
    "says what the run cost, apart from what the turn did",
    withAssistant(
      [means("run_flow"), calls("run_flow", { input: "hi" }), costs(says("Hello from inside."), 123, 45), says("It said hello.")],
      (server) => chatbotFlow(server),
      async ({ page, models }) => {
        await openPanel(page);
        await askAndWait(page, "run the flow");
        await see(answer(page).getByText("It said hello."));
        const metrics = (await runCost(page).textContent()) ?? "";
        expect(metrics).toMatch(/^The run: [\d.]+ ?m?s, 123→45 tok$/);
        const cost = (await answer(page).getByTestId("assistant-usage").textContent()) ?? "";
        expect(cost).toMatch(/^153→\d+ tok · /);
        expect(models.heard()).toContain("Hello from inside.");
      },
    ),
  );

  it(
    "gives the agent it builds a model of the only provider there is, and works with that one itself",
    withAssistant(
      [means("build_flow"), calls("build_flow", { spec: AGENT }), calls("run_flow", { input: "hi" }), says("Hello!"), says("Done.")],
      emptyFlow,
      async ({ page, models, server }) => {
        await openPanel(page);
        await askAndWait(page, "build an agent and run the flow");
        await see(answer(page).getByText("Done."));
        await see(cards(page).filter({ hasText: "llama3" }));
        const flow = await saved(server, ({ data }) => data.nodes.length === 3);
        const agent = flow.data.nodes.find(({ id }) => id.startsWith("Agent"));
        expect(agent?.data.node.template.model?.value).toMatchObject([{ provider: "Ollama", name: "llama3:latest" }]);
        expect(models.asked().every(({ path }) => path === "/api/chat")).toBe(true);
        const offered = /Available language models[^]*?End of available/.exec(models.heard())?.[0];
        expect(offered).toContain("- Ollama: llama3:latest");
        expect(offered).not.toContain("OpenAI");
        await see(input(page));
      },
      { provider: "Ollama" },
    ),
  );

  it(
    "runs what the server itself brings without taking it for somebody's unsafe code",
    withAssistant([], emptyFlow, async ({ page, models }) => {
      const spec = `nodes:\n  page: URLComponent\n  read: ParserComponent\n  out: ChatOutput\nedges:\n  page.page_results -> read.input_data\n  read.parsed_text -> out.input_value\nconfig:\n  page.urls: ${models.url}/v1/models\n`;
      models.push(means("build_flow"), calls("build_flow", { spec }), calls("run_flow", { input: "hi" }), says("A list of models."));
      await openPanel(page);
      await askAndWait(page, "read the list of models and run the flow");
      await see(answer(page).getByText("A list of models."), cards(page).filter({ hasText: "URL" }).first());
      await see(runCost(page));
      expect(models.heard()).not.toMatch(/unsafe/);
      expect(await panel(page).getByText(/unsafe/i).count()).toBe(0);
    }),
  );
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../src/flow/json";
import {
  AGENT,
  answer,
  answers,
  ask,
  askAndWait,
  CHATBOT_SPEC,
  chatbotFlow,
  echoFlow,
  emptyFlow,
  idle,
  IN,
  LLM,
  nodesOf,
  openPanel,
  OUT,
  panel,
  part,
  stopButton,
  watchProgress,
  withAssistant,
} from "./assistantSupport";
import { builds, flowButton as button, openWithClock, proposed as newest, redo, showAll, taskRows as rows, undo } from "./assistantParts";
import { cannedTurns, complete, proposal, step, update } from "./cannedTurns";
import { saved, savedFlow, type SavedNode } from "./editorSupport";
import { card, cards, wireGaps, wires } from "./flowSupport";
import { gone, see } from "./harness";
import { calls, gate, means, says } from "./modelServer";

const ORPHAN_SPEC = CHATBOT_SPEC.replace("edges:", "  lost: TextInput\nedges:");

const isEmpty = async (page: Page): Promise<void> => {
  expect(await cards(page).count()).toBe(0);
};
const widest = (nodes: SavedNode[]): number => Math.max(...nodes.map(({ position }) => position.x));

describe("a flow that the assistant builds", () => {
  it(
    "is proposed as a picture with its nodes; it is on the canvas once somebody adds it, and can be taken back and taken again",
    withAssistant(
      [means("build_flow"), calls("build_flow", { spec: ORPHAN_SPEC }), ...builds().slice(1)],
      emptyFlow,
      async ({ page, server, counted, models, sent }) => {
        await openWithClock(page);
        const shown = await watchProgress(page);
        await askAndWait(page, "Build me a simple chatbot");
        expect(await shown()).toContain("Generating flow…");
        // One with a node that nothing leads to was refused; the model mended it.
        expect(models.heard()).toContain("lost");
        await see(newest(page).getByText("Chatbot"), newest(page).getByText("3 nodes · 2 wires"));
        expect(await newest(page).getByRole("list", { name: "Nodes of the proposed flow" }).getByRole("listitem").allTextContents()).toEqual([
          "Chat Input",
          "Language Model",
          "Chat Output",
        ]);
        expect(await newest(page).locator("svg > g > rect").count()).toBe(3);
        await see(button(page, "add"), button(page, "replace"), button(page, "dismiss"));
        expect(await part(page, "assistant-proposal-card").count()).toBe(1);
        // A whole flow is no line in a list of small changes.
        expect(await rows(page).count()).toBe(0);
        await isEmpty(page);
        expect((await savedFlow(server)).data.nodes).toEqual([]);

        await button(page, "add").click();
        await see(newest(page).getByText("Added to canvas"));
        await expect.poll(() => cards(page).count()).toBe(3);
        await expect.poll(() => wires(page).count()).toBe(2);
        await gone(button(page, "add"), button(page, "replace"), button(page, "dismiss"));
        const { data } = await saved(server, (flow) => flow.data.nodes.length === 3 && flow.data.edges.length === 2);
        expect(data.nodes.map(({ id }) => id.split("-")[0])).toEqual(["ChatInput", "LanguageModelComponent", "ChatOutput"]);
        expect(counted()).toEqual(["assistant_flow_proposal_continue_total"]);

        // After three seconds it can be taken once more.
        await page.clock.fastForward(3100);
        await see(button(page, "add"), button(page, "replace"), button(page, "revert"));
        await button(page, "revert").click();
        await expect.poll(() => cards(page).count()).toBe(0);
        await gone(button(page, "revert"));
        await button(page, "replace").click();
        await see(newest(page).getByText("Canvas replaced"));
        await expect.poll(() => cards(page).count()).toBe(3);
        expect(sent()).toHaveLength(1);
      },
    ),
  );

  it(
    "comes to stand beside what is there, as often as it is added, with names and wires of its own; or in its place",
    withAssistant([], echoFlow, async ({ page, server }) => {
      const { data } = await savedFlow(server);
      const copy = structuredClone(data);
      for (const node of copy.nodes) node.data.node.display_name = `New ${node.id === IN ? "question" : "reply"}`;
      const canned = await cannedTurns(page);
      canned.next(...proposal("Twin", copy));
      await openWithClock(page);
      await askAndWait(page, "Build me a new flow");
      await button(page, "add").click();
      const one = (await saved(server, (flow) => flow.data.nodes.length === 4 && flow.data.edges.length === 2)).data;
      expect(one.nodes.slice(0, 2).map(({ id, position }) => ({ id, position }))).toEqual(
        data.nodes.map(({ id, position }) => ({ id, position })),
      );
      expect(new Set(one.nodes.map(({ id }) => id)).size).toBe(4);
      expect(Math.min(...one.nodes.slice(2).map(({ position }) => position.x))).toBeGreaterThan(widest(data.nodes));

      await page.clock.fastForward(3100);
      await button(page, "add").click();
      const two = (await saved(server, (flow) => flow.data.nodes.length === 6 && flow.data.edges.length === 3)).data;
      expect(new Set(two.nodes.map(({ id }) => id)).size).toBe(6);
      expect(Math.min(...two.nodes.slice(4).map(({ position }) => position.x))).toBeGreaterThan(widest(one.nodes));
      // Every wire ends at two nodes that are there, and says so in its ends too.
      const ids = two.nodes.map(({ id }) => id);
      for (const wire of two.edges as { source: string; target: string; sourceHandle: string; targetHandle: string }[]) {
        expect(ids).toContain(wire.source);
        expect(ids).toContain(wire.target);
        expect(wire.sourceHandle).toContain(wire.source);
        expect(wire.targetHandle).toContain(wire.target);
      }
      expect(new Set(two.edges.map(({ source }) => source)).size).toBe(3);

      // Each time is one step back.
      await undo(page);
      await expect.poll(() => cards(page).count()).toBe(4);
      await undo(page);
      await expect.poll(() => cards(page).count()).toBe(2);

      await page.clock.fastForward(3100);
      await button(page, "replace").click();
      await see(card(page, IN).getByText("New question").first(), card(page, OUT).getByText("New reply").first());
      await saved(server, (flow) => flow.data.nodes.length === 2 && flow.data.nodes[0]?.data.node.display_name === "New question");
      await button(page, "revert").click();
      await see(card(page, IN).getByText("Chat Input").first());
      await saved(server, (flow) => flow.data.nodes.length === 2 && flow.data.nodes[0]?.data.node.display_name === "Chat Input");
    }),
  );

  it(
    "leaves nothing behind when it is dismissed or when the talk goes on, and stays where it is when it was taken",
    withAssistant(
      [...builds(), ...builds(), means("question"), says("Sure."), ...builds(), means("question"), says("Fine.")],
      emptyFlow,
      async ({ page, server, counted, sent }) => {
        await openWithClock(page);
        await askAndWait(page, "Build me a simple chatbot");
        await button(page, "dismiss").click();
        await see(newest(page).getByText("Dismissed", { exact: true }));
        // It can still be looked at.
        await see(newest(page).getByText("Language Model").first());
        await gone(button(page, "add"), button(page, "replace"), button(page, "dismiss"));
        await page.clock.fastForward(4000);
        expect(await button(page, "add").count()).toBe(0);
        expect(counted()).toEqual(["assistant_flow_proposal_dismiss_total"]);

        await askAndWait(page, "Build it again");
        await see(button(page, "add"));
        const waiting = await answers(page).count();
        await askAndWait(page, "What is it good for?");
        const left = answers(page).nth(waiting - 1).getByTestId("assistant-proposal-card");
        await see(left.getByText("Dismissed", { exact: true }));
        expect(await part(page, "assistant-flow-add-button").count()).toBe(0);
        await isEmpty(page);
        expect(sent().at(-1)?.input_value).toBe("What is it good for?");
        expect((await savedFlow(server)).data.nodes).toEqual([]);

        await askAndWait(page, "Once more");
        await button(page, "add").click();
        await expect.poll(() => cards(page).count()).toBe(3);
        await askAndWait(page, "Thank you");
        await page.clock.fastForward(4000);
        await see(part(page, "assistant-proposal-card").last().getByText("Added to canvas"));
        expect(await part(page, "assistant-flow-add-button").count()).toBe(0);
        expect(await cards(page).count()).toBe(3);
      },
    ),
  );

  it(
    "is taken together with what was done to it after it was proposed, in that order",
    withAssistant(
      [means("build_flow"), calls("build_flow", { spec: CHATBOT_SPEC }), calls("add_component", { component_type: "TextInput" }), says("Both.")],
      echoFlow,
      async ({ page, server }) => {
        const warned: string[] = [];
        page.on("console", (message) => void (message.type() === "warning" && warned.push(message.text())));
        await openPanel(page);
        await askAndWait(page, "Build me a new chatbot");
        await see(newest(page).getByText("1 more change follows it."));
        expect(await rows(page).count()).toBe(0);
        expect(await cards(page).count()).toBe(2);
        expect(warned.join()).toMatch(/changed a flow that waits/);
        await button(page, "replace").click();
        await saved(server, (flow) => flow.data.nodes.length === 4 && flow.data.nodes.some(({ id }) => id.startsWith("TextInput")));

        const { data } = await savedFlow(server);
        const [first] = data.nodes;
        if (!first) throw new Error("nothing is there");
        const extra = JSON.parse(JSON.stringify(first).replaceAll(first.id, "Extra-1")) as JsonRecord;
        const canned = await cannedTurns(page);
        canned.next(
          ...proposal(
            "In order",
            { nodes: [first], edges: [] },
            update("add_component", { node: extra }),
            update("rename_component", { component_id: "Extra-1", name: "Last name" }),
            update("rename_component", { component_id: "Extra-1", name: "Very last name" }),
            update("remove_component", { component_id: first.id }),
          ),
        );
        await askAndWait(page, "And another");
        await button(page, "replace").click();
        await see(card(page, "Extra-1").getByText("Very last name").first());
        await saved(server, (flow) => flow.data.nodes.length === 1 && flow.data.nodes[0]?.id === "Extra-1");
      },
    ),
  );
});

describe("changes the assistant makes on the canvas", () => {
  it("are seen as they come, each with a row of its own, and are one step of undo together", async () => {
    const held = gate();
    const model = [{ provider: "OpenAI", name: "gpt-4o-mini" }];
    const script = [
      means("build_flow"),
      calls("add_component", { component_type: "TextInput" }),
      calls("disconnect_components", { source_id: IN, target_id: LLM }),
      calls("rename_component", { component_id: OUT, name: "Reply" }),
      calls("configure_component", { component_id: LLM, params: { model } }),
      says("That is ", held, "all."),
    ];
    await withAssistant(script, (server) => chatbotFlow(server), async ({ page, server, models }) => {
      await openPanel(page);
      await ask(page, "add a text input, set it up");
      await see(answer(page).getByText("That is"), stopButton(page));
      // While it still talks.
      await saved(server, (flow) => flow.data.nodes.length === 4);
      await showAll(page);
      await expect.poll(() => cards(page).count()).toBe(4);
      await see(card(page, OUT).getByText("Reply").first(), card(page, LLM).getByText("gpt-4o-mini").first());
      await expect.poll(() => wires(page).count()).toBe(1);
      held.open();
      await see(answer(page).getByText("That is all."));
      await idle(page);
      const { data } = await saved(server, (flow) => flow.data.nodes.length === 4 && flow.data.edges.length === 1);
      const added = data.nodes.find(({ id }) => id.startsWith("TextInput"))?.id ?? "";
      expect(await rows(page).evaluateAll((list) => list.map((row) => row.getAttribute("data-testid")))).toEqual([
        `assistant-build-task-add-${added}`,
        `assistant-build-task-disconnect-${IN}-${LLM}`,
        `assistant-build-task-rename-${OUT}`,
        `assistant-build-task-configure-${LLM}`,
      ]);
      const told = await rows(page).allTextContents();
      expect(told[0]).toBe("Added Text Input");
      expect(told[1]).toBe("Unwired Chat Input → Language Model");
      // Nothing to agree to, and nothing lies on anything else.
      expect(await part(page, "assistant-proposal-card").count()).toBe(0);
      expect(new Set(data.nodes.map(({ position }) => `${position.x} ${position.y}`)).size).toBe(4);
      expect(models.heard()).toContain(LLM);

      await undo(page);
      await expect.poll(() => cards(page).count()).toBe(3);
      await expect.poll(() => wires(page).count()).toBe(2);
      await see(card(page, OUT).getByText("Chat Output").first());
      const before = await saved(server, (flow) => flow.data.nodes.length === 3 && flow.data.edges.length === 2);
      expect(before.data.nodes.find(({ id }) => id === LLM)?.data.node.template.model?.value).toMatchObject([{ name: "gpt-4o" }]);
      await redo(page);
      await expect.poll(() => cards(page).count()).toBe(4);

      // The next answer has a list of its own, and this one keeps its own.
      models.push(
        means("build_flow"),
        calls("connect_components", { source_id: added, source_output: "text", target_id: LLM, target_input: "input_value" }),
        says("Wired."),
        means("question"),
        says("You are welcome."),
      );
      await askAndWait(page, "connect the text input to the model");
      expect(await rows(page).allTextContents()).toEqual(["Wired Text Input → Language Model"]);
      await expect.poll(() => wires(page).count()).toBe(2);
      await askAndWait(page, "thank you");
      expect(await rows(page).count()).toBe(0);
      expect(await panel(page).locator('[data-testid^="assistant-build-task-"]').count()).toBe(5);
    })();
  });

  it(
    "choose the output that is wired, and turn a model's field into one that takes a wire",
    withAssistant(
      [
        means("build_flow"),
        calls("connect_components", { source_id: "Memory-x", source_output: "dataframe", target_id: "SplitText-x", target_input: "data_inputs" }),
        calls("connect_components", { source_id: LLM, source_output: "model_output", target_id: AGENT, target_input: "model" }),
        says("Connected."),
      ],
      async (server) => ({ nodes: await nodesOf(server, ["Memory", "SplitText", "LanguageModelComponent", "Agent"]), edges: [] }),
      async ({ page, server }) => {
        await openPanel(page);
        await askAndWait(page, "split the messages, and let the agent use the language model");
        await expect.poll(() => wires(page).count()).toBe(2);
        const { data } = await saved(server, (flow) => flow.data.edges.length === 2);
        const inner = (id: string): JsonRecord => (data.nodes.find((node) => node.id === id)?.data ?? {}) as JsonRecord;
        expect(inner("Memory-x").selected_output).toBe("dataframe");
        expect(JSON.stringify(inner(AGENT))).toContain("_connectionMode");
        await see(card(page, "Memory-x").getByText(/Dataframe|Table/i).first());
        // The wires end at ports that are drawn.
        await expect.poll(async () => Math.max(...(await wireGaps(page)))).toBeLessThan(3);
        expect(await rows(page).count()).toBe(2);
      },
    ),
  );

  it(
    "are made once, however often they are told",
    withAssistant([], async (server) => ({ ...(await echoFlow(server)), edges: [] }), async ({ page, server }) => {
      const { edges } = await echoFlow(server);
      const [edge] = edges as JsonRecord[];
      const [node] = (await savedFlow(server)).data.nodes;
      const twin = JSON.parse(JSON.stringify(node).replaceAll(IN, "ChatInput-twin")) as JsonRecord;
      const add = update("add_component", { node: twin });
      const connect = update("connect", { edge });
      const canned = await cannedTurns(page);
      canned.next(step("generating_flow"), add, add, connect, connect, add, complete("Done.", { has_flow: true }));
      await openPanel(page);
      await askAndWait(page, "add a chat input and wire the other");
      expect(await rows(page).allTextContents()).toEqual(["Added Chat Input", "Wired Chat Input → Chat Output"]);
      await saved(server, (flow) => flow.data.nodes.length === 3 && flow.data.edges.length === 1);
      expect(await cards(page).count()).toBe(3);
    }),
  );

  it(
    "and questions about them never bring a secret to the model or to the panel",
    withAssistant(
      [means("build_flow"), calls("get_field_value", { component_id: LLM, field_name: "api_key" }), says("It is kept from me."), says("It is kept from me.")],
      async (server) => {
        const flow = await chatbotFlow(server);
        const nodes = flow.nodes as { id: string; data: { node: { template: Record<string, { value?: unknown; load_from_db?: boolean }> } } }[];
        const key = nodes.find(({ id }) => id === LLM)?.data.node.template.api_key;
        if (!key) throw new Error("the model has no key");
        Object.assign(key, { value: "sk-very-secret-4711", load_from_db: false });
        return flow;
      },
      async ({ page, models }) => {
        await openPanel(page);
        await askAndWait(page, "what is the API key of the language model?");
        await see(answer(page).getByText("It is kept from me."));
        expect(models.heard()).toMatch(/redacted/i);
        expect(models.heard()).not.toContain("very-secret");
        expect(await panel(page).textContent()).not.toContain("very-secret");
      },
    ),
  );
});

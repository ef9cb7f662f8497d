import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../src/flow/json";
import {
  answer,
  answers,
  ask,
  askAndWait,
  chooseModel,
  echoFlow,
  idle,
  IN,
  input,
  kept,
  messages,
  openPanel,
  OUT,
  panel,
  part,
  stopButton,
  TURNS,
  usage,
  withAssistant,
} from "./assistantSupport";
import { asks, flowButton, proposed, taskRows } from "./assistantParts";
import { cannedTurns, complete, CUT, proposal, step, token, update } from "./cannedTurns";
import { saved, savedFlow } from "./editorSupport";
import { card, cards, FLOW_ID } from "./flowSupport";
import { gone, see } from "./harness";
import { gate, means, says } from "./modelServer";

const failure = (page: Page) => answer(page).getByRole("alert");
const tryAgain = (page: Page) => answer(page).getByTestId("assistant-retry-button");
const field = (id: string, value: string): JsonRecord =>
  update("edit_field", {
    id,
    component_id: OUT,
    component_type: "ChatOutput",
    field: "sender_name",
    old_value: "AI",
    new_value: value,
    description: "Another name",
    patch: [],
  });

describe("when the assistant's words do not come as they should", () => {
  it(
    "a stream that ends in the middle of a word is said to have, what had come stays and can be used, and trying again helps",
    withAssistant(asks("Whole this time."), echoFlow, async ({ page, server, expectErrors, sent }) => {
      expectErrors(/ERR_INCOMPLETE_CHUNKED_ENCODING|network error/);
      const held = gate();
      const canned = await cannedTurns(page);
      canned.next(
        step("generating_flow"),
        token("Half of it "),
        update("rename_component", { component_id: IN, name: "Asked" }),
        field("0000aaaa", "Clerk"),
        held,
        'data: {"event":"token","chu',
        CUT,
      );
      await openPanel(page);
      await ask(page, "call it Clerk");
      await see(answer(page).getByText("Half of it"));
      held.open();
      await see(failure(page).getByText(/^The (connection ended|server did not answer)/), tryAgain(page));
      await idle(page);
      await see(answer(page).getByText("Half of it"), taskRows(page).first(), card(page, IN).getByText("Asked").first());
      expect(await answer(page).getAttribute("data-status")).toBe("error");
      await answer(page).getByTestId("assistant-edit-accept").click();
      await saved(server, ({ data }) => data.nodes.find(({ id }) => id === OUT)?.data.node.template.sender_name?.value === "Clerk");

      // Ended politely, and still without an end.
      canned.next(token("Nothing more"), 'data: {"event":"compl');
      await askAndWait(page, "and now?");
      await see(failure(page).getByText(/^The connection ended before/));
      await tryAgain(page).click();
      await see(answer(page).getByText("Whole this time."));
      expect(sent().map(({ input_value }) => input_value)).toEqual(["call it Clerk", "and now?", "and now?"]);
      expect(await messages(page).count()).toBe(6);
    }),
  );

  it(
    "what nobody understands is passed over, what comes twice counts once, and nothing counts after the end",
    withAssistant(asks("Fine."), echoFlow, async ({ page, server }) => {
      const { data } = await savedFlow(server);
      const held = gate();
      const canned = await cannedTurns(page);
      canned.next(
        ": a comment\n\n",
        "event: odd\ndata: not json at all\n\n",
        'data: {"event":"telepathy","message":"?"}\n\ndata: [1,2,3]\n\ndata: null\n\ndata: "text"\n\n',
        { event: "progress", step: "levitating", attempt: 1, max_attempts: 3 },
        { event: "token" },
        token("Understood. "),
        update("paint_it_black", { component_id: OUT }),
        update("rename_component", { component_id: OUT }),
        update("rename_component", { component_id: "Nobody-0", name: "Ghost" }),
        update("add_component", { node: { nothing: true } }),
        update("add_component", { node: "a node" }),
        update("connect", { edge: { source: "Nobody-0", target: OUT } }),
        update("configure", { component_id: OUT, params: "all of them" }),
        update("set_flow", { flow: "a flow" }),
        { event: "flow_update" },
        { event: "file_written", action: "write_file", path: 7 },
        { event: "tool_start" },
        update("rename_component", { component_id: IN, name: "Asked" }),
        complete("Understood."),
        held,
        complete("Said again."),
        token("Too late. "),
        update("remove_component", { component_id: IN }),
        { event: "error", message: "Too late to fail." },
      );
      await openPanel(page);
      await ask(page, "do as you please");
      await see(card(page, IN).getByText("Asked").first(), answer(page).getByText("Understood."));
      await idle(page);
      held.open();
      await askAndWait(page, "is everything fine?");
      await see(answer(page).getByText("Fine."));
      // No row says that something was done to a node that is not there.
      expect(await answers(page).first().locator('[data-testid^="assistant-build-task-"]').allTextContents()).toHaveLength(1);
      expect(await panel(page).getByText(/Too late|Said again|Ghost|telepathy/).count()).toBe(0);
      expect(await part(page, "assistant-proposal-card").count()).toBe(0);
      expect(await answers(page).first().locator('[data-testid^="assistant-file-card-"]').count()).toBe(0);
      expect(await cards(page).count()).toBe(2);
      const after = await savedFlow(server);
      expect(after.data.nodes.map(({ id }) => id)).toEqual(data.nodes.map(({ id }) => id));
      expect(after.data.edges).toHaveLength(1);
    }),
  );

  it(
    "a text without end is shown without holding up the page, and nothing in a text or a name is ever more than text",
    withAssistant([], echoFlow, async ({ page, server }) => {
      const nasty = `<img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`;
      const { data } = await savedFlow(server);
      const named = structuredClone(data);
      for (const node of named.nodes) node.data.node.display_name = nasty;
      const canned = await cannedTurns(page);
      const long = `# Long\n\n${"A paragraph with **strong** words and `code`.\n\n".repeat(12_000)}`;
      canned.next(step("generating"), token(long), complete(long));
      canned.next(...proposal(nasty, named));
      canned.next(
        step("generating"),
        { event: "tool_start", tool: nasty, label: nasty },
        update("rename_component", { component_id: OUT, name: nasty }),
        { event: "error", message: nasty, detail: { step: nasty, tool: nasty, raw_cause: nasty, recommendation: nasty } },
      );
      canned.next(step("generating"), complete(`${nasty}\n\n[here](javascript:document.title='hacked') \`\`\`html\n${nasty}`));
      await openPanel(page);
      await askAndWait(page, `tell me everything ${nasty}`);
      await see(answer(page).getByText("A paragraph with").first());
      // The page still takes what is typed.
      await input(page).fill("still here");
      expect(await input(page).inputValue()).toBe("still here");
      await see(answer(page).getByRole("button", { name: /^Show (more|all)/ }));
      // Kept, and the page comes back with it.
      await expect.poll(() => kept(page, "langflow-assistant-sessions")).not.toBeNull();

      await askAndWait(page, "propose something");
      await see(proposed(page).getByText(nasty).first());
      await flowButton(page, "replace").click();
      await see(card(page, OUT).getByText(nasty).first());
      await askAndWait(page, "rename it");
      await see(failure(page).getByText(nasty).first());
      await askAndWait(page, "say it");
      expect(await panel(page).locator("img, script, iframe, a[href^='javascript']").count()).toBe(0);
      expect(await page.locator(".react-flow__node img, .react-flow__node script").count()).toBe(0);
      expect(await page.title()).not.toContain("hacked");
    }),
  );
});

describe("when the server does not answer as it should", () => {
  it("two turns at once on one flow are one too many, which is said, and the second helps once the first is over", async () => {
    const held = gate();
    const script = [means("question"), says("The first ", held, "is done."), ...asks("Now I have time.")];
    await withAssistant(script, echoFlow, async ({ page, context }) => {
      const second = await context.newPage();
      await second.goto(page.url());
      await openPanel(page);
      await openPanel(second);
      await ask(page, "take your time");
      await see(answer(page).getByText("The first"), stopButton(page));
      await ask(second, "and me?");
      await see(failure(second), tryAgain(second));
      await idle(second);
      expect(await failure(second).textContent()).not.toMatch(/[{}]|409/);
      held.open();
      await see(answer(page).getByText("The first is done."));
      await idle(page);
      await tryAgain(second).click();
      await see(answer(second).getByText("Now I have time."));
    })();
  });

  it(
    "too many requests, a broken server, a page in between, no server at all and a flow that is gone are each said in words",
    withAssistant([], echoFlow, async ({ page, server, expectErrors, sent }) => {
      expectErrors(/status of (429|500|502|404|422)/, /ERR_FAILED/);
      await openPanel(page);
      const attempts: [text: string, fulfil: Record<string, unknown> | "abort", says: RegExp][] = [
        [
          "too often",
          { status: 429, headers: { "retry-after": "17" }, json: { detail: "You have asked a lot. Please wait.", code: "throttled" } },
          /You have asked a lot.*17 seconds/s,
        ],
        ["too long", { status: 422, json: { detail: "The message is too long.", code: "invalid" } }, /The message is too long/],
        ["broken", { status: 500, json: { detail: "The assistant could not begin.", code: "internal" } }, /could not begin/],
        ["in between", { status: 502, contentType: "text/html", body: "<html><body>Bad gateway</body></html>" }, /\w+ \w+/],
        ["nobody there", "abort", /\w+ \w+/],
      ];
      for (const [text, answered, words] of attempts) {
        await page.route(`**${TURNS}`, (route) => (answered === "abort" ? route.abort("failed") : route.fulfill(answered)), { times: 1 });
        await askAndWait(page, text);
        await see(failure(page), tryAgain(page));
        expect(await failure(page).textContent()).toMatch(words);
        expect(await failure(page).textContent()).not.toMatch(/[{}<>]|\bat \w+ \(/);
      }
      await server.call("DELETE", `/api/v1/flows/${FLOW_ID}`);
      await askAndWait(page, "is it still there?");
      await see(failure(page).getByText("The flow is no longer there."));
      expect(sent()).toHaveLength(attempts.length + 1);
    }),
  );

  it(
    "a model that was chosen and is no longer there gives way to another, and the panel says which",
    withAssistant(asks("Hello."), echoFlow, async ({ page, sent }) => {
      await openPanel(page);
      await chooseModel(page, "gpt-4o");
      await expect.poll(() => kept(page, "langflow-assistant-selected-model")).toContain("gpt-4o");
      await page.route("**/api/v1/agentic/check-config", async (route) => {
        const response = await route.fetch();
        const config = (await response.json()) as { default_model: string; providers: { models: { name: string }[] }[] };
        for (const provider of config.providers) provider.models = provider.models.filter(({ name }) => name !== "gpt-4o");
        await route.fulfill({ response, json: config });
      });
      await page.reload();
      await openPanel(page);
      await see(panel(page).getByText(/^gpt-4o is no longer available\. \S+ answers instead\.$/));
      await askAndWait(page, "hello");
      expect(sent().at(-1)?.model_name).not.toBe("gpt-4o");
      expect(sent().at(-1)?.provider).toBe("OpenAI");
      // Who goes on with it has chosen it.
      await gone(panel(page).getByText(/is no longer available/));
      expect(await kept(page, "langflow-assistant-selected-model")).toContain(sent().at(-1)?.model_name);
      await see(usage(page).last());
    }),
  );
});

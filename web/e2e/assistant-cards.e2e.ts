import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { JsonRecord } from "../src/flow/json";
import { AGENT, agentFlow, answer, chatbotFlow, component, idle, IN, input, messages, openPanel, panel, part, sendButton, stopButton, withAssistant } from "./assistantSupport";
import { violations } from "./flowSupport";
import { see } from "./harness";

/** A turn as the server tells it; one without an end stays under way. */
interface Turn {
  events: JsonRecord[];
  open?: boolean;
}

/** What a turn leaves to be seen, and what is pressed before it is looked at. */
interface Shown extends Turn {
  /** Where it is not the name that is sent. */
  text?: string;
  look: (page: Page) => Promise<Locator[]>;
  /** It stands in a dialog. */
  dialog?: boolean;
}

const progress = (step: string, more: JsonRecord = {}): JsonRecord => ({ event: "progress", step, attempt: 1, max_attempts: 3, ...more });
const token = (chunk: string): JsonRecord => ({ event: "token", chunk });
const update = (action: string, more: JsonRecord): JsonRecord => ({ event: "flow_update", action, ...more });
const complete = (more: JsonRecord = {}): JsonRecord => ({
  event: "complete",
  data: {
    result: "Done.",
    usage: { input_tokens: 1234, output_tokens: 340, total_tokens: 1574 },
    duration_seconds: 3.1,
    provider: "OpenAI",
    model_name: "gpt-4o",
    ...more,
  },
});

const PLAN = `### A support agent

1. **Chat Input** takes the question.
2. An **Agent** answers it with two tools:
   - \`search\` in the product's pages
   - \`ticket\` when it finds nothing
3. **Chat Output** shows the answer.

> The agent needs a key for its model.`;

const ANSWER = `## How memory works

An agent keeps the last turns of a session. You can change how many with \`n_messages\`:

| setting | what it does |
|---|---|
| \`n_messages\` | how many turns are told |
| \`session_id\` | which conversation it is |

\`\`\`python
class Memory(Component):
    display_name = "Memory"
\`\`\`

<script>document.title = "taken over"</script>[press](javascript:alert(1))`;

const OLD = Array.from({ length: 24 }, (_, line) => `Rule ${line + 1}: be kind, and say nothing that was not asked for.`).join("\n");
const NEW = OLD.replace("Rule 3: be kind", "Rule 3: be short").replace("Rule 20: be kind, and say", "Rule 20: be exact, and claim");

const edit = (id: string, field: string, old_value: unknown, new_value: unknown, description: string): JsonRecord =>
  update("edit_field", { id, component_id: AGENT, component_type: "Agent", field, old_value, new_value, description, patch: [] });

function turns(proposed: JsonRecord): Record<string, Shown> {
  const set = update("set_flow", { flow: { name: "Chatbot", description: "", data: proposed } });
  const code = component();
  return {
    "answer": {
      events: [progress("generating"), token(ANSWER), complete({ result: ANSWER, sources: [{ title: "Chat memory", path: "guides/memory.md#chat" }, { title: "Agents", path: "guides/agents.md" }] })],
      look: async (page) => [answer(page).getByText("How memory works"), answer(page).getByText(/Chat memory/), part(page, "assistant-usage")],
    },
    "thinking": {
      events: [progress("generating")],
      open: true,
      look: async (page) => [part(page, "assistant-progress").getByText("Thinking…")],
    },
    "flow steps": {
      events: [
        progress("orchestrating"),
        progress("searching_components"),
        progress("building_flow"),
        update("configure", { component_id: AGENT, params: { system_prompt: "Be very kind." } }),
        { event: "tool_start", tool: "connect_components", label: "Connecting", source_id: IN, target_id: AGENT },
        token("I connect the input to the agent now."),
      ],
      open: true,
      look: async (page) => [part(page, "assistant-progress").getByText("Building flow…"), part(page, "assistant-build-task-in-progress")],
    },
    "writing a component": {
      events: [
        progress("generating_component"),
        progress("validation_failed", { error: "The output 'result' names a method that is not there.", class_name: "UppercaseText" }),
        progress("retrying", { attempt: 2 }),
        progress("generating_component", { attempt: 2 }),
        token(`The method was missing, so I add **make_upper**.\n\n\`\`\`python\n${code}`),
      ],
      open: true,
      look: async (page) => [part(page, "assistant-progress").getByText("Attempt 2 of 3"), page.getByRole("group", { name: "The code so far" })],
    },
    "component ready": {
      events: [progress("validated"), complete({ result: `Here it is.\n\n\`\`\`python\n${code}\`\`\``, validated: true, class_name: "UppercaseText", component_code: code, validation_attempts: 2 })],
      look: async (page) => [part(page, "assistant-continue-button")],
    },
    "component": {
      events: [progress("validated"), complete({ result: `Here it is.\n\n\`\`\`python\n${code}\`\`\``, validated: true, class_name: "UppercaseText", component_code: code, validation_attempts: 2 })],
      look: async (page) => {
        await part(page, "assistant-continue-button").last().click();
        await answer(page).getByTestId("assistant-view-code-button").click();
        return [answer(page).getByTestId("assistant-approve-button"), answer(page).getByText("class UppercaseText")];
      },
    },
    "validation failed": {
      events: [complete({ result: "Unable.", validated: false, class_name: "Broken", component_code: "class Broken(Component):\n    outputs = []\n", validation_error: "A component needs at least one output.", validation_attempts: 3 })],
      look: async (page) => {
        await answer(page).getByText("Error details").click();
        return [part(page, "assistant-validation-failed"), answer(page).getByText("A component needs at least one output."), answer(page).getByTestId("assistant-retry-button")];
      },
    },
    "plan": {
      events: [progress("generating_plan"), token("This is a larger change, so here is a plan first."), update("propose_plan", { markdown: PLAN }), complete({ result: "This is a larger change, so here is a plan first." })],
      look: async (page) => [answer(page).getByTestId("assistant-plan-continue-button"), answer(page).getByTestId("assistant-plan-dismiss-button")],
    },
    "plan being refined": {
      events: [update("propose_plan", { markdown: PLAN }), complete({ result: "A plan:" })],
      look: async (page) => {
        await answer(page).getByTestId("assistant-plan-dismiss-button").click();
        return [answer(page).getByText("Refining plan"), answer(page).getByTestId("assistant-plan-reset-button")];
      },
    },
    "plan dismissed": {
      events: [update("propose_plan", { markdown: PLAN }), complete({ result: "A plan:" })],
      look: async (page) => {
        await answer(page).getByTestId("assistant-plan-dismiss-button").click();
        await answer(page).getByTestId("assistant-plan-reset-button").click();
        return [answer(page).getByText("Dismissed", { exact: true })];
      },
    },
    "proposal": {
      events: [progress("generating_flow"), set, progress("verifying"), complete({ result: "I built a chatbot. It keeps no memory yet.", has_flow: true, verified: true })],
      look: async (page) => [answer(page).getByTestId("assistant-flow-add-button"), answer(page).getByTestId("assistant-flow-replace-button"), answer(page).getByText("Tried out")],
    },
    "proposal not proven": {
      events: [set, complete({ result: "I built a chatbot.", has_flow: true, verified: false, verification_caveat: "The flow is not proven: it could not be tried out without a key." })],
      look: async (page) => [answer(page).getByText("Not proven", { exact: true }), answer(page).getByText(/without a key/)],
    },
    "proposal added": {
      events: [set, complete({ result: "I built a chatbot.", has_flow: true, verified: true })],
      look: async (page) => {
        await answer(page).getByTestId("assistant-flow-add-button").click();
        return [answer(page).getByText("Added to canvas"), answer(page).getByTestId("assistant-flow-revert-button")];
      },
    },
    "proposal dismissed": {
      events: [set, complete({ result: "I built a chatbot.", has_flow: true, verified: true })],
      look: async (page) => {
        await answer(page).getByTestId("assistant-flow-dismiss-button").click();
        return [answer(page).getByText("Dismissed", { exact: true })];
      },
    },
    "preview": {
      events: [
        update("configure", { component_id: AGENT, params: { system_prompt: "Be kind and brief." } }),
        { event: "flow_preview", flow: { name: "Chatbot", data: proposed }, name: "Chatbot", node_count: 3, edge_count: 2, graph: "" },
        complete({ result: "The agent is brief now.", has_flow: true, verified: true, changes: ["The system prompt of Agent was changed."] }),
      ],
      look: async (page) => [part(page, "assistant-flow-preview").last(), answer(page).getByText(/What really changed/)],
    },
    "edits": {
      events: [
        edit("0a0a0a01", "system_prompt", OLD, NEW, "Shorter answers, and nothing that was not asked for."),
        edit("0a0a0a02", "model", [{ provider: "OpenAI", name: "gpt-4o" }], [{ provider: "OpenAI", name: "gpt-5.4-mini" }], "A cheaper model."),
        edit("0a0a0a03", "verbose", true, false, ""),
        complete({ result: "Three changes to look at.", pending_edits: ["0a0a0a01", "0a0a0a02", "0a0a0a03"] }),
      ],
      look: async (page) => [answer(page).getByTestId("assistant-edit-accept"), answer(page).getByText("1 of 3"), answer(page).getByText(/unchanged lines/).first()],
    },
    "edit of a model": {
      events: [
        edit("0b0b0b01", "model", [{ provider: "OpenAI", name: "gpt-4o" }], [{ provider: "OpenAI", name: "gpt-5.4-mini" }], "A cheaper model."),
        complete({ result: "One change to look at.", pending_edits: ["0b0b0b01"] }),
      ],
      look: async (page) => [answer(page).getByText("gpt-5.4-mini (OpenAI)")],
    },
    "edit accepted": {
      events: [edit("0c0c0c01", "system_prompt", "Be kind.", "Be kind, and brief.", ""), complete({ result: "One change to look at.", pending_edits: ["0c0c0c01"] })],
      look: async (page) => {
        await answer(page).getByTestId("assistant-edit-accept").click();
        return [answer(page).getByText("Accepted")];
      },
    },
    "files": {
      events: [
        { event: "file_written", action: "write_file", path: "docs/FLOW.md", size: 1240, content: `# The flow\n\n${ANSWER}` },
        { event: "file_written", action: "edit_file", path: "a-folder-with-a-long-name/and-another-one/settings-of-the-flow.json", size: 88, content: '{\n  "a": 1\n}' },
        complete({ result: "The document is written." }),
      ],
      look: async (page) => [part(page, "assistant-file-open-button-docs/FLOW.md").last(), answer(page).getByText("Changed", { exact: false }).first()],
    },
    "file opened": {
      events: [{ event: "file_written", action: "write_file", path: "docs/FLOW.md", size: 1240, content: `# The flow\n\n${ANSWER}` }, complete({ result: "The document is written." })],
      look: async (page) => {
        await part(page, "assistant-file-open-button-docs/FLOW.md").click();
        const dialog = page.getByRole("dialog", { name: "docs/FLOW.md" });
        return [dialog.getByTestId("file-content-modal"), dialog.getByText("The flow", { exact: true }), dialog.getByRole("button", { name: "Download" })];
      },
      dialog: true,
    },
    "command": {
      events: [],
      text: "/history nonsense",
      look: async (page) => [messages(page).getByText(/Write \/history with a number/)],
    },
    "changes, conflicts and notices": {
      events: [
        update("rename_component", { component_id: AGENT, name: "Helper" }),
        update("configure", { component_id: AGENT, params: { system_prompt: "Help.", n_messages: 20 } }),
        complete({
          result: "The agent helps now.",
          has_flow: true,
          conflicts: [{ component_id: AGENT, field: "system_prompt", message: "Somebody else changed the system prompt meanwhile; what the assistant wrote counts." }],
          notices: [{ type: "model_fallback", reason: "The project has no access to it.", failed_model: "gpt-9", used_model: "gpt-4o" }],
          run_metrics: { duration_seconds: 2.4, input_tokens: 812, output_tokens: 96, total_tokens: 908 },
          restore_version_id: "5d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e02",
          rehearsal: true,
        }),
      ],
      look: async (page) => {
        await answer(page).getByTestId("assistant-revert-button").click();
        return [answer(page).getByText("Rehearsal: not an AI"), answer(page).getByTestId("assistant-model-notice"), answer(page).getByTestId("assistant-revert-confirm"), answer(page).getByText(/The run: 2\.4s/)];
      },
    },
    "failure": {
      events: [
        progress("generating_flow"),
        { event: "tool_start", tool: "run_flow", label: "Running the flow" },
        {
          event: "error",
          message: "OpenAI refused the key.",
          detail: { step: "generating_flow", component_id: AGENT, tool: "run_flow", raw_cause: "401 Unauthorized: Incorrect API key provided: sk-te***cdef.", recommendation: "Check the key under Settings, Model providers." },
        },
      ],
      look: async (page) => {
        await answer(page).getByText("Details").click();
        return [answer(page).getByRole("alert"), part(page, "assistant-error-details-raw-cause").last(), answer(page).getByTestId("assistant-retry-button")];
      },
    },
    "stopped": {
      events: [token("Half of an answer that was"), { event: "cancelled" }],
      look: async (page) => [answer(page).getByText(/Stopped here/)],
    },
  };
}

/** From now on the page hears these turns instead of the server's, one for each that it asks for. */
async function tell(page: Page, { events, open = false }: Turn): Promise<void> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  await page.evaluate(
    ({ body, stays }) => {
      const before = window.fetch;
      window.fetch = (target, init) => {
        if (!(target instanceof Request) || !target.url.endsWith("/agentic/assist/stream")) return before(target, init);
        const { signal } = target;
        window.fetch = before;
        const stream = new ReadableStream({
          start: (to) => {
            to.enqueue(new TextEncoder().encode(body));
            if (!stays) to.close();
            else signal.addEventListener("abort", () => to.error(signal.reason));
          },
        });
        return Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }));
      };
    },
    { body: text, stays: open },
  );
}

/** Where pictures of the cards go, for somebody to look at them; without it none are taken. */
const folder = process.env.FERROFLOW_PICTURES;

async function picture(page: Page, name: string, dialog: boolean): Promise<void> {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await (dialog ? page : panel(page)).screenshot({ path: join(folder, `${name.replaceAll(/[^\w]+/g, "-")}.png`) });
}

/** Everything wider than the place it has. */
const tooWide = (page: Page): Promise<string[]> =>
  messages(page).evaluateAll((all) =>
    all.flatMap((message) => (message.scrollWidth > message.clientWidth ? [message.textContent.slice(0, 80)] : [])),
  );

async function goThrough(page: Page, proposed: JsonRecord, kind: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  await openPanel(page);
  for (const [name, shown] of Object.entries(turns(proposed))) {
    if (shown.events.length > 0) await tell(page, shown);
    await input(page).fill(shown.text ?? `Show me: ${name}`);
    await sendButton(page).click();
    if (!shown.open) await idle(page);
    await see(...(await shown.look(page)));
    await picture(page, `${kind}-${name}`, shown.dialog ?? false);
    const wide = await tooWide(page);
    const list = [...(await violations(page)), ...wide.map((text) => `too wide: ${text}`)];
    if (list.length > 0) found[name] = list;
    if (shown.dialog) await page.keyboard.press("Escape");
    if (shown.open) await stopButton(page).click();
    await idle(page);
    await part(page, "assistant-new-session").click();
    await expect.poll(() => messages(page).count()).toBe(0);
  }
  expect(await page.title()).not.toContain("taken over");
  return found;
}

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it(
    "every card shows what it is about and is free of what axe finds",
    withAssistant(
      [],
      agentFlow,
      async ({ page, server }) => {
        expect(await goThrough(page, await chatbotFlow(server), theme)).toEqual({});
      },
      { theme, size: { width: 1280, height: 1000 } },
    ),
    300_000,
  );
});

it(
  "every card fits a phone",
  withAssistant(
    [],
    agentFlow,
    async ({ page, server }) => {
      expect(await goThrough(page, await chatbotFlow(server), "phone")).toEqual({});
    },
    { size: { width: 340, height: 740 } },
  ),
  300_000,
);

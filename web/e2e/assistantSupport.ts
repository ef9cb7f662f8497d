import type { Locator, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { handle } from "../src/flow/fixtures/build";
import type { JsonRecord } from "../src/flow/json";
import { FLOW_ID, putFlow } from "./flowSupport";
import { type App, gone, type OpenOptions, see, type TestServer, withApp } from "./harness";
import { type ModelServer, type Reply, startModels } from "./modelServer";

/** What the page sent to the assistant. */
export interface Sent {
  flow_id: string;
  input_value: string;
  session_id: string;
  provider?: string | null;
  model_name?: string | null;
  history_limit?: number | null;
  iterations_limit?: number | null;
  component_id?: string | null;
}

export interface AssistantApp extends App {
  models: ModelServer;
  /** Bodies of the turns the page began, in their order. */
  sent: () => Sent[];
  /** Sessions the page had forgotten, by their id. */
  resets: () => string[];
  /** Names of what the page had counted. */
  counted: () => string[];
}

/** A flow, or how one is made on a server that has just begun. */
export type FlowData = JsonRecord | ((server: TestServer) => Promise<JsonRecord>);

export interface AssistantOptions extends Omit<OpenOptions, "seed" | "path"> {
  /** `none`: nobody has a key, only the rehearsal answers. */
  provider?: "OpenAI" | "Ollama" | "none";
  /** Filled besides the flow and the provider. */
  seed?: (server: TestServer, models: ModelServer) => Promise<unknown>;
}

export function variable(server: TestServer, name: string, value: string): Promise<unknown> {
  const type = name.endsWith("KEY") ? "Credential" : "Generic";
  return server.call("POST", "/api/v1/variables/", { name, value, type, default_fields: [] });
}

export async function giveOpenAi(server: TestServer, models: ModelServer): Promise<void> {
  await variable(server, "OPENAI_API_KEY", "sk-test-0123456789abcdef");
  await variable(server, "OPENAI_BASE_URL", `${models.url}/v1`);
}

export const TURNS = "/api/v1/agentic/assist/stream";
const RESETS = "/api/v1/agentic/sessions/reset";

export const isTurn = (request: Request): boolean => request.method() === "POST" && new URL(request.url()).pathname === TURNS;

interface Heard {
  path: string;
  query: string;
  body: string;
}

/** What the pages send to the assistant. The browser does not tell bodies of requests that can be repeated, so the page does. */
async function hearBodies({ context, page }: App): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  await context.exposeFunction("tellTest", (path: string, query: string, body: string) => void heard.push({ path, query, body }));
  const listen = (): void => {
    const send = window.fetch;
    const tell = (window as unknown as { tellTest: (...text: string[]) => Promise<void> }).tellTest;
    window.fetch = async (input, init) => {
      if (input instanceof Request && input.method === "POST" && input.url.includes("/api/v1/agentic/")) {
        const { pathname, search } = new URL(input.url);
        await tell(pathname, search, await input.clone().text());
      }
      return send(input, init);
    };
  };
  await context.addInitScript(listen);
  await page.evaluate(listen);
  return heard;
}

/** A test on the page of a flow, with a model that says what is written here. */
export function withAssistant(
  script: readonly Reply[],
  flow: FlowData,
  run: (app: AssistantApp) => Promise<void>,
  { provider = "OpenAI", seed, args = [], ...options }: AssistantOptions = {},
): () => Promise<void> {
  return async () => {
    const models = await startModels();
    models.push(...script);
    const fill = async (server: TestServer): Promise<void> => {
      if (provider === "OpenAI") await giveOpenAi(server, models);
      if (provider === "Ollama") await variable(server, "OLLAMA_BASE_URL", models.url);
      await putFlow(server, typeof flow === "function" ? await flow(server) : flow);
      await seed?.(server, models);
    };
    try {
      await withApp(
        { ...options, args: ["--egress-allow", models.address, ...args], seed: fill, path: `/flow/${FLOW_ID}` },
        async (app) => {
          const bodies = await hearBodies(app);
          const at = (path: string): Heard[] => bodies.filter((body) => body.path === path);
          await run({
            ...app,
            models,
            sent: () => at(TURNS).map(({ body }) => JSON.parse(body) as Sent),
            resets: () => at(RESETS).map(({ query }) => new URLSearchParams(query).get("session_id") ?? ""),
            counted: () => at("/api/v1/agentic/feedback").map(({ body }) => (JSON.parse(body) as { name: string }).name),
          });
        },
      )();
    } finally {
      await models.stop();
    }
  };
}

// --- Flows ---------------------------------------------------------------------------------------------------------

export const emptyFlow: JsonRecord = { nodes: [], edges: [] };

type Components = Record<string, Record<string, JsonRecord>>;

interface Template {
  [field: string]: { input_types?: string[]; type?: string; value?: unknown };
}

const templateOf = (node: JsonRecord): Template => node.template as Template;

/** Nodes of the server's own kinds in a row; ids are `Type-x`. Values go by `Type.field`. */
export async function nodesOf(server: TestServer, types: string[], values: JsonRecord = {}): Promise<JsonRecord[]> {
  const all = Object.values((await server.call("GET", "/api/v1/all")) as Components);
  return types.map((type, at) => {
    const node = structuredClone(all.find((kinds) => kinds[type])?.[type]);
    if (!node) throw new Error(`There is no component ${type}.`);
    for (const [field, entry] of Object.entries(templateOf(node))) {
      const value = values[`${type}.${field}`];
      if (value !== undefined) entry.value = value;
    }
    const id = `${type}-x`;
    return { id, type: "genericNode", position: { x: at * 480, y: 0 }, data: { id, type, node, showNode: true } };
  });
}

export function wire(nodes: JsonRecord[], from: string, out: string, to: string, into: string): JsonRecord {
  const node = (id: string): JsonRecord => {
    const found = nodes.find((one) => one.id === id)?.data as JsonRecord | undefined;
    if (!found) throw new Error(`There is no node ${id}.`);
    return found;
  };
  const outputs = (node(from).node as { outputs: { name: string; types: string[] }[] }).outputs;
  const field = templateOf(node(to).node as JsonRecord)[into];
  const sourceHandle = { dataType: node(from).type, id: from, name: out, output_types: outputs.find(({ name }) => name === out)?.types };
  const targetHandle = { fieldName: into, id: to, inputTypes: field?.input_types, type: field?.type };
  return {
    id: `xy-edge__${from}-${to}`,
    source: from,
    target: to,
    sourceHandle: handle(sourceHandle as JsonRecord),
    targetHandle: handle(targetHandle as JsonRecord),
    data: { sourceHandle, targetHandle },
  };
}

export const IN = "ChatInput-x";
export const LLM = "LanguageModelComponent-x";
export const OUT = "ChatOutput-x";
export const AGENT = "Agent-x";

/** What goes in comes out. */
export async function echoFlow(server: TestServer): Promise<JsonRecord> {
  const nodes = await nodesOf(server, ["ChatInput", "ChatOutput"]);
  return { nodes, edges: [wire(nodes, IN, "message", OUT, "input_value")] };
}

const SCRIPTED = [{ provider: "OpenAI", name: "gpt-4o" }];

/** A conversation with the scripted model, or with the one that is given. */
export async function chatbotFlow(server: TestServer, model: unknown = SCRIPTED): Promise<JsonRecord> {
  const types = ["ChatInput", "LanguageModelComponent", "ChatOutput"];
  const nodes = await nodesOf(server, types, { "LanguageModelComponent.model": model });
  return {
    nodes,
    edges: [wire(nodes, IN, "message", LLM, "input_value"), wire(nodes, LLM, "text_output", OUT, "input_value")],
  };
}

export async function agentFlow(server: TestServer): Promise<JsonRecord> {
  const values = { "Agent.model": SCRIPTED, "Agent.system_prompt": "Be kind." };
  const nodes = await nodesOf(server, ["ChatInput", "Agent", "ChatOutput"], values);
  return {
    nodes,
    edges: [wire(nodes, IN, "message", AGENT, "input_value"), wire(nodes, AGENT, "response", OUT, "input_value")],
  };
}

/** Specs as the model gives them to `build_flow`. */
export const ECHO_SPEC = "name: Echo\nnodes:\n  in: ChatInput\n  out: ChatOutput\nedges:\n  in.message -> out.input_value\n";
export const CHATBOT_SPEC =
  "name: Chatbot\nnodes:\n  in: ChatInput\n  llm: LanguageModelComponent\n  out: ChatOutput\nedges:\n  in.message -> llm.input_value\n  llm.text_output -> out.input_value\n";

export function component(name = "UppercaseText", { title = "Uppercase", output = "result", from = "lfx.custom" } = {}): string {
  return `from ${from} import Component
from lfx.io import MessageTextInput, Output
from lfx.schema.message import Message


class ${name}(Component):
    display_name = "${title}"
    description = "Turns text into capital letters."
    inputs = [MessageTextInput(name="text", display_name="Text", tool_mode=True)]
    outputs = [Output(name="${output}", display_name="Result", method="make_upper")]

    def make_upper(self) -> Message:
        return Message(text=self.text.upper())
`;
}

// --- The panel -----------------------------------------------------------------------------------------------------

export const panel = (page: Page): Locator => page.getByTestId("assistant-panel");
export const input = (page: Page): Locator => page.getByTestId("assistant-input-textarea");
export const sendButton = (page: Page): Locator => page.getByTestId("assistant-send-button");
export const stopButton = (page: Page): Locator => page.getByTestId("assistant-stop-button");
export const progress = (page: Page): Locator => page.getByTestId("assistant-progress");
export const usage = (page: Page): Locator => page.getByTestId("assistant-usage");
/** Everything that was said, by anybody. */
export const messages = (page: Page): Locator => panel(page).locator('[data-testid^="assistant-message-"]');
export const answers = (page: Page): Locator => panel(page).locator('[data-testid^="assistant-message-"][data-status]');
export const answer = (page: Page): Locator => answers(page).last();
/** What a run within a turn cost. */
export const runCost = (page: Page): Locator => answer(page).getByText(/^The run:/);
/** Something of the panel by its test id. */
export const part = (page: Page, id: string): Locator => panel(page).getByTestId(id);

export const hasFocus = (locator: Locator): Promise<void> =>
  expect.poll(() => locator.evaluate((element) => element === document.activeElement)).toBe(true);

/** Opens it from the tools of the canvas. */
export async function openPanel(page: Page): Promise<void> {
  await page.getByTestId("assistant-toggle").click();
  await see(panel(page), input(page));
  await hasFocus(input(page));
}

/** Writes it and sends it; over when the request is on its way. */
export async function ask(page: Page, text: string): Promise<void> {
  await see(sendButton(page));
  await input(page).fill(text);
  await expect.poll(() => sendButton(page).getAttribute("aria-disabled")).not.toBe("true");
  const begun = page.waitForRequest(isTurn);
  await sendButton(page).click();
  await begun;
}

/** Nothing is under way. */
export async function idle(page: Page): Promise<void> {
  await see(sendButton(page));
  await gone(stopButton(page));
}

/** Which answer is the last; only so many are drawn, so that counting them would not do. */
const newest = async (page: Page): Promise<string | null> =>
  (await answers(page).count()) === 0 ? null : answer(page).getAttribute("data-testid");

/** Asks and waits until the turn is over. */
export async function askAndWait(page: Page, text: string): Promise<void> {
  const before = await newest(page);
  await ask(page, text);
  await expect.poll(() => newest(page)).not.toBe(before);
  await idle(page);
}

/** From now on keeps whatever the progress of an answer shows, be it for a moment; the result reads it. */
export async function watchProgress(page: Page): Promise<() => Promise<string>> {
  const seen = await page.evaluateHandle(() => {
    const texts: string[] = [];
    const look = (): void => {
      for (const shown of document.querySelectorAll("[data-testid=assistant-progress]")) {
        const text = shown.textContent ?? "";
        if (texts.at(-1) !== text) texts.push(text);
      }
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  return () => seen.evaluate((texts) => texts.join("\n"));
}

/** Types a command, which is answered without asking anybody. */
export async function command(page: Page, text: string): Promise<void> {
  const before = await messages(page).count();
  await input(page).fill(text);
  await input(page).press("Enter");
  await expect.poll(() => messages(page).count()).toBeGreaterThan(before);
}

/** Chooses a model by its name. */
export async function chooseModel(page: Page, name: string): Promise<void> {
  await part(page, "assistant-model-selector").click();
  await page.getByRole("option", { name: new RegExp(`^${name.replaceAll(".", "\\.")}`) }).first().click();
  await expect.poll(() => part(page, "assistant-model-selector").textContent()).toContain(name);
}

/** What the browser keeps under this name. */
export const kept = (page: Page, key: string): Promise<string | null> => page.evaluate((name) => localStorage.getItem(name), key);

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { freshPage, launchBrowser, startServer } from "./support.mjs";

const { values: options, positionals } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true });
const program = process.env.FERROFLOW_BIN;
if (!program) throw new Error("FERROFLOW_BIN must name the server's program.");
const folder = options.out ?? fileURLToPath(new URL("../../docs/screenshots", import.meta.url));

/** What the pictures show was made and run like anybody's: flows from starters, runs with the rehearsal model. */
async function fill(server) {
  const starters = await server.call("GET", "/api/v1/flows/basic_examples");
  const make = async (name, more = {}) => {
    const starter = starters.find((each) => each.name === name);
    if (!starter) throw new Error(`There is no starter "${name}".`);
    return server.call("POST", "/api/v1/flows/", { name, description: starter.description, data: starter.data, ...more });
  };
  const project = await server.call("POST", "/api/v1/projects/", { name: "Support" });
  const flows = {};
  for (const name of ["CSV report", "Branch", "Structured extraction", "Multi-agent", "Human approval"]) {
    flows[name] = await make(name, { folder_id: project.id });
  }
  for (const name of ["Web digest", "Memory chatbot", "Basic prompting"]) flows[name] = await make(name);
  const say = (flow, text, session = flow.id) =>
    server.call("POST", `/api/v1/run/${flow.id}`, {
      input_value: text,
      input_type: "chat",
      output_type: "chat",
      session_id: session,
    });
  const chat = flows["Memory chatbot"];
  await say(chat, "My name is Ada and I plan a trip to Lisbon.", "Lisbon");
  await say(chat, "Which three things should I see first?", "Lisbon");
  await say(chat, "What is a good day for a museum?");
  await say(chat, "And for the market?");
  for (const text of ["Write a haiku about rust.", "And one about rivers.", "Say it in one line.", "In Portuguese, please."]) {
    await say(flows["Basic prompting"], text);
  }
  // Real life has runs that failed as well.
  await say(flows["CSV report"], "product,country\nLamp,Portugal").catch(() => null);
  for (const text of ["product,sold\nLamp,120\nDesk,35", "product,sold\nChair,210\nRug,0\nClock,87"]) {
    await say(flows["CSV report"], text);
  }
  const blank = await server.call("POST", "/api/v1/flows/", { name: "Front desk", data: { nodes: [], edges: [] } });
  return { chat, prompting: flows["Basic prompting"], blank };
}

/** Each page: where it is, what must be there before the picture, what is done first, and what at the last moment. */
const pages = {
  home: {
    path: () => "/all",
    ready: (page) => page.getByRole("list", { name: "Flows" }).getByRole("link").first(),
  },
  templates: {
    path: () => "/templates",
    ready: (page) => page.getByRole("main").getByRole("button").first(),
  },
  editor: {
    path: ({ prompting }) => `/flow/${prompting.id}`,
    ready: (page) => page.locator(".react-flow__node [data-node-id]").first(),
    prepare: (page) => page.getByText("Data sources", { exact: true }).first().waitFor(),
    // The picture is of a flow that runs: it is taken at once.
    live: async (page) => {
      await page.locator("body").press("Control+Enter");
      await page.getByRole("button", { name: "Stop", exact: true }).first().waitFor();
    },
  },
  assistant: {
    path: ({ blank }) => `/flow/${blank.id}`,
    ready: (page) => page.getByTestId("assistant-toggle"),
    // The rehearsal proposes a flow: what it would put on the canvas is drawn there.
    prepare: async (page) => {
      await page.getByTestId("assistant-toggle").click();
      await page.getByTestId("assistant-rehearsal-offer").click();
      await page.getByTestId("assistant-input-textarea").fill("Build a chatbot with memory");
      await page.getByTestId("assistant-input-textarea").press("Enter");
      await page.getByTestId("assistant-flow-add-button").waitFor({ timeout: 30_000 });
      await page.getByTestId("assistant-send-button").waitFor();
    },
  },
  playground: {
    path: ({ chat }) => `/flow/${chat.id}/playground`,
    ready: (page) => page.getByRole("region", { name: "Conversation" }).getByRole("article").last(),
  },
  runs: {
    path: ({ prompting }) => `/flow/${prompting.id}/runs`,
    ready: (page) => page.getByRole("main").getByRole("row").nth(1),
  },
  settings: {
    path: () => "/settings/models",
    ready: (page) => page.getByRole("heading", { level: 1, name: "Model providers" }),
  },
  shortcuts: {
    path: () => "/settings/shortcuts",
    ready: (page) => page.getByRole("heading", { level: 1, name: "Shortcuts" }),
  },
};

async function quiet(page) {
  // A page that listens to a run is never without requests.
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
  await page.evaluate(async () => {
    await document.fonts.ready;
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(ending.map((animation) => animation.finished.catch(() => {})));
  });
}

const wanted = positionals.length > 0 ? positionals : Object.keys(pages);
for (const name of wanted) {
  if (!pages[name]) throw new Error(`There is no page "${name}"; there are ${Object.keys(pages).join(", ")}.`);
}
const server = await startServer(program);
const browser = await launchBrowser();
const failed = [];
try {
  mkdirSync(folder, { recursive: true });
  const made = await fill(server);
  for (const theme of ["light", "dark"]) {
    for (const name of wanted) {
      const { path, ready, prepare, live } = pages[name];
      const page = await freshPage(browser, { theme });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      try {
        await page.goto(server.url + path(made));
        await ready(page).waitFor({ timeout: 20_000 });
        await prepare?.(page);
        await quiet(page);
        await live?.(page);
        await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
        console.log(`› ${name}-${theme}.png`);
      } catch (error) {
        failed.push(`${name}-${theme}: ${error.message.split("\n")[0]}`);
      } finally {
        await page.context().close();
      }
    }
  }
} finally {
  await browser.close();
  await server.stop();
}
for (const line of failed) console.error(`No picture of ${line}`);
if (failed.length > 0) process.exitCode = 1;

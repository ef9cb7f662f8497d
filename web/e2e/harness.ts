import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, type BrowserContext, type BrowserServer, chromium, type Download, type Locator, type Page } from "playwright-core";
import { expect, inject } from "vitest";

export const serverPath = resolve(process.env.FERROFLOW_BIN ?? "../target/debug/ferroflow");
export const browserPath = process.env.FERROFLOW_CHROMIUM ?? "/usr/bin/chromium";

export function launchBrowser(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: browserPath,
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

let connected: Promise<Browser> | null = null;

function connect(): Promise<Browser> {
  connected ??= chromium.connect(inject("browser"));
  return connected;
}

export interface Account {
  username: string;
  password: string;
  admin?: boolean;
}

export interface ServerOptions {
  /** Given accounts, the server asks for a password. */
  accounts?: Account[];
  args?: string[];
}

export interface TestServer {
  url: string;
  call: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Ends it as a crash does; `startAgain` brings it back at the same address with the same data. */
  kill: () => Promise<void>;
  startAgain: () => Promise<void>;
  stop: () => Promise<void>;
}

function addressOf(process: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    const said: string[] = [];
    const look = (line: string) => {
      said.push(line);
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url && line.includes("listening")) found(url);
    };
    for (const stream of [process.stdout, process.stderr]) {
      if (stream) createInterface({ input: stream }).on("line", look);
    }
    process.once("exit", (code) => failed(new Error(`The server ended with ${code}:\n${said.join("\n")}`)));
  });
}

async function tokenFor(url: string, account: Account | undefined): Promise<string> {
  const response = account
    ? await fetch(`${url}/api/v1/login`, {
        method: "POST",
        body: new URLSearchParams({ username: account.username, password: account.password }),
      })
    : await fetch(`${url}/api/v1/auto_login`);
  return ((await response.json()) as { access_token: string }).access_token;
}

export async function startServer({ accounts = [], args = [] }: ServerOptions = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "ferroflow-e2e-"));
  for (const { username, password, admin } of accounts) {
    execFileSync(
      serverPath,
      [
        "--data-dir",
        folder,
        "user",
        "create",
        "--username",
        username,
        "--password-stdin",
        ...(admin ? ["--admin"] : []),
      ],
      { input: password, stdio: ["pipe", "pipe", "pipe"] },
    );
  }
  const launch = (port: string): ChildProcess =>
    spawn(
      serverPath,
      [
        "--data-dir",
        folder,
        "--port",
        port,
        "--log-format",
        "json",
        ...(accounts.length > 0 ? ["--no-auto-login"] : []),
        ...args,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
  let process = launch("0");
  const url = await addressOf(process);
  let token: string | null = null;
  const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
    if (process.exitCode !== null || process.signalCode !== null) return;
    const ended = new Promise((done) => process.once("exit", done));
    process.kill(signal);
    await ended;
  };
  return {
    url,
    call: async (method, path, body) => {
      token ??= await tokenFor(url, accounts[0]);
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text ? (JSON.parse(text) as unknown) : null;
    },
    kill: () => end("SIGKILL"),
    startAgain: async () => {
      process = launch(new URL(url).port);
      await addressOf(process);
    },
    stop: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface OpenOptions extends ServerOptions {
  path?: string;
  theme?: "light" | "dark";
  size?: { width: number; height: number };
  locale?: string;
  /** Filled before the page is opened. */
  seed?: (server: TestServer) => Promise<unknown>;
}

export interface App {
  server: TestServer;
  context: BrowserContext;
  page: Page;
  /** Console errors that a test brings about on purpose. */
  expectErrors: (...patterns: RegExp[]) => void;
  close: () => Promise<void>;
}

/** What the browser complained about: scripts that failed, styles that the page's policy refused. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /content security policy|refused to/i.test(message.text())) {
      complaints.push(`${message.text()} (${message.location().url})`);
    }
  });
  page.on("pageerror", (error) => complaints.push(`${error.name}: ${error.message}`));
  return complaints;
}

async function open(options: OpenOptions): Promise<App & { complaints: () => string[] }> {
  const server = await startServer(options);
  await options.seed?.(server);
  const browser = await connect();
  const context = await browser.newContext({
    viewport: options.size ?? { width: 1280, height: 800 },
    colorScheme: options.theme ?? "light",
    locale: options.locale ?? "en-US",
    reducedMotion: "reduce",
    acceptDownloads: true,
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints = listen(page);
  const expected: RegExp[] = [];
  await page.goto(server.url + (options.path ?? "/"));
  return {
    server,
    context,
    page,
    expectErrors: (...patterns) => expected.push(...patterns),
    complaints: () => complaints.filter((line) => !expected.some((pattern) => pattern.test(line))),
    close: async () => {
      await context.close();
      await server.stop();
    },
  };
}

const pictures = resolve("node_modules/.cache/ferroflow/e2e");

/** What the page looked like when the test failed. */
async function keepPicture(page: Page): Promise<void> {
  const name = (expect.getState().currentTestName ?? "test").replace(/[^\w]+/g, "-").slice(0, 100);
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path }).then(
    () => console.error(`A picture of the page is in ${path}`),
    () => {},
  );
}

/** A test with a server and a page of its own; it fails when the browser complained about anything. */
export function withApp(
  options: OpenOptions,
  run: (app: App) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const app = await open(options);
    try {
      await run(app);
      expect(app.complaints()).toEqual([]);
    } catch (error) {
      await keepPicture(app.page);
      throw error;
    } finally {
      await app.close();
    }
  };
}

export async function see(...locators: Locator[]): Promise<void> {
  for (const locator of locators) await locator.waitFor({ state: "visible" });
}

export async function gone(...locators: Locator[]): Promise<void> {
  for (const locator of locators) await locator.waitFor({ state: "hidden" });
}

export async function contents(download: Download): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of await download.createReadStream()) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export interface SeededFlow {
  id: string;
  name: string;
  folder_id: string;
  revision: number;
}

export function createFlow(
  server: TestServer,
  name: string,
  more: Record<string, unknown> = {},
): Promise<SeededFlow> {
  return server.call("POST", "/api/v1/flows/", {
    name,
    data: { nodes: [], edges: [], viewport: { x: 0, y: 0, zoom: 1 } },
    ...more,
  }) as Promise<SeededFlow>;
}

export function createProject(server: TestServer, name: string): Promise<{ id: string; name: string }> {
  return server.call("POST", "/api/v1/projects/", { name }) as Promise<{ id: string; name: string }>;
}

export const flowLink = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

export const flowNames = (page: Page) => page.locator("[data-flow-link]").allTextContents();

export async function chooseFromMenu(page: Page, button: string, ...items: string[]): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  for (const item of items) await page.getByRole("menuitem", { name: item, exact: true }).click();
}

/** Drops files on the page as a person would from their desktop. */
export async function dropFiles(page: Page, files: { name: string; text: string }[]): Promise<void> {
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, text } of list) transfer.items.add(new File([text], name));
    for (const type of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }),
      );
    }
  }, files);
}

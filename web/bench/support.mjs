import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

/** A server with a folder of its own, and a way to call it. `stop` takes both away. */
export async function startServer(program, args = []) {
  const folder = mkdtempSync(join(tmpdir(), "ferroflow-web-"));
  const child = spawn(program, ["--data-dir", folder, "--port", "0", "--log-format", "json", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = await addressOf(child);
    const token = (await (await fetch(`${url}/api/v1/auto_login`)).json()).access_token;
    return { url, stop, call: (method, path, body) => call(url, token, method, path, body) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function addressOf(child) {
  return new Promise((found, failed) => {
    const said = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        if (said.length < 50) said.push(line);
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (url && line.includes("listening")) found(url);
      });
    }
    child.once("error", (error) => failed(error));
    child.once("exit", (code) => failed(new Error(`The server ended with ${code}:\n${said.join("\n")}`)));
  });
}

async function call(url, token, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text ? JSON.parse(text) : null;
}

export function launchBrowser() {
  return chromium.launch({
    executablePath: process.env.FERROFLOW_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--enable-precise-memory-info",
    ],
  });
}

/** A page with nothing cached, as on a first visit. */
export async function freshPage(browser, { theme = "light", size = { width: 1440, height: 900 } } = {}) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: theme,
    locale: "en-US",
  });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

export function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1));
  return sorted[at] ?? Number.NaN;
}

export const median = (values) => quantile(values, 0.5);

/** Calls `work` with each item, a few at a time. */
export async function inParallel(items, width, work) {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { browserPath, launchBrowser, serverPath } from "./harness";

/** One browser for all files; they connect to it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const [what, path] of [
    ["server", serverPath],
    ["browser", browserPath],
  ] as const) {
    if (!existsSync(path)) throw new Error(`The ${what} is missing: ${path}`);
  }
  const browser = await launchBrowser();
  project.provide("browser", browser.wsEndpoint());
  return () => browser.close();
}

declare module "vitest" {
  interface ProvidedContext {
    browser: string;
  }
}

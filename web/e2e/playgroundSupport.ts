import type { Page } from "playwright-core";
import { FLOW_ID, putFlow } from "./flowSupport";
import { type App, type OpenOptions, see, type TestServer, withApp } from "./harness";

export interface Example {
  name: string;
  data: { nodes: { data: { type: string; node: { template: Record<string, { value: unknown }> } } }[] };
}

export async function example(server: TestServer, name: string): Promise<Example["data"]> {
  const list = (await server.call("GET", "/api/v1/flows/basic_examples")) as Example[];
  const found = list.find((item) => item.name === name);
  if (!found) throw new Error(`There is no example ${name}.`);
  return found.data;
}

/** A test on a flow made of one of the examples. */
export function withExample(
  name: string,
  run: (app: App) => Promise<void>,
  { change, more, ...options }: OpenOptions & { change?: (data: Example["data"]) => void; more?: Record<string, unknown> } = {},
): () => Promise<void> {
  const seed = async (server: TestServer): Promise<void> => {
    const data = await example(server, name);
    change?.(data);
    await putFlow(server, data, { name, ...more });
  };
  return withApp({ path: `/flow/${FLOW_ID}/playground`, seed, ...options }, run);
}

export const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
export const conversation = (page: Page) => page.getByRole("region", { name: "Conversation" });
export const said = (page: Page, by: string) => conversation(page).getByRole("article", { name: by });
export const stop = (page: Page) => page.getByRole("button", { name: "Stop", exact: true });
export const idle = (page: Page) => see(page.getByRole("button", { name: "Send", exact: true }));
export const many = Array.from({ length: 80 }, (_, index) => `word${index}`).join(" ");

/** Writes a message and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

export async function ask(page: Page, text: string): Promise<void> {
  await say(page, text);
  await see(said(page, "AI").last().getByText(/rehearsal/i).first());
  await idle(page);
}

/** A message that no run made. */
export function put(server: TestServer, text: string, more: Record<string, unknown> = {}): Promise<unknown> {
  return server.call("POST", "/api/v1/monitor/messages", {
    flow_id: FLOW_ID,
    session_id: FLOW_ID,
    sender: "User",
    sender_name: "User",
    text,
    ...more,
  });
}

export const sessionList = (page: Page) => page.getByRole("navigation", { name: "Sessions" });

/** How far the view is from the end of the conversation. */
export const fromEnd = (page: Page): Promise<number> =>
  conversation(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { component, edge, field, output } from "../src/flow/fixtures/build";
import type { JsonRecord } from "../src/flow/json";
import { FLOW_ID, settled } from "./flowSupport";
import { see, type TestServer } from "./harness";

export interface SavedNode {
  id: string;
  type: string;
  position: { x: number; y: number };
  data: { node: { display_name?: string; description?: string; template: Record<string, JsonRecord> }; showNode?: boolean };
}

export interface SavedFlow {
  name: string;
  revision: number;
  locked: boolean;
  data: { nodes: SavedNode[]; edges: JsonRecord[] };
}

export async function savedFlow(server: TestServer, id = FLOW_ID): Promise<SavedFlow> {
  return (await server.call("GET", `/api/v1/flows/${id}`)) as SavedFlow;
}

/** What the server has once it is as asked. */
export async function saved(server: TestServer, check: (flow: SavedFlow) => unknown): Promise<SavedFlow> {
  await expect.poll(async () => check(await savedFlow(server))).toBe(true);
  return savedFlow(server);
}

/** A Chat Input and a Chat Output of the real kinds, apart from each other and not wired. */
export async function twoEnds(server: TestServer): Promise<JsonRecord> {
  const all = (await server.call("GET", "/api/v1/all")) as Record<string, Record<string, JsonRecord>>;
  const found = (type: string): JsonRecord => {
    for (const types of Object.values(all)) if (types[type]) return types[type];
    throw new Error(`no ${type}`);
  };
  const node = (id: string, type: string, x: number): JsonRecord => ({
    id,
    type: "genericNode",
    position: { x, y: 0 },
    data: { id, type, node: found(type), showNode: true },
  });
  return { nodes: [node("ChatInput-a", "ChatInput", 0), node("ChatOutput-b", "ChatOutput", 560)], edges: [] };
}

/** Three steps in a row that no component of the server stands behind. */
export function threeSteps(): JsonRecord {
  const step = (id: string, x: number): JsonRecord =>
    component(id, {
      display_name: id,
      at: [x, 0],
      template: { input: field("input", { input_types: ["Message"] }), text: field("text", { value: id }) },
      outputs: [output("out", ["Message"])],
    });
  return {
    nodes: [step("One", 0), step("Two", 420), step("Three", 840)],
    edges: [edge("One", "out", "Two", "input"), edge("Two", "out", "Three", "input")],
  };
}

export const palette = (page: Page): Locator => page.getByRole("complementary", { name: "Components" });
/** Presses the key that leads to the search, and waits until what is typed arrives there. */
export async function searchComponents(page: Page): Promise<void> {
  await page.keyboard.press("/");
  await see(palette(page).locator("input:focus"));
}
export const savedState = (page: Page): Locator => page.getByTestId("saved-state");
export const port = (page: Page, node: string, side: "in" | "out", label: string): Locator =>
  page.locator(`[data-node-id="${node}"] .ff-port[data-side="${side}"][data-port-label="${label}"]`);

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Pulls from one thing to another, or by a distance, as a hand does. */
export async function pull(page: Page, from: Locator, to: Locator | { dx: number; dy: number }): Promise<void> {
  const start = await settled(() => middle(from));
  const end = "dx" in to ? { x: start.x + to.dx, y: start.y + to.dy } : await middle(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  // The first small step is what makes it a drag.
  await page.mouse.move(start.x + Math.sign(end.x - start.x) * 3, start.y + Math.sign(end.y - start.y) * 3);
  await page.mouse.move(end.x, end.y, { steps: 8 });
  await page.mouse.up();
}

export async function ready(page: Page): Promise<void> {
  await see(page.locator(".ff-editing"), savedState(page));
}

import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { component, edge, field, output } from "../src/flow/fixtures/build";
import type { JsonRecord } from "../src/flow/json";
import { type App, type OpenOptions, see, type TestServer, withApp } from "./harness";

export const FLOW_ID = "7d1f3c52-4a50-4a5e-9c33-0b8f5d2a6e01";

export function putFlow(server: TestServer, data: unknown, more: JsonRecord = {}): Promise<unknown> {
  return server.call("PUT", `/api/v1/flows/${FLOW_ID}`, { name: "Sample", data, ...more });
}

/** A test on the page of one flow. */
export function withFlow(
  data: unknown,
  run: (app: App) => Promise<void>,
  options: Omit<OpenOptions, "seed" | "path"> & { more?: JsonRecord } = {},
): () => Promise<void> {
  const { more, ...rest } = options;
  return withApp({ ...rest, seed: (server) => putFlow(server, data, more), path: `/flow/${FLOW_ID}` }, run);
}

export const card = (page: Page, id: string) => page.locator(`[data-node-id="${id}"]`);
export const cards = (page: Page) => page.locator(".react-flow__node [data-node-id]");
export const wires = (page: Page) => page.locator(".ff-wire");
export const dock = (page: Page, name: string) => page.getByRole("complementary", { name });
export const zoom = (page: Page) =>
  page
    .getByRole("toolbar", { name: "View" })
    .getByRole("button", { name: /^Zoom \d+%/ })
    .textContent();

export function focusedNode(page: Page): Promise<string | null> {
  return page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.nodeId ?? null);
}

export async function openPanel(page: Page, name: "Outline" | "Details" | "Versions"): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await see(dock(page, name));
}

/** Opens a node beside the canvas, as Enter does. */
export async function inspect(page: Page, id: string): Promise<Locator> {
  await card(page, id).focus();
  await page.keyboard.press("Enter");
  await see(dock(page, "Inspector"));
  return dock(page, "Inspector");
}

/** Opens one of the tabs under the canvas. */
export async function openBottom(page: Page, name: "Problems" | "Runs" | "Variables"): Promise<Locator> {
  await page.getByRole("toolbar", { name: "About this flow" }).getByRole("button", { name: new RegExp(`^${name}`) }).click();
  const region = page.getByRole("region", { name });
  await see(region);
  return region;
}

/** Where something is once it has stayed there: the view is fitted after the first drawing. */
export async function settled<T>(read: () => Promise<T>): Promise<T> {
  let last = await read();
  let same = 0;
  await expect
    .poll(
      async () => {
        const now = await read();
        same = JSON.stringify(now) === JSON.stringify(last) ? same + 1 : 0;
        last = now;
        return same;
      },
      { interval: 60 },
    )
    .toBeGreaterThanOrEqual(5);
  return last;
}

/** How far each end of each wire is from the nearest port, in pixels on the screen. */
export function wireGaps(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const ports = [...document.querySelectorAll(".ff-port")].map((port) => port.getBoundingClientRect());
    return [...document.querySelectorAll<SVGPathElement>(".ff-wire")].flatMap((wire) => {
      const matrix = wire.getScreenCTM();
      if (!matrix) return [Number.NaN];
      return [0, wire.getTotalLength()].map((at) => {
        const { x, y } = wire.getPointAtLength(at).matrixTransform(matrix);
        const gaps = ports.map((box) =>
          Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom)),
        );
        return Math.min(...gaps);
      });
    });
  });
}

/** What axe finds, by rule and element, so that the report is enough to mend it. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const engine = (globalThis as unknown as { axe: typeof axe }).axe;
    const found = await engine.run({ resultTypes: ["violations"] });
    return found.violations.flatMap((rule) =>
      rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")} ${node.html.slice(0, 160)}`),
    );
  });
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** A chain of steps in rows of 25, as long as asked. */
export function longFlow(count: number): JsonRecord {
  const id = (index: number): string => `Step-${String(index).padStart(3, "0")}`;
  const nodes = Array.from({ length: count }, (_, index) =>
    component(id(index), {
      display_name: `Step ${index}`,
      icon: "bot",
      description: "One step of many.",
      at: [(index % 25) * 420, Math.floor(index / 25) * 340],
      template: {
        input: field("input", { input_types: ["Message"] }),
        prompt: field("prompt", { type: "prompt", value: `Do step ${index} with {topic}` }),
        warmth: field("warmth", { type: "slider", value: 0.3, range_spec: { min: 0, max: 1 } }),
      },
      outputs: [output("text", ["Message"])],
    }),
  );
  const edges = Array.from({ length: count - 1 }, (_, index) =>
    edge(id(index), "text", id(index + 1), "input"),
  );
  return { nodes, edges };
}

import { describe, expect, it } from "vitest";
import { approval, chat, component, edge, field, note, output } from "../src/flow/fixtures/build";
import {
  card,
  cards,
  dock,
  expectAccessible,
  focusedNode,
  inspect,
  longFlow,
  openBottom,
  openPanel,
  settled,
  wireGaps,
  wires,
  withFlow,
  zoom,
} from "./flowSupport";
import { gone, see } from "./harness";

describe("the drawing", () => {
  it(
    "shows nodes, wires and notes, each wire touching its ports",
    withFlow(chat(), async ({ page }) => {
      await see(
        card(page, "ChatInput-1"),
        card(page, "Model-1"),
        card(page, "ChatOutput-1"),
        card(page, "note-1"),
      );
      await see(card(page, "Model-1").getByText("Acme"), card(page, "note-1").getByText("Read me"));
      await see(card(page, "Model-1").getByText("Receiving input"));
      expect(await wires(page).count()).toBe(2);
      await expect.poll(async () => Math.max(...(await wireGaps(page)))).toBeLessThan(1);
      expect(await page.title()).toBe("Sample · Ferroflow");
    }),
  );

  it(
    "never shows a literal secret, not even in the raw JSON",
    withFlow(
      {
        nodes: [
          component("Key-1", {
            template: {
              api_key: field("api_key", { password: true, value: "sk-live-1234" }),
              from: field("from", { password: true, load_from_db: true, value: "MY_KEY" }),
            },
          }),
        ],
        edges: [],
      },
      async ({ page }) => {
        await see(card(page, "Key-1").getByText("MY_KEY"));
        const panel = await inspect(page, "Key-1");
        await panel.getByText("Raw JSON").click();
        await see(panel.getByText('"password": true').first());
        expect(await page.content()).not.toContain("sk-live-1234");
      },
    ),
  );

  it(
    "moves, zooms and fits",
    withFlow(chat(), async ({ page }) => {
      await see(card(page, "Model-1"));
      const place = async () =>
        (await card(page, "Model-1").boundingBox()) ?? { x: Number.NaN, y: Number.NaN };
      const before = await settled(place);
      await page.mouse.move(640, 700);
      await page.mouse.down();
      await page.mouse.move(700, 650, { steps: 5 });
      await page.mouse.up();
      await expect.poll(async () => Math.round((await place()).x - before.x)).toBe(60);
      await expect.poll(async () => Math.round((await place()).y - before.y)).toBe(-50);

      await page.keyboard.press("0");
      await expect.poll(() => zoom(page)).toBe("100%");
      await page.keyboard.press("+");
      await expect.poll(() => zoom(page)).toBe("125%");
      await page.keyboard.press("-");
      await page.keyboard.press("-");
      await expect.poll(() => zoom(page)).toBe("80%");
      await page.keyboard.press("1");
      await expect.poll(async () => Math.round((await place()).x - before.x)).toBe(0);
      await page.getByRole("button", { name: "Compact tiles" }).click();
      await gone(card(page, "Model-1").getByText("Receiving input"));
      await page.getByRole("button", { name: "Map of the flow" }).click();
      await gone(page.locator(".react-flow__minimap"));
      await page.reload();
      await see(card(page, "Model-1"));
      expect(await page.locator(".react-flow__minimap").count()).toBe(0);
    }),
  );

  it(
    "lights up the wires of the node under the pointer and names its ports",
    withFlow(chat(), async ({ page }) => {
      await card(page, "ChatInput-1").hover();
      await expect.poll(() => page.locator(".ff-wire[data-lit]").count()).toBe(1);
      await card(page, "Model-1").locator(".ff-port").first().hover();
      await see(page.getByText("Accepts Message"));
    }),
  );

  it(
    "is walked by keyboard",
    withFlow(chat(), async ({ page }) => {
      await see(card(page, "Model-1"));
      await page.getByRole("application").focus();
      for (const id of ["ChatInput-1", "Model-1", "ChatOutput-1", "note-1"]) {
        await page.keyboard.press("Tab");
        await expect.poll(() => focusedNode(page)).toBe(id);
      }
      await page.keyboard.press("Tab");
      await expect.poll(() => focusedNode(page)).toBeNull();
      await card(page, "ChatInput-1").focus();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => focusedNode(page)).toBe("Model-1");
      await page.keyboard.press("ArrowLeft");
      await expect.poll(() => focusedNode(page)).toBe("ChatInput-1");
      await page.keyboard.press("Enter");
      await see(dock(page, "Inspector").getByRole("heading", { name: "Chat Input" }));
      await page.keyboard.press("Escape");
      await gone(dock(page, "Inspector"));
      await expect.poll(() => focusedNode(page)).toBe("ChatInput-1");
      await page.keyboard.press("Escape");
      await expect.poll(() => page.locator("[data-selected]").count()).toBe(0);
    }),
  );

  it(
    "draws workflow nodes with named exits and arrows",
    withFlow(approval(), async ({ page }) => {
      await see(card(page, "ask").getByText("approved"), card(page, "ask").getByText("rejected"));
      await see(card(page, "check").getByText("Too short"), card(page, "memo").getByText("twice"));
      expect(await page.locator(".ff-wire[marker-end]").count()).toBe(6);
      await expect.poll(async () => Math.max(...(await wireGaps(page)))).toBeLessThan(1);
    }),
  );

  it(
    "stays light with 500 nodes and reaches those out of sight",
    withFlow(
      longFlow(500),
      async ({ page }) => {
        await see(card(page, "Step-000"));
        await page.keyboard.press("0");
        await expect.poll(() => zoom(page)).toBe("100%");
        await expect.poll(() => cards(page).count()).toBeLessThan(40);
        await openPanel(page, "Outline");
        await dock(page, "Outline").getByRole("searchbox").fill("Step 498");
        await see(dock(page, "Outline").getByText("1 node found"));
        await dock(page, "Outline")
          .getByRole("button", { name: /Step 498/ })
          .click();
        await see(card(page, "Step-498"));
        await card(page, "Step-498").focus();
        await page.keyboard.press("ArrowRight");
        await expect.poll(() => focusedNode(page)).toBe("Step-499");
      },
      { size: { width: 1440, height: 900 } },
    ),
  );
});

describe("the inspector and the outline", () => {
  it(
    "show every field and lead to the neighbours",
    withFlow(chat(), async ({ page }) => {
      const inspector = await inspect(page, "Model-1");
      await see(inspector.getByText("Receives from"));
      expect(await inspector.getByRole("textbox", { name: "System message" }).inputValue()).toBe("Be brief.");
      await inspector.getByText("1 advanced field").click();
      await see(inspector.getByText("Secret", { exact: true }));
      expect(await page.content()).not.toContain("sk-live-123");
      await inspector.getByRole("button", { name: "Chat Input · message" }).first().click();
      await see(inspector.getByRole("heading", { name: "Chat Input" }));
      expect(await card(page, "ChatInput-1").getAttribute("data-selected")).toBe("true");
    }),
  );

  it(
    "list the flow in reading order, and find nodes by name, type and what is in their fields",
    withFlow(chat(), async ({ page }) => {
      await see(card(page, "Model-1"));
      await page.keyboard.press("Control+f");
      const search = dock(page, "Outline").getByRole("searchbox");
      await expect.poll(() => search.evaluate((box) => box === box.ownerDocument.activeElement)).toBe(true);
      const list = dock(page, "Outline").getByRole("list", { name: "Nodes in reading order" });
      const titles = await list.locator(":scope > li > button").allInnerTexts();
      expect(titles.map((title) => title.split("\n")[0])).toEqual([
        "Chat Input",
        "Language Model",
        "Chat Output",
      ]);
      const selected = (): Promise<string | null> =>
        page.locator('[data-node-id][data-selected="true"]').getAttribute("data-node-id");
      for (const [words, id] of [["language", "Model-1"], ["chatinput", "ChatInput-1"], ["brief", "Model-1"], ["read me", "note-1"]] as const) {
        await page.keyboard.press("Control+f");
        await page.keyboard.type(words);
        await see(dock(page, "Outline").getByText("1 node found"));
        await page.keyboard.press("Enter");
        await expect.poll(selected).toBe(id);
      }
      await search.fill("chat");
      await see(dock(page, "Outline").getByText("2 nodes found"));
      await page.keyboard.press("Enter");
      await expect.poll(selected).toBe("ChatInput-1");
      await page.keyboard.press("Enter");
      await expect.poll(selected).toBe("ChatOutput-1");
      await page.keyboard.press("Shift+Enter");
      await expect.poll(selected).toBe("ChatInput-1");
      await search.fill("sk-live");
      await see(dock(page, "Outline").getByText("0 nodes found"));
    }),
  );
});

describe("documents that cannot all be drawn", () => {
  const broken = {
    nodes: [
      component("Fine-1", {
        template: { f: field("f", { input_types: ["Message"] }) },
        outputs: [output("o", ["Message"])],
      }),
      { id: "odd", type: "rocket", position: { x: 500, y: 0 }, data: {} },
      { id: "bare", type: "genericNode", position: { x: 0, y: 500 }, data: {} },
    ],
    edges: [
      edge("Fine-1", "nothing", "Fine-1", "f"),
      edge("Fine-1", "o", "missing", "f"),
      edge("odd", "fire", "Fine-1", "f"),
    ],
  };

  it(
    "say what is missing and why",
    withFlow(broken, async ({ page }) => {
      await see(
        card(page, "odd")
          .getByText(/rocket/)
          .last(),
        card(page, "bare"),
      );
      const panel = await openBottom(page, "Problems");
      await see(panel.getByText("Wire 2 leads to a node that is not there: missing."));
      await see(panel.getByText("Wire 1 ends at a port that Fine does not have: nothing."));
      await panel.getByRole("button", { name: "Show" }).first().click();
      await expect.poll(() => page.locator("[data-selected]").count()).toBe(1);
    }),
  );

  it(
    "an empty flow offers three ways in; locked, it only says that it is empty",
    withFlow({ nodes: [], edges: [] }, async ({ page }) => {
      const begin = page.getByRole("region", { name: "How do you want to begin?" });
      await see(begin.getByRole("textbox"), begin.getByRole("button", { name: "Start from a template" }));
      await see(begin.getByRole("button", { name: "Add the first node" }));
      await page.getByRole("button", { name: "Lock the flow" }).click();
      await see(page.getByText("It is locked. Unlock it to add nodes."), page.getByText("Locked", { exact: true }));
      await gone(begin, page.getByRole("complementary", { name: "Components" }));
    }),
  );

  it(
    "a flow that is not there has a page of its own",
    withFlow({ nodes: [], edges: [] }, async ({ page, server, expectErrors }) => {
      expectErrors(/404/);
      await page.goto(`${server.url}/flow/00000000-0000-4000-8000-000000000000`);
      await see(page.getByRole("heading", { name: "This flow is not here" }));
    }),
  );
});

describe.each(["light", "dark"] as const)("accessibility, %s", (theme) => {
  const colours = ["amber", "neutral", "rose", "blue", "lime", "transparent", "#123456", "#fedcba"];
  const document = chat() as { nodes: unknown[]; edges: unknown[] };
  const nodes = [
    ...document.nodes,
    ...colours.map((colour, index) =>
      note(`n-${index}`, `## ${colour}\nText with \`code\` and a [link](https://example.org).`, colour, [
        index * 320,
        400,
      ]),
    ),
    component("Tool-1", {
      at: [0, 700],
      tool_mode: true,
      legacy: true,
      beta: true,
      frozen: true,
      outputs: [output("component_as_tool", ["Tool"])],
    }),
    component("Ports-1", {
      at: [480, 700],
      outputs: ["Data", "DataFrame", "Embeddings", "LanguageModel", "Memory", "Retriever"].map((type) =>
        output(type, [type], { group_outputs: true }),
      ),
    }),
  ];

  it(
    "of cards, notes and ports of every kind",
    withFlow(
      { ...document, nodes },
      async ({ page }) => {
        await see(card(page, "Model-1"));
        await page.keyboard.press("0");
        await expectAccessible(page);
        await page.keyboard.press("1");
        const inspector = await inspect(page, "Model-1");
        await inspector.getByText("1 advanced field").click();
        await inspector.getByText("Raw JSON").click();
        await expectAccessible(page);
      },
      { theme, size: { width: 1600, height: 1000 } },
    ),
  );
});

import { describe, expect, it } from "vitest";
import { palette, port, pull, ready, saved, savedFlow, savedState, searchComponents, threeSteps, twoEnds } from "./editorSupport";
import { card, cards, dock, FLOW_ID, settled, wires, withFlow } from "./flowSupport";
import { gone, see } from "./harness";

const empty = { nodes: [], edges: [] };

describe("building", () => {
  it(
    "adds components with the keyboard, wires them by hand, runs them, and has it all after a reload",
    withFlow(empty, async ({ page, server }) => {
      await ready(page);
      await searchComponents(page);
      await page.keyboard.type("chat input");
      await see(palette(page).getByText("Chat Input", { exact: true }).first());
      await page.keyboard.press("Enter");
      await expect.poll(() => cards(page).count()).toBe(1);
      await palette(page).getByRole("searchbox").or(palette(page).getByRole("textbox")).first().fill("chat output");
      await palette(page).getByText("Chat Output", { exact: true }).first().dragTo(page.locator(".react-flow__pane"), {
        targetPosition: { x: 820, y: 200 },
      });
      await expect.poll(() => cards(page).count()).toBe(2);

      const flow = await saved(server, ({ data }) => data.nodes.length === 2);
      const [input, output] = ["ChatInput", "ChatOutput"].map(
        (type) => flow.data.nodes.find((node) => node.id.startsWith(type))?.id ?? "",
      );
      await pull(page, port(page, input ?? "", "out", "Chat Message"), port(page, output ?? "", "in", "Inputs"));
      await expect.poll(() => wires(page).count()).toBe(1);
      await see(card(page, output ?? "").getByText("Receiving input"));

      await card(page, input ?? "").getByRole("textbox", { name: "Input Text" }).fill("Good morning");
      await saved(server, ({ data }) => data.edges.length === 1 && JSON.stringify(data).includes("Good morning"));
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await see(card(page, output ?? "").getByText(/Done/).first());

      await page.reload();
      await ready(page);
      await expect.poll(() => cards(page).count()).toBe(2);
      await expect.poll(() => wires(page).count()).toBe(1);
      expect(await card(page, input ?? "").getByRole("textbox", { name: "Input Text" }).inputValue()).toBe("Good morning");
    }),
  );

  it(
    "puts a new card where no other stands",
    withFlow(empty, async ({ page, server }) => {
      await ready(page);
      for (let round = 0; round < 3; round += 1) {
        await searchComponents(page);
        await page.keyboard.type("calculator");
        await see(palette(page).getByText("Calculator", { exact: true }).first());
        await page.keyboard.press("Enter");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await expect.poll(() => cards(page).count()).toBe(round + 1);
      }
      const { data } = await saved(server, (flow) => flow.data.nodes.length === 3);
      const places = data.nodes.map(({ position }) => position);
      for (const [index, one] of places.entries())
        for (const other of places.slice(index + 1))
          expect(Math.abs(one.x - other.x) >= 320 || Math.abs(one.y - other.y) >= 90).toBe(true);
    }),
  );

  it(
    "offers what fits when a wire is let go over nothing, and wires it",
    withFlow(empty, async ({ page, server }) => {
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      await pull(page, port(page, "ChatInput-a", "out", "Chat Message"), { dx: 60, dy: 180 });
      const search = page.getByPlaceholder("Add a node");
      await see(search);
      await search.fill("agent");
      await page.keyboard.press("Enter");
      await expect.poll(() => wires(page).count()).toBe(1);
      const flow = await saved(server, ({ data }) => data.edges.length === 1);
      expect(flow.data.edges[0]).toMatchObject({ source: "ChatInput-a" });
    }),
  );

  it(
    "says why a wire does not fit, and dims where it cannot go",
    withFlow(empty, async ({ page, server }) => {
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      const from = port(page, "ChatInput-a", "out", "Chat Message");
      const box = await settled(() => from.boundingBox());
      await page.mouse.move((box?.x ?? 0) + 8, (box?.y ?? 0) + 8);
      await page.mouse.down();
      await page.mouse.move((box?.x ?? 0) + 40, (box?.y ?? 0) + 60, { steps: 4 });
      expect(await port(page, "ChatOutput-b", "in", "Inputs").getAttribute("data-fit")).toBe("yes");
      expect(await port(page, "ChatOutput-b", "out", "Output Message").getAttribute("data-fit")).toBe("no");
      await page.keyboard.press("Escape");
      await page.mouse.up();
    }),
  );
});

describe("changing", () => {
  it(
    "moves, undoes and redoes, also after a reload",
    withFlow(threeSteps(), async ({ page, server }) => {
      await ready(page);
      const title = card(page, "Two").getByText("Two", { exact: true }).first();
      await pull(page, title, { dx: 0, dy: 120 });
      await saved(server, ({ data }) => (data.nodes[1]?.position.y ?? 0) > 50);
      await see(savedState(page).getByText(/Saved/));
      await page.reload();
      await ready(page);
      await page.getByRole("button", { name: "Undo" }).click();
      await saved(server, ({ data }) => data.nodes[1]?.position.y === 0);
      await page.keyboard.press("Control+Shift+z");
      await saved(server, ({ data }) => (data.nodes[1]?.position.y ?? 0) > 50);
    }),
  );

  it(
    "deletes nodes with their wires, and one wire alone",
    withFlow(threeSteps(), async ({ page, server }) => {
      await ready(page);
      await page.locator(".react-flow__edge").first().click({ force: true });
      await page.getByRole("button", { name: "Remove wire" }).click();
      await expect.poll(() => wires(page).count()).toBe(1);
      await card(page, "Three").getByText("Three", { exact: true }).first().click();
      await page.keyboard.press("Delete");
      await expect.poll(() => cards(page).count()).toBe(2);
      await saved(server, ({ data }) => data.nodes.length === 2 && data.edges.length === 0);
      await page.keyboard.press("Control+z");
      await page.keyboard.press("Control+z");
      await saved(server, ({ data }) => data.nodes.length === 3 && data.edges.length === 2);
    }),
  );

  it(
    "copies nodes as text from one flow and puts them into another",
    withFlow(threeSteps(), async ({ page, server, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await ready(page);
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+c");
      await see(page.getByText("3 nodes copied"));
      const other = (await server.call("POST", "/api/v1/flows/", { name: "Other", data: empty })) as { id: string };
      const second = await context.newPage();
      await second.goto(`${server.url}/flow/${other.id}`);
      await ready(second);
      await second.locator(".ff-canvas").focus();
      await second.keyboard.press("Control+v");
      await expect.poll(() => cards(second).count()).toBe(3);
      await expect.poll(async () => (await savedFlow(server, other.id)).data.edges.length).toBe(2);
      const ids = (await savedFlow(server, other.id)).data.nodes.map(({ id }) => id);
      expect(ids).not.toContain("One");
    }),
  );

  it(
    "refuses nonsense from the clipboard with a sentence",
    withFlow(threeSteps(), async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await ready(page);
      await page.evaluate(() => navigator.clipboard.writeText("not a flow"));
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Control+v");
      await see(page.getByText("The clipboard holds text, but no nodes"));
      expect(await cards(page).count()).toBe(3);
    }),
  );

  it(
    "groups, takes apart, duplicates, minimises, renames and freezes",
    withFlow(threeSteps(), async ({ page, server }) => {
      await ready(page);
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Control+g");
      await expect.poll(() => cards(page).count()).toBe(1);
      await page.keyboard.press("Control+Shift+g");
      await expect.poll(() => cards(page).count()).toBe(3);
      await page.keyboard.press("Escape");

      await card(page, "Two").getByText("Two", { exact: true }).first().click();
      const bar = page.getByRole("toolbar", { name: "Actions for Two" });
      await bar.getByRole("button", { name: "Freeze" }).click();
      await bar.getByRole("button", { name: "Minimise" }).click();
      await page.keyboard.press("F2");
      const name = page.getByRole("textbox", { name: "Name of the node" });
      await name.fill("Second");
      await name.press("Enter");
      await saved(server, ({ data }) => data.nodes.some((node) => node.data.node.display_name === "Second"));
      await page.keyboard.press("Control+d");
      await expect.poll(() => cards(page).count()).toBe(4);
    }),
  );

  it(
    "writes notes in markdown, gives them a colour, and keeps script out",
    withFlow(empty, async ({ page, server }) => {
      await ready(page);
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Shift+s");
      const text = page.getByRole("textbox", { name: "Text of the note" });
      await text.fill("# Plan\n\n<img src=x onerror=\"window.hacked = true\">**bold** [bad](javascript:alert(1))");
      await page.keyboard.press("Escape");
      await see(page.getByText("Plan", { exact: true }));
      await page.getByRole("button", { name: "Rose" }).click();
      await saved(server, ({ data }) => JSON.stringify(data).includes('"backgroundColor":"rose"'));
      expect(await page.evaluate(() => "hacked" in window)).toBe(false);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    }),
  );

  it(
    "arranges the flow from left to right, as one step",
    withFlow({ ...threeSteps(), nodes: (threeSteps().nodes as { position: { x: number } }[]).map((node) => ({ ...node, position: { x: 0, y: 0 } })) }, async ({ page, server }) => {
      await ready(page);
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Shift+l");
      const { data } = await saved(server, (flow) => (flow.data.nodes[2]?.position.x ?? 0) > 400);
      const xs = data.nodes.map(({ position }) => position.x);
      expect(xs).toEqual([...xs].sort((a, b) => a - b));
      await page.keyboard.press("Control+z");
      await saved(server, (flow) => flow.data.nodes.every(({ position }) => position.x === 0));
    }),
  );
});

describe("nothing is lost", () => {
  it(
    "keeps what was typed while the server was gone",
    withFlow(empty, async ({ page, server, expectErrors }) => {
      expectErrors(/Failed to load resource|ERR_CONNECTION/);
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      await server.kill();
      await card(page, "ChatInput-a").getByRole("textbox", { name: "Input Text" }).fill("written offline");
      await see(savedState(page).getByText(/Not saved yet/));
      await server.startAgain();
      await saved(server, ({ data }) => JSON.stringify(data).includes("written offline"));
    }),
  );

  it(
    "brings two tabs together, and asks where they contradict",
    withFlow(empty, async ({ page, server, context, expectErrors }) => {
      expectErrors(/409|412/);
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      const second = await context.newPage();
      await second.goto(`${server.url}/flow/${FLOW_ID}`);
      await ready(second);
      await second.locator(".ff-canvas").focus();
      await second.keyboard.press("Shift+s");
      await second.getByRole("textbox", { name: "Text of the note" }).fill("from the other tab");
      await saved(server, ({ data }) => JSON.stringify(data).includes("from the other tab"));
      await see(page.getByText("from the other tab"));

      // Both type into the same field before either has heard of the other.
      await context.setOffline(false);
      const { data, revision } = await savedFlow(server);
      const theirs = structuredClone(data);
      const field = theirs.nodes.find(({ id }) => id === "ChatInput-a")?.data.node.template.input_value;
      if (field) field.value = "theirs";
      await card(page, "ChatInput-a").getByRole("textbox", { name: "Input Text" }).fill("mine");
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: theirs });
      expect(revision).toBeGreaterThan(0);
      const dialog = page.getByRole("dialog", { name: "Somebody else changed the same" });
      const decided = await Promise.race([
        dialog.waitFor().then(() => true),
        saved(server, (flow) => JSON.stringify(flow.data).includes('"mine"')).then(() => false),
      ]);
      if (decided) {
        await dialog.getByRole("button", { name: "Keep mine", exact: true }).click();
        await saved(server, (flow) => JSON.stringify(flow.data).includes('"mine"'));
        await gone(dialog);
      }
    }),
  );

  it(
    "shows a node of an unknown kind, and keeps it when something else is saved",
    withFlow(
      {
        nodes: [
          ...(threeSteps().nodes as object[]),
          { id: "Odd-1", type: "somethingElse", position: { x: 0, y: 400 }, data: { secretSauce: { a: [1, 2] } } },
        ],
        edges: [],
      },
      async ({ page, server }) => {
        await ready(page);
        await see(card(page, "Odd-1"));
        await pull(page, card(page, "One").getByText("One", { exact: true }).first(), { dx: 0, dy: -80 });
        const { data } = await saved(server, (flow) => (flow.data.nodes[0]?.position.y ?? 0) < -20);
        expect(data.nodes.find(({ id }) => id === "Odd-1")?.data).toEqual({ secretSauce: { a: [1, 2] } });
      },
    ),
  );

  it(
    "lets nobody change a locked flow",
    withFlow(threeSteps(), async ({ page, server }) => {
      await ready(page);
      const before = await savedFlow(server);
      await card(page, "Two").getByText("Two", { exact: true }).first().click();
      await page.keyboard.press("Delete");
      expect(await cards(page).count()).toBe(3);
      expect((await savedFlow(server)).revision).toBe(before.revision);
    }, { more: { locked: true } }),
  );
});

describe("around the canvas", () => {
  it(
    "leaves Enter to the button that has the focus, and keys in a panel to the panel",
    withFlow(threeSteps(), async ({ page }) => {
      await ready(page);
      await card(page, "Two").getByText("Two", { exact: true }).first().click();
      await page.getByRole("button", { name: "Outline", exact: true }).focus();
      await page.keyboard.press("Enter");
      await see(dock(page, "Outline"));
      await dock(page, "Outline").getByRole("button", { name: "Close" }).focus();
      await page.keyboard.press("Delete");
      // Nothing was done that could be undone.
      expect(await page.getByRole("button", { name: "Undo" }).isDisabled()).toBe(true);
    }),
  );

  it(
    "sets fields in the inspector, and connects without a mouse",
    withFlow(empty, async ({ page, server }) => {
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      await page.locator(".ff-canvas").focus();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const inspector = dock(page, "Inspector");
      await inspector.getByRole("textbox", { name: "Input Text" }).fill("from the inspector");
      await inspector.getByRole("button", { name: "Connect Chat Message" }).click();
      await page.getByRole("menuitem", { name: "Chat Output · Inputs" }).click();
      await expect.poll(() => wires(page).count()).toBe(1);
      await saved(server, ({ data }) => data.edges.length === 1 && JSON.stringify(data).includes("from the inspector"));
    }),
  );

  it(
    "lists what stands in the way of a run, and leads there",
    withFlow(empty, async ({ page, server }) => {
      await server.call("PATCH", `/api/v1/flows/${FLOW_ID}`, { data: await twoEnds(server) });
      await page.reload();
      await ready(page);
      await page.getByRole("button", { name: /^Problems/ }).click();
      const list = page.getByRole("region", { name: "Problems" });
      await list.getByRole("button").first().click();
      await expect.poll(() => page.locator('[data-node-id][data-selected="true"]').count()).toBe(1);
    }),
  );
});

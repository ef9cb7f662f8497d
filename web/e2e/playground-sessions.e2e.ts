import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, FLOW_ID } from "./flowSupport";
import { gone, see } from "./harness";
import { conversation, field, fromEnd, idle, put, said, say, sessionList, withExample } from "./playgroundSupport";

const articles = (page: Page) => conversation(page).getByRole("article");

describe("sessions", () => {
  it("are deleted together, and put back", withExample("Echo", async ({ page, server }) => {
    for (const session of ["One", "Two", "Three"]) await put(server, `In ${session}`, { session_id: session });
    await page.reload();
    const list = sessionList(page);
    await see(list.getByRole("button", { name: "Three", exact: true }));
    await list.getByRole("button", { name: "Select sessions" }).click();
    await list.getByRole("checkbox", { name: "Select One" }).check();
    await list.getByRole("checkbox", { name: "Select Two" }).check();
    await expectAccessible(page);
    await list.getByRole("button", { name: "Delete 2 sessions" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete 2 sessions" }).click();
    await gone(list.getByRole("button", { name: "One", exact: true }));
    await see(list.getByRole("button", { name: "Three", exact: true }));
    await page.getByRole("button", { name: "Undo" }).click();
    await list.getByRole("button", { name: "One", exact: true }).click();
    await see(said(page, "User").getByText("In One"));
  }));

  it("say so when one was deleted elsewhere, and what is typed stays", withExample("Echo", async ({ page, server, expectErrors }) => {
    expectErrors(/404/);
    await say(page, "Before");
    await see(said(page, "AI").getByText("Before"));
    await idle(page);
    await field(page).fill("After");
    await server.call("DELETE", `/api/v1/monitor/messages/session/${FLOW_ID}?flow_id=${FLOW_ID}`);
    await said(page, "User").hover();
    await said(page, "User").getByRole("button", { name: "Delete" }).click();
    await see(page.getByText("This session was deleted elsewhere."));
    expect(await articles(page).count()).toBe(0);
    expect(await field(page).inputValue()).toBe("After");
    await field(page).press("Enter");
    await see(said(page, "AI").getByText("After"));
    await gone(page.getByText("This session was deleted elsewhere."));
  }));

  it("work where the browser keeps nothing", withExample("Echo", async ({ page, context }) => {
    await context.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("Refused", "SecurityError");
          },
        });
      }
    });
    await page.reload();
    await sessionList(page).getByRole("button", { name: "New session", exact: true }).click();
    await say(page, "Nothing is kept");
    await see(said(page, "AI").getByText("Nothing is kept"));
    await idle(page);
    await sessionList(page).getByRole("button", { name: "Default session", exact: true }).click();
    await see(page.getByRole("heading", { name: "Nothing said yet" }));
    await sessionList(page).getByRole("button", { name: "New session 1", exact: true }).click();
    await see(said(page, "AI").getByText("Nothing is kept"));
  }));

  it("keep what is typed through a reload", withExample("Echo", async ({ page }) => {
    await field(page).fill("Half a sent");
    await page.reload();
    await see(field(page));
    expect(await field(page).inputValue()).toBe("Half a sent");
  }));
});

describe("files", () => {
  const drag = (page: Page, type: string, files: { name: string; type: string; bytes: number[]; size?: number }[]) =>
    conversation(page).evaluate(
      (box, [kind, list]) => {
        const transfer = new DataTransfer();
        for (const file of list) {
          const rest = new Uint8Array(file.size ?? 0);
          transfer.items.add(new File([new Uint8Array(file.bytes), rest], file.name, { type: file.type }));
        }
        box.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      },
      [type, files] as const,
    );
  const dot = [...Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64")];

  it("are dropped on the conversation, and those that are too large are refused with the reason", withExample(
    "Echo",
    async ({ page }) => {
      const files = [
        { name: "dot.png", type: "image/png", bytes: dot },
        { name: "big.bin", type: "application/octet-stream", bytes: [], size: 1_100_000 },
      ];
      await drag(page, "dragenter", files);
      await see(page.getByText("Drop files to attach them"));
      await drag(page, "drop", files);
      await gone(page.getByText("Drop files to attach them"));
      await see(page.getByRole("alert").getByText("Too large: files may have at most 1 MB."));
      await page.getByRole("button", { name: "Remove big.bin" }).click();
      await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
      await say(page, "A picture");
      await see(said(page, "User").getByRole("img", { name: "dot.png" }));
    },
    { args: ["--max-upload-mb", "1"] },
  ));
});

describe("a long conversation", () => {
  it("is loaded from its end, grows upwards without a jump, and comes back down", withExample(
    "Echo",
    async ({ page, server }) => {
      for (let index = 0; index < 180; index += 1) {
        const machine = index % 2 === 1;
        await put(server, `Message ${index}.`, {
          sender: machine ? "Machine" : "User",
          sender_name: machine ? "AI" : "User",
        });
      }
      await page.reload();
      await see(page.getByText("Message 179.", { exact: true }));
      expect(await articles(page).count()).toBe(50);
      await expect.poll(() => fromEnd(page)).toBeLessThan(5);

      await conversation(page).hover();
      await page.mouse.wheel(0, -1500);
      await see(page.getByRole("button", { name: "Jump to latest" }));
      // Where the first message in view is, while others come before it.
      const place = () =>
        conversation(page).evaluate((box) => {
          const top = box.getBoundingClientRect().top;
          const first = [...box.querySelectorAll("article")].find((item) => item.getBoundingClientRect().top >= top);
          return first ? `${first.textContent?.match(/Message \d+/)?.[0]} ${Math.round(first.getBoundingClientRect().top)}` : "";
        });
      await conversation(page).evaluate((box) => box.scrollTo(0, 1300));
      await expect.poll(() => conversation(page).evaluate((box) => box.scrollTop)).toBeGreaterThan(0);
      const before = await place();
      await conversation(page).evaluate((box) => box.scrollTo(0, box.scrollTop - 200));
      await expect.poll(() => articles(page).count()).toBeGreaterThan(50);
      await conversation(page).evaluate((box) => box.scrollTo(0, box.scrollTop + 200));
      await expect.poll(place).toBe(before);

      for (let more = 0; more < 4; more += 1) await conversation(page).evaluate((box) => box.scrollTo(0, 0));
      await expect.poll(() => articles(page).count(), { timeout: 10_000 }).toBe(180);
      await conversation(page).evaluate((box) => box.scrollTo(0, 0));
      await see(page.getByText("Message 0.", { exact: true }));
      await page.getByRole("button", { name: "Jump to latest" }).click();
      await expect.poll(() => fromEnd(page)).toBeLessThan(50);
      await gone(page.getByRole("button", { name: "Jump to latest" }));
    },
  ));
});

describe("leave to use a tool", () => {
  const approve = {
    change: (data: { nodes: { data: { type: string; node: { template: Record<string, unknown> } } }[] }) => {
      for (const { data: node } of data.nodes) {
        if (node.type !== "CalculatorComponent") continue;
        const row = { name: "evaluate_expression", tags: ["evaluate_expression"], status: true, approval: true };
        node.node.template.tools_metadata = { type: "table", value: [row] };
      }
    },
  };
  const card = (page: Page) => page.getByRole("region", { name: "Agent asks for your leave" });

  it("is given with other arguments", withExample("Simple agent", async ({ page }) => {
    await say(page, "What is 17 * 23?");
    await see(card(page).getByText(/evaluate_expression runs with these arguments/));
    await card(page).getByRole("button", { name: "Edit arguments" }).click();
    const args = card(page).getByRole("textbox", { name: "Arguments" });
    await args.fill("{");
    await see(card(page).getByText(/JSON/));
    expect(await card(page).getByRole("button", { name: "Approve" }).getAttribute("aria-disabled")).toBe("true");
    await args.fill('{"expression": "2 * 500"}');
    await expectAccessible(page);
    await card(page).getByRole("button", { name: "Approve" }).click();
    await gone(card(page));
    await idle(page);
    await said(page, "AI").last().getByText("Used evaluate_expression").click();
    await see(page.getByRole("group", { name: "Output" }).getByText("1000"));
  }, approve));

  it("is refused with a reason, also after the server was started again", withExample(
    "Simple agent",
    async ({ page, server, expectErrors }) => {
      expectErrors(/Failed to load resource/);
      await say(page, "What is 17 * 23?");
      await see(card(page));
      await server.kill();
      await server.startAgain();
      await page.reload();
      await see(card(page));
      await card(page).getByRole("button", { name: "Reject" }).click();
      await card(page).getByRole("textbox", { name: "Reason (the agent is told)" }).fill("Not today");
      await card(page).getByRole("button", { name: "Reject" }).click();
      await gone(card(page));
      await idle(page);
    },
    approve,
  ));
});

import { describe, expect, it } from "vitest";
import { expectAccessible, FLOW_ID, putFlow } from "./flowSupport";
import { gone, see, withApp } from "./harness";
import { ask, conversation, field, idle, many, said, say, stop, withExample } from "./playgroundSupport";

describe("the drawer", () => {
  const path = `/flow/${FLOW_ID}`;

  it("opens beside the flow, chats, and closes", withExample("Basic prompting", async ({ page }) => {
    const button = page.getByRole("button", { name: "Playground", exact: true });
    await button.click();
    const drawer = page.getByRole("complementary", { name: "Playground" });
    await see(drawer.getByRole("heading", { name: "Nothing said yet" }));
    await expect.poll(() => field(page).evaluate((area) => area === document.activeElement)).toBe(true);
    await page.keyboard.type("first line");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("second line");
    await page.keyboard.press("Enter");
    await see(said(page, "User").getByText("first line second line"));
    await see(said(page, "AI").getByText(/You wrote: “first line/));
    await idle(page);
    expect(await field(page).inputValue()).toBe("");

    await field(page).fill("not sent yet");
    await page.keyboard.press("Escape");
    await gone(drawer);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.locator("body").press("Shift+P");
    await see(drawer);
    expect(await field(page).inputValue()).toBe("not sent yet");
    await drawer.getByRole("link", { name: "Open on its own page" }).click();
    await see(page.getByRole("heading", { level: 1, name: "Playground" }));
    expect(await field(page).inputValue()).toBe("not sent yet");
    expect(await said(page, "AI").count()).toBe(1);
  }, { path }));

  it("cannot be opened where nothing could be said, and says why", withApp(
    { path, seed: (server) => putFlow(server, { nodes: [], edges: [] }) },
    async ({ page }) => {
      const button = page.getByRole("button", { name: "Playground", exact: true });
      expect(await button.getAttribute("aria-disabled")).toBe("true");
      await button.hover({ force: true });
      await see(page.getByRole("tooltip").getByText(/needs a Chat Input or a Chat Output/));
      await button.click({ force: true });
      await page.locator("body").press("Shift+P");
      expect(await page.getByRole("complementary", { name: "Playground" }).count()).toBe(0);
    },
  ));
});

describe("a message", () => {
  it("is answered word by word, and all of it is there after a reload", withExample(
    "Basic prompting",
    async ({ page }) => {
      await say(page, many);
      const answer = said(page, "AI");
      await see(stop(page), answer.getByText("word3"));
      expect(await answer.textContent()).not.toContain("word79");
      await see(answer.getByText("Rehearsal, not an AI", { exact: true }));
      await idle(page);
      const figures = answer.getByRole("note", { name: "Tokens, cost and time" });
      await see(figures);
      const before = await figures.textContent();
      expect(before).toMatch(/^\d+ → \d+ tokens · [\d.]+s$/);
      const text = await answer.locator(".ff-markdown").textContent();

      await page.reload();
      await see(figures);
      expect(await figures.textContent()).toBe(before);
      expect(await answer.locator(".ff-markdown").textContent()).toBe(text);
      expect(await said(page, "User").count()).toBe(1);
      expect(await answer.count()).toBe(1);
    },
  ));

  it("goes on being answered through a reload in the middle", withExample("Basic prompting", async ({ page }) => {
    await say(page, many);
    await see(said(page, "AI").getByText("word3"));
    await page.reload();
    await see(stop(page));
    await idle(page);
    await see(said(page, "AI").getByText(/for a real answer/));
    expect(await conversation(page).getByRole("article").count()).toBe(2);
  }));

  it("is stopped, and what had come stays", withExample("Basic prompting", async ({ page }) => {
    await say(page, many);
    await see(said(page, "AI").getByText("word3"));
    await stop(page).click();
    await idle(page);
    await see(said(page, "AI").getByText(/^(Stopped|It broke off) here\.$/));
    await see(said(page, "AI").getByText("word3"));
    await page.reload();
    await see(said(page, "AI").getByText("word3"));
    expect(await page.getByRole("alert").count()).toBe(0);
  }));

  it("shows what a tool was given and gave", withExample("Simple agent", async ({ page }) => {
    await ask(page, "What is 17 * 23?");
    const tool = said(page, "AI").getByText("Used evaluate_expression");
    for (const when of ["now", "after a reload"]) {
      await tool.click();
      await see(
        page.getByRole("group", { name: "Input" }).getByText("17 * 23"),
        page.getByRole("group", { name: "Output" }).getByText("391"),
      );
      expect(await said(page, "AI").getByText("The tool").count(), when).toBe(1);
      await page.reload();
      await see(tool);
    }
  }));

  it("carries files: pictures are shown, what is none is named", withExample("Echo", async ({ page }) => {
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await page.getByLabel("Attach files").and(page.locator("input")).setInputFiles([
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Remember the milk.") },
      { name: "dot.png", mimeType: "image/png", buffer: Buffer.from(dot, "base64") },
      { name: "fake.png", mimeType: "image/png", buffer: Buffer.from("not a picture") },
    ]);
    await see(page.getByRole("button", { name: "Remove notes.txt" }));
    await expect.poll(() => page.getByRole("button", { name: /^Remove/ }).count()).toBe(3);
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    await say(page, "See the notes");
    await idle(page);
    const mine = said(page, "User");
    for (const when of ["now", "after a reload"]) {
      await see(
        mine.getByRole("link", { name: "notes.txt" }),
        mine.getByRole("img", { name: "dot.png" }),
        mine.getByText("fake.png"),
      );
      expect(await mine.getByRole("img").count(), when).toBe(1);
      await page.reload();
    }
    expect(await page.getByRole("button", { name: "Remove notes.txt" }).count()).toBe(0);
  }));

  it("is edited and deleted, and the deletion undone", withExample("Echo", async ({ page }) => {
    await say(page, "Good morning");
    await see(said(page, "AI").getByText("Good morning"));
    await idle(page);
    await said(page, "User").hover();
    await said(page, "User").getByRole("button", { name: "Edit" }).click();
    const text = page.getByRole("textbox", { name: "Text of the message" });
    await text.fill("thrown away");
    await text.press("Escape");
    await see(said(page, "User").getByText("Good morning"));
    await said(page, "User").getByRole("button", { name: "Edit" }).click();
    await text.fill("Good evening");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await see(said(page, "User").getByText("Good evening"), said(page, "User").getByText("edited"));

    await said(page, "AI").hover();
    await said(page, "AI").getByRole("button", { name: "Delete" }).click();
    await gone(said(page, "AI"));
    await page.getByRole("button", { name: "Undo" }).click();
    await see(said(page, "AI").getByText("Good morning"));
    await page.reload();
    await see(said(page, "User").getByText("Good evening"), said(page, "AI").getByText("Good morning"));
  }));

  it("cannot bring script or pictures into the page", withExample("Echo", async ({ page }) => {
    await say(
      page,
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [press](javascript:window.hacked=1) ![spy](https://example.com/spy.png) **bold**',
    );
    await see(said(page, "AI").locator("strong", { hasText: "bold" }));
    await idle(page);
    expect(await conversation(page).locator("img, script, a[href^='javascript']").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  }));
});

describe("sessions", () => {
  it("are created, switched, renamed and deleted", withExample("Echo", async ({ page }) => {
    const list = page.getByRole("navigation", { name: "Sessions" });
    const open = (name: string) => list.getByRole("button", { name, exact: true }).click();
    await say(page, "In the default one");
    await see(said(page, "AI").getByText("In the default one"));
    await idle(page);
    await list.getByRole("button", { name: "New session", exact: true }).click();
    await see(page.getByRole("heading", { name: "Nothing said yet" }));
    await page.reload();
    await see(page.getByRole("heading", { name: "Nothing said yet" }));
    await say(page, "In the second");
    await see(said(page, "AI").getByText("In the second"));
    await idle(page);

    await open("Default session");
    await see(said(page, "AI").getByText("In the default one"));
    expect(await page.getByText("In the second").count()).toBe(0);

    await list.getByRole("button", { name: "Actions for New session 1" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).click();
    const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
    await name.fill("Default session");
    await name.fill("Trial");
    await name.press("Enter");
    await gone(page.getByRole("dialog"));
    await open("Trial");
    await see(said(page, "AI").getByText("In the second"));
    await page.reload();
    await see(said(page, "AI").getByText("In the second"));

    await list.getByRole("button", { name: "Actions for Trial" }).click();
    await page.getByRole("menuitem", { name: "Delete session" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete session" }).click();
    await gone(list.getByRole("button", { name: "Trial", exact: true }));
    await see(said(page, "AI").getByText("In the default one"));
  }));
});

describe("when something goes wrong", () => {
  it("the flow's error is said on the spot, with advice, and again after a reload", withExample(
    "Basic prompting",
    async ({ page }) => {
      await say(page, "Hello");
      for (const _ of ["now", "after a reload"]) {
        await see(
          conversation(page).getByText(/OpenAI needs its API key\.$/),
          conversation(page).getByText(/Set OPENAI_API_KEY in Settings/),
          conversation(page).getByRole("link", { name: "Open model providers" }),
          conversation(page).getByRole("button", { name: "Try again" }),
          said(page, "User").getByText("Hello"),
        );
        await expect.poll(() => conversation(page).getByText(/needs its API key/).count()).toBe(1);
        await page.reload();
      }
    },
    {
      change: (data) => {
        for (const { data: node } of data.nodes) {
          const model = node.node.template?.model;
          if (model) model.value = [{ name: "gpt-4o", provider: "OpenAI" }];
        }
      },
    },
  ));

  it("a message that could not be sent is back in its field", withExample("Echo", async ({ page, expectErrors }) => {
    expectErrors(/Failed to load resource/);
    await page.route("**/api/v2/workflows", (route) => route.abort());
    await say(page, "Is anybody there?");
    await see(conversation(page).getByRole("alert").getByText("The server did not answer."));
    expect(await field(page).inputValue()).toBe("Is anybody there?");
    expect(await conversation(page).getByRole("article").count()).toBe(0);
    await page.unroute("**/api/v2/workflows");
    await field(page).press("Enter");
    await see(said(page, "AI").getByText("Is anybody there?"));
    await idle(page);
    expect(await conversation(page).getByRole("article").count()).toBe(2);
    expect(await conversation(page).getByRole("alert").count()).toBe(0);
  }));

  it("a server that goes away in the middle is waited for", withExample(
    "Basic prompting",
    async ({ page, server, expectErrors }) => {
      expectErrors(/Failed to load resource/);
      await say(page, many);
      await see(said(page, "AI").getByText("word3"));
      const resumed: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith("/events")) resumed.push(request.headers()["last-event-id"] ?? "");
      });
      await server.kill();
      await see(
        conversation(page).getByRole("alert").getByText("The connection to the server is lost."),
        conversation(page).getByText("Trying to reach the server again…"),
      );
      await see(said(page, "AI").getByText("word3"));
      await server.startAgain();
      await idle(page);
      await gone(conversation(page).getByText("The connection to the server is lost."));
      await see(said(page, "User").getByText("word79"), said(page, "AI").last().getByText(/for a real answer/));
      expect(await said(page, "User").count()).toBe(1);
      expect(Number(resumed.at(-1))).toBeGreaterThan(0);
      const told = await conversation(page).getByRole("article").count();
      await page.reload();
      await see(said(page, "AI").last().getByText(/for a real answer/));
      expect(await conversation(page).getByRole("article").count()).toBe(told);
    },
  ));
});

it("a question of the flow is answered in the conversation", withExample("Human approval", async ({ page }) => {
  await say(page, "Send the letter");
  const card = page.getByRole("region", { name: "Ask someone waits for you" });
  await see(card.getByText("Send the letter"), card.getByText(/decides how it goes on/));
  await page.reload();
  await see(card);
  await card.getByRole("button", { name: "Approve" }).click();
  await gone(card);
  await idle(page);
  await see(said(page, "AI").last());
}));

it("a flow without a Chat Input is run by a button", withExample("Loop over rows", async ({ page }) => {
  expect(await field(page).count()).toBe(0);
  await see(page.getByText(/has no Chat Input/));
  await page.getByRole("button", { name: "Run flow" }).click();
  await see(said(page, "AI").first(), page.getByRole("button", { name: "Run flow" }));
  expect(await said(page, "User").count()).toBe(0);
}));

it("two tabs show the same answer while it is written", withExample("Basic prompting", async ({ page, context }) => {
  await say(page, many);
  await see(said(page, "AI").getByText("word3"));
  const other = await context.newPage();
  await other.goto(page.url());
  await see(stop(other), said(other, "AI").getByText("word3"));
  await idle(other);
  for (const tab of [page, other]) {
    await see(said(tab, "AI").getByText(/for a real answer/));
    expect(await conversation(tab).getByRole("article").count()).toBe(2);
  }
}));

it.each(["light", "dark"] as const)("is free of what axe finds in the %s theme", async (theme) => {
  await withExample(
    "Simple agent",
    async ({ page }) => {
      await page.getByRole("button", { name: "Playground", exact: true }).click();
      await ask(page, "What is 2 + 2?");
      await said(page, "AI").getByText(/^Used/).click();
      await expectAccessible(page);
    },
    { path: `/flow/${FLOW_ID}`, theme },
  )();
});

import { quantile } from "./support.mjs";

/** Runs before the page's own scripts: notes when the canvas first answers a key, and collects frames. */
export function watchPage() {
  const marks = { cards: null, interactive: null };
  let asked = 0;
  const look = (now) => {
    const card = document.querySelector(".react-flow__node [data-node-id]");
    if (card && marks.cards === null) marks.cards = now;
    if (card) {
      if (document.activeElement?.closest?.("[data-node-id]")) {
        marks.interactive = now;
        return;
      }
      // Not in every frame: a key that is under way is not to be asked for again.
      if (asked++ % 3 === 0) {
        const canvas = document.querySelector(".ff-canvas");
        canvas?.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", code: "Tab", bubbles: true, cancelable: true }));
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  const renders = new Map();
  window.ferroRenders = (id) => renders.set(id, (renders.get(id) ?? 0) + 1);

  let frames = null;
  let last = 0;
  let place = null;
  let before = false;
  let where = null;
  // Only frames in which something moved: on a busy machine the others wait for the next event and say nothing.
  const tick = (now) => {
    if (!frames) return;
    const here = where();
    // What a movement leaves to be drawn may take until the frame after it.
    const moved = here !== place;
    if (last > 0 && (moved || before)) frames.push(now - last);
    before = moved;
    place = here;
    last = now;
    requestAnimationFrame(tick);
  };
  window.__bench = {
    marks,
    startFrames: (selector) => {
      const element = document.querySelector(selector);
      where = () => `${element.style.transform} ${element.scrollTop} ${element.scrollHeight}`;
      frames = [];
      last = 0;
      requestAnimationFrame(tick);
    },
    stopFrames: () => {
      const seen = frames ?? [];
      frames = null;
      return seen;
    },
    clearRenders: () => renders.clear(),
    renders: () => Object.fromEntries(renders),
  };
}

/** Milliseconds from the navigation to the first frame in which the canvas has answered a key. */
export async function interactive(page, url) {
  await page.addInitScript(watchPage);
  const work = await workOf(page);
  const before = await work();
  await page.goto(url, { waitUntil: "commit" });
  const marks = await page.waitForFunction(() => (window.__bench?.marks.interactive === null ? null : window.__bench?.marks), null, {
    polling: 50,
  });
  return { ...(await marks.jsonValue()), work: (await work()) - before };
}

export async function settled(page) {
  await page.evaluate(
    () =>
      new Promise((done) => {
        let calm = 0;
        let before = performance.now();
        const tick = (now) => {
          calm = now - before < 25 ? calm + 1 : 0;
          before = now;
          if (calm >= 20 || now > 30_000) done(null);
          else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
      }),
  );
}

/** Milliseconds of processor time that the page's own thread has used: not what other programs took from it. */
export async function workOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find((metric) => metric.name === "ThreadTime")?.value ?? Number.NaN) * 1000;
  };
}

/** Frame times while `gesture` runs, and what the page's own thread did per frame. */
async function frames(page, moving, gesture) {
  const work = await workOf(page);
  const before = await work();
  await page.evaluate((selector) => window.__bench.startFrames(selector), moving);
  await gesture();
  const times = await page.evaluate(() => window.__bench.stopFrames());
  const after = await work();
  if (times.length < 30) throw new Error(`it moved in ${times.length} frames only`);
  return {
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    work: (after - before) / times.length,
  };
}

export async function heap(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1024 / 1024;
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

/** One event per frame of a 60 Hz screen, or fewer when the page cannot keep up. */
async function paced(count, step) {
  for (let index = 0; index < count; index++) await Promise.all([step(index), pause(16)]);
}

const STEPS = 120;

/** A place on the canvas where there is nothing but the canvas. */
function emptyPlace() {
  const box = document.querySelector(".react-flow__pane").getBoundingClientRect();
  for (let ring = 0; ring < 60; ring++) {
    for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, -1]]) {
      const x = box.left + box.width / 2 + dx * ring * 7;
      const y = box.top + box.height / 2 + dy * ring * 7;
      if (document.elementFromPoint(x, y)?.classList.contains("react-flow__pane")) return { x, y };
    }
  }
  return null;
}

const VIEWPORT = ".react-flow__viewport";

export async function pan(page) {
  const at = await page.evaluate(emptyPlace);
  if (!at) throw new Error("no empty place on the canvas to take hold of");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 8, at.y + 8);
  try {
    return await frames(page, VIEWPORT, () =>
      paced(STEPS, (index) => page.mouse.move(at.x + 8 + Math.sin(index / 12) * 220, at.y + 8 + Math.cos(index / 9) * 140)),
    );
  } finally {
    await page.mouse.up();
  }
}

export async function zoom(page) {
  const box = await page.locator(".react-flow__pane").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  // With Control the wheel zooms, whatever it does without.
  await page.keyboard.down("Control");
  try {
    return await frames(page, VIEWPORT, () =>
      paced(STEPS, (index) => page.mouse.wheel(0, Math.floor(index / 30) % 2 === 0 ? -14 : 14)),
    );
  } finally {
    await page.keyboard.up("Control");
  }
}

/** A card whose head is free to be taken hold of. */
function cardPlace() {
  const box = document.querySelector(".react-flow__pane").getBoundingClientRect();
  for (const card of document.querySelectorAll(".react-flow__node [data-node-id]")) {
    const { left, top, width } = card.getBoundingClientRect();
    const x = left + Math.min(80, width / 3);
    const y = top + 14;
    const inside = x > box.left + 140 && x < box.right - 140 && y > box.top + 100 && y < box.bottom - 140;
    if (inside && card.contains(document.elementFromPoint(x, y))) return { id: card.dataset.nodeId, x, y };
  }
  return null;
}

export async function drag(page) {
  // The key brings a node into view, wherever the view was left.
  await page.locator(".ff-canvas").focus();
  await page.keyboard.press("Tab");
  await settled(page);
  const at = await page.evaluate(cardPlace);
  if (!at) throw new Error("no card in the middle of the canvas");
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 8, at.y + 8);
  try {
    return await frames(page, `.react-flow__node[data-id="${at.id}"]`, () =>
      paced(STEPS, (index) => page.mouse.move(at.x + 8 + Math.sin(index / 12) * 120, at.y + 8 + Math.sin(index / 9) * 80)),
    );
  } finally {
    await page.mouse.up();
  }
}

/** Scrolls back and forth through a conversation. */
export async function scroll(page, area) {
  const box = await area.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await area.evaluate((element) => element.setAttribute("data-bench", ""));
  return frames(page, "[data-bench]", () =>
    paced(STEPS * 2, (index) => page.mouse.wheel(0, index % 60 < 45 ? -350 : 350)),
  );
}

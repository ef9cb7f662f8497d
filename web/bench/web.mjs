import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { largeFlow } from "./flows.mjs";
import { drag, heap, interactive, pan, scroll, settled, watchPage, zoom } from "./measure.mjs";
import { Report } from "./report.mjs";
import { freshPage, inParallel, launchBrowser, median, startServer } from "./support.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string" },
    repeats: { type: "string", default: "5" },
    nodes: { type: "string", default: "1,100,500,1000" },
    only: { type: "string", multiple: true, default: [] },
  },
});
const wanted = (part) => options.only.length === 0 || options.only.includes(part);
const program = process.env.FERROFLOW_BIN;
if (!program) throw new Error("FERROFLOW_BIN must name the server's program.");

const FRAME = 17; // 60 frames a second, and what a clock's rounding adds.
const server = await startServer(program);
const browser = await launchBrowser();
const report = new Report("web", "");
const aimText = (aim) => (aim ? `<= ${aim.atMost}` : undefined);

async function open(path) {
  const page = await freshPage(browser);
  page.on("pageerror", (error) => console.error(`  the page failed: ${error.message}`));
  const marks = await interactive(page, server.url + path);
  await settled(page);
  return { page, marks };
}

const close = (page) => page.context().close();

async function makeFlows(catalog) {
  const flows = {};
  for (const count of [1, 20, 100, 500, 1000]) {
    const made = await server.call("POST", "/api/v1/flows/", { name: `${count} nodes`, data: largeFlow(catalog, count) });
    flows[count] = `/flow/${made.id}`;
  }
  return flows;
}

async function blankPage() {
  const times = [];
  for (let run = 0; run < Number(options.repeats); run++) {
    const page = await freshPage(browser);
    await page.goto(`${server.url}/health`);
    times.push(await page.evaluate(() => performance.getEntriesByType("navigation")[0].loadEventEnd));
    await close(page);
  }
  return median(times);
}

async function load(flows) {
  report.add("a blank page of the same server", await blankPage(), "ms");
  const aims = { 20: 800, 100: 1000, 500: 2000 };
  let base;
  for (const count of [1, 20, 100, 500, 1000]) {
    const times = [];
    const works = [];
    let memory = 0;
    for (let run = 0; run < Number(options.repeats); run++) {
      const { page, marks } = await open(flows[count]);
      times.push(marks.interactive);
      works.push(marks.work);
      if (run === 0) memory = await heap(page);
      await close(page);
    }
    const aim = aims[count] ? { atMost: aims[count] } : undefined;
    const value = median(times);
    report.add(`open ${count} nodes, nothing cached, until a key works`, value, "ms", { aim, base });
    base ??= value;
    report.add(`open ${count} nodes, page's own work`, median(works), "ms");
    report.add(`open ${count} nodes, JavaScript heap`, memory, "MiB");
  }
}

async function framesOf(name, page, gesture, { aim, base }) {
  try {
    const { median: middle, p95, work } = await gesture(page);
    report.add(`${name}, median frame`, middle, "ms", { aim, base: base?.median });
    report.add(`${name}, 95 % of frames`, p95, "ms", { base: base?.p95 });
    report.add(`${name}, page's own work per moved frame`, work, "ms", { base: base?.work });
    return { median: middle, p95, work };
  } catch (error) {
    report.miss(`${name}, median frame`, "ms", error.message, { aim: aimText(aim) });
    return undefined;
  }
}

async function gestures(flows) {
  const base = {};
  for (const count of options.nodes.split(",").map(Number)) {
    const limit = { 100: FRAME, 500: FRAME, 1000: 2 * FRAME }[count];
    const aim = limit ? { atMost: limit } : undefined;
    const { page } = await open(flows[count]);
    const steps = [
      ["pan, everything in view", pan],
      ["zoom", zoom],
    ];
    const close100 = [
      ["pan at 100 %", pan],
      ["drag a node", drag],
    ];
    for (const [name, gesture] of steps) {
      const measured = await framesOf(`${count} nodes: ${name}`, page, gesture, { aim, base: base[name] });
      if (count === 1) base[name] = measured;
    }
    await page.locator("body").press("0");
    await settled(page);
    for (const [name, gesture] of close100) {
      const measured = await framesOf(`${count} nodes: ${name}`, page, gesture, { aim, base: base[name] });
      if (count === 1) base[name] = measured;
    }
    await close(page);
  }
}

async function typing(flows) {
  const name = "500 nodes: nodes drawn again while typing in a field";
  const aim = { atMost: 1 };
  const { page } = await open(flows[500]);
  try {
    await page.locator("body").press("0");
    await settled(page);
    const fields = page.locator('.react-flow__node [data-node-id] :is(textarea, input[type="text"]):visible:not([disabled]):not([readonly])');
    const count = await fields.count();
    let field = null;
    for (let index = 0; index < count && !field; index++) {
      const box = await fields.nth(index).boundingBox();
      if (box && box.x > 300 && box.x < 1100 && box.y > 150 && box.y < 750) field = fields.nth(index);
    }
    if (!field) throw new Error("no card in view has a field to type into");
    await field.click();
    await page.keyboard.type("a");
    await settled(page);
    await page.evaluate(() => window.__bench.clearRenders());
    await page.keyboard.type("twenty letters to be", { delay: 40 });
    await settled(page);
    const renders = Object.values(await page.evaluate(() => window.__bench.renders()));
    if (renders.length === 0) throw new Error("the cards do not tell when they are drawn (window.ferroRenders)");
    report.add(name, renders.length, "nodes", { aim });
    report.add(
      "500 nodes: drawings of cards per letter typed",
      renders.reduce((sum, times) => sum + times, 0) / 20,
      "",
    );
  } catch (error) {
    report.miss(name, "nodes", error.message, { aim: aimText(aim) });
  } finally {
    await close(page);
  }
}

async function conversation(count) {
  const starters = await server.call("GET", "/api/v1/flows/basic_examples");
  const echo = starters.find((starter) => starter.name === "Echo") ?? starters[0];
  const flow = await server.call("POST", "/api/v1/flows/", { name: `${count} messages`, data: echo.data });
  const text = (index) =>
    index % 2 === 0 ? `Question ${index}: what comes next?` : `**Answer ${index}**\n\n- one\n- two\n\n\`code ${index}\` and some more text.`;
  await inParallel(Array.from({ length: count }, (_, index) => index), 8, (index) =>
    server.call("POST", "/api/v1/monitor/messages", {
      flow_id: flow.id,
      session_id: flow.id,
      sender: index % 2 === 0 ? "User" : "Machine",
      sender_name: index % 2 === 0 ? "User" : "AI",
      text: text(index),
      timestamp: new Date(Date.now() - (count - index) * 1000).toISOString(),
    }),
  );
  return `/flow/${flow.id}/playground`;
}

async function messages() {
  let base;
  for (const count of [40, 10_000]) {
    const path = await conversation(count);
    const page = await freshPage(browser);
    await page.addInitScript(watchPage);
    const started = Date.now();
    await page.goto(server.url + path, { waitUntil: "commit" });
    const area = page.getByRole("region", { name: "Conversation" });
    const name = `${count.toLocaleString("en")} messages`;
    const aim = count === 10_000 ? { atMost: FRAME } : undefined;
    try {
      await area.getByRole("article").first().waitFor();
      report.add(`${name}: until they are shown`, Date.now() - started, "ms");
      await settled(page);
      const measured = await framesOf(`${name}: scroll`, page, () => scroll(page, area), { aim, base });
      base ??= measured;
      report.add(`${name}: JavaScript heap`, await heap(page), "MiB");
    } catch (error) {
      report.miss(`${name}: scroll, median frame`, "ms", error.message, { aim: aimText(aim) });
    } finally {
      await close(page);
    }
  }
}

function sizes() {
  const script = fileURLToPath(new URL("../scripts/size.mjs", import.meta.url));
  let text;
  try {
    text = execFileSync(process.execPath, [script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    // Over a limit it still prints the figures.
    text = error.stdout;
  }
  if (!text) return report.miss("JavaScript of the first page, gzip", "kB", "web/dist has not been built");
  const { javascript_gzip, limit, editor } = JSON.parse(text);
  report.add("JavaScript of the first page, gzip", javascript_gzip / 1000, "kB", { aim: { atMost: limit / 1000 } });
  report.add("JavaScript of the editor before lazy parts, gzip", editor.javascript_gzip / 1000, "kB", {
    aim: { atMost: editor.limit / 1000 },
  });
}

try {
  const page = await freshPage(browser);
  const gpu = await page.evaluate(() => {
    const gl = document.createElement("canvas").getContext("webgl");
    const named = gl?.getExtension("WEBGL_debug_renderer_info");
    return named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "none";
  });
  await close(page);
  const drawn = /swiftshader|llvmpipe|none/i.test(gpu) ? "drawn by the processor, there is no GPU" : gpu;
  report.about = `Chromium ${browser.version()}, 1440 x 900, ${cpus().length} cores, ${drawn}; ratios are to the same gesture with one node`;
  const others = loadavg()[0];
  if (others > cpus().length / 2) {
    report.about += `; other programs were at work (load ${others.toFixed(1)}), so times are too long and only "own work" tells`;
  }
  console.log(`› ${report.about}`);
  const catalog = await server.call("GET", "/api/v1/all");
  const flows = wanted("load") || wanted("frames") || wanted("typing") ? await makeFlows(catalog) : {};
  for (const [part, run] of [
    ["load", load],
    ["frames", gestures],
    ["typing", typing],
    ["messages", messages],
    ["sizes", sizes],
  ]) {
    if (!wanted(part)) continue;
    console.log(`› ${part}`);
    await run(flows);
  }
} finally {
  await browser.close();
  await server.stop();
}
report.write(options.out ?? fileURLToPath(new URL("../../target/bench/web.json", import.meta.url)));
for (const { name, value, unit, aim, met, ratio, why } of report.results) {
  const figure = value === null ? `not measured: ${why}` : `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;
  const times = ratio === undefined ? "" : `  x${ratio.toFixed(2)}`;
  console.log(`  ${name.padEnd(62)} ${figure}${times}${aim ? `  aim ${aim}: ${met ? "met" : "NOT met"}` : ""}`);
}

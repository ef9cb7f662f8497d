import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(
  await readFile(`${root}/node_modules/.cache/ferroflow/manifest.json`, "utf8"),
);

const gzip = async (file) => gzipSync(await readFile(`${root}/dist/${file}`), { level: 9 }).length;
const sum = (sizes) => Object.values(sizes).reduce((total, size) => total + size, 0);

/** What a browser fetches to show a page: the entry, the page's route and all that they import at once. */
async function page(limit, route) {
  const seen = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  if (!manifest[route]) throw new Error(`The build has no ${route}; scripts/size.mjs must name the route's file.`);
  visit("index.html");
  visit(route);
  const files = {};
  const css = {};
  for (const key of seen) {
    files[manifest[key].file] = await gzip(manifest[key].file);
    for (const file of manifest[key].css ?? []) css[file] = await gzip(file);
  }
  return { limit, javascript_gzip: sum(files), css_gzip: sum(css), files, css };
}

const home = await page(250_000, "src/features/projects/HomePage.tsx");
const editor = await page(450_000, "src/FlowRoute.tsx");
const embed = { limit: 25_000, javascript_gzip: await gzip("embed/chat.js") };
console.log(JSON.stringify({ ...home, editor, embed }, null, 2));

const parts = [
  ["The first page's JavaScript", home],
  ["The editor's JavaScript before lazy parts", editor],
  ["The embedded chat", embed],
];
for (const [what, { javascript_gzip, limit }] of parts) {
  if (javascript_gzip <= limit) continue;
  console.error(`${what} is ${javascript_gzip} bytes gzip; at most ${limit} are allowed.`);
  process.exitCode = 1;
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const limit = 250_000;
const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(
  await readFile(`${root}/node_modules/.cache/ferroflow/manifest.json`, "utf8"),
);

/** What a browser fetches to show the first page: the entry, what it imports, and the home route. */
const roots = ["index.html", "src/features/projects/HomePage.tsx"];
const seen = new Set();

function visit(key) {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return;
  seen.add(key);
  for (const imported of chunk.imports ?? []) visit(imported);
}
for (const key of roots) visit(key);

const gzip = async (file) => gzipSync(await readFile(`${root}/dist/${file}`), { level: 9 }).length;
const files = {};
const css = {};
for (const key of seen) {
  files[manifest[key].file] = await gzip(manifest[key].file);
  for (const file of manifest[key].css ?? []) css[file] = await gzip(file);
}
const sum = (sizes) => Object.values(sizes).reduce((total, size) => total + size, 0);
const report = { limit, javascript_gzip: sum(files), css_gzip: sum(css), files, css };
console.log(JSON.stringify(report, null, 2));
if (report.javascript_gzip > limit) {
  console.error(`First-load JavaScript is ${report.javascript_gzip} bytes gzip; at most ${limit} are allowed.`);
  process.exit(1);
}

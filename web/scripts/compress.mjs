import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const cache = fileURLToPath(new URL("../node_modules/.cache/ferroflow", import.meta.url));
const compressible = new Set([".js", ".css", ".html", ".svg", ".json", ".txt"]);

// Only scripts/size.mjs reads the manifest; the server must not serve it.
await mkdir(cache, { recursive: true });
await rename(join(dist, ".vite/manifest.json"), join(cache, "manifest.json"));
await rm(join(dist, ".vite"), { recursive: true });

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.has(extname(entry.name))) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = await readFile(path);
  const brotli = brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
  const gzip = gzipSync(bytes, { level: 9 });
  if (brotli.length < bytes.length) await writeFile(`${path}.br`, brotli);
  if (gzip.length < bytes.length) await writeFile(`${path}.gz`, gzip);
}

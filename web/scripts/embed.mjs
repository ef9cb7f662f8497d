import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = process.argv[2] ?? `${root}/dist`;

/** A page may say nothing about letters, or the wrong thing; a script of plain ASCII reads the same everywhere. */
const ascii = {
  name: "ascii",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    }
  },
};

// One classic script under a name that never changes: other people's pages refer to it.
await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  plugins: [ascii],
  build: {
    outDir: `${dist}/embed`,
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: `${root}/src/embed/chat.ts`, formats: ["iife"], name: "FerroflowChat", fileName: () => "chat.js" },
  },
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Writes licences.txt: the licence of every package that ended up in the bundle. */
export function licences() {
  return {
    name: "licences",
    apply: "build",
    generateBundle(_options, bundle) {
      const folders = new Set(["node_modules/@fontsource-variable/inter", "node_modules/tailwindcss"]);
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const found = /^.*?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(id);
          if (found) folders.add(found[1]);
        }
      }
      const parts = [...folders].sort().map((folder) => {
        const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
        const text = file && existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
        return `${about.name} ${about.version} (${about.license ?? "see below"})\n\n${text.trim()}\n`;
      });
      this.emitFile({
        type: "asset",
        fileName: "licences.txt",
        source: parts.join(`\n${"-".repeat(72)}\n\n`),
      });
    },
  };
}

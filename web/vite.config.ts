import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { licences } from "./scripts/licences.mjs";

/** The embedded chat has a build of its own (scripts/embed.mjs); while developing it comes from its source. */
const embed: Plugin = {
  name: "embed",
  apply: "serve",
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.url?.startsWith("/embed/chat.js")) request.url = "/src/embed/chat.ts";
      next();
    });
  },
};

const server = process.env.FERROFLOW_URL ?? "http://127.0.0.1:7860";

export default defineConfig({
  plugins: [react(), tailwindcss(), licences(), embed],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    // The page's policy allows no data: fonts and no inline styles, so nothing may be inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        // Without groups every shared icon and helper becomes a request of its own.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: "vendor",
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|i18next|react-i18next|zustand|openapi-fetch|use-sync-external-store)\//,
            },
            {
              name: "common",
              // Without what only a flow's pages use: they would bring the canvas into the first load.
              test: /\/src\/(ui|api|stores)\/(?!MenuParts|DialogPopup|DrawerPopup|FlowDiffView|Markdown|CodeBlock|Switch|Tabs|JsonTree|DataTable|ValueView|useWindowed|Elapsed|figures|run\.|runs\.|frames|editor\/|palette|stream|workflows|messages|sharedMessages|publicChat|useStickToEnd|assistant)/,
              minShareCount: 2,
            },
            {
              // Parts of the canvas that lazy parts share with it: small files of their own compress badly.
              name: "canvas-parts",
              test: /\/src\/(fields\/(ChoiceControl|ToggleControls|PickList|Popup|useDraft|box)|flow\/(values\/(choices|tables|prompts|lists)|edit\/modelValue))\./,
            },
            {
              // Above two, because the canvas can show any icon and so shares every one of them.
              name: "common-icons",
              test: /lucide-react\/dist\/esm\/(icons|Icon|create|shared)/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": { target: server, changeOrigin: false },
      "/health": { target: server, changeOrigin: false },
      "/health_check": { target: server, changeOrigin: false },
      "/openapi.json": { target: server, changeOrigin: false },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
  },
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const src = resolve(import.meta.dirname);

/** What each folder may import; a path with a slash is one file. */
const allowed: Record<string, string[]> = {
  flow: ["flow"],
  lib: ["lib"],
  i18n: ["i18n"],
  embed: ["embed"],
  api: ["flow", "lib", "api"],
  ui: ["ui", "i18n", "flow", "lib", "api/error", "api/types"],
  stores: ["flow", "lib", "api", "i18n", "stores"],
  fields: ["flow", "lib", "api", "stores", "ui", "i18n", "fields"],
  canvas: ["flow", "lib", "api", "stores", "ui", "i18n", "fields", "canvas"],
  features: ["flow", "lib", "api", "stores", "ui", "i18n", "fields", "canvas"],
};

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes("__generated__"))
  .map((file) => file.replaceAll("\\", "/"));

function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].flatMap((match) => match[1] ?? []);
}

function inside(file: string, specifier: string): string | null {
  if (specifier.startsWith("@/")) return specifier.slice(2);
  if (!specifier.startsWith(".")) return null;
  return relative(src, resolve(join(src, dirname(file)), specifier)).replaceAll("\\", "/");
}

function mayImport(file: string, target: string): boolean {
  const [folder = "", feature = ""] = file.split("/");
  if (!file.includes("/")) return true;
  if (file.endsWith(".test.ts") || file.endsWith(".test.tsx")) return true;
  if (folder === "features" && target.startsWith(`features/${feature}/`)) return true;
  return (allowed[folder] ?? []).some(
    (entry) => target === entry || target.startsWith(`${entry}/`) || target.replace(/\.ts$/, "") === entry,
  );
}

describe("imports", () => {
  it("go one way, and features do not know each other", () => {
    const broken = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const target = inside(file, specifier);
        return target !== null && !mayImport(file, target) ? [`${file} imports ${target}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("keep React out of flow/ and the canvas library out of everything but canvas/", () => {
    const broken = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) => {
        const react = file.startsWith("flow/") && /^(react|react-dom|zustand)(\/|$)/.test(specifier);
        const canvas = !file.startsWith("canvas/") && specifier.startsWith("@xyflow/");
        return react || canvas ? [`${file} imports ${specifier}`] : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it("have no barrel files", () => {
    const barrels = files.filter((file) => {
      const text = readFileSync(join(src, file), "utf8");
      const lines = text.split("\n").filter((line) => line.trim() && !line.trim().startsWith("//"));
      return lines.length > 0 && lines.every((line) => /^export (\*|\{[^}]*\}|type \{[^}]*\}) from/.test(line));
    });
    expect(barrels.filter((file) => file !== "api/types.ts")).toEqual([]);
  });

  it("stay readable: no file above 400 lines", () => {
    const long = files.flatMap((file) => {
      const lines = readFileSync(join(src, file), "utf8").split("\n").length;
      return lines > 400 ? [`${file}: ${lines}`] : [];
    });
    expect(long).toEqual([]);
  });
});

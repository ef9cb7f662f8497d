import { createLowlight } from "lowlight";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** Fetched with the first piece of code that names its language. */
const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
});

export type Piece = string | { kind: string; pieces: Piece[] };

interface Tree {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Tree[];
}

/** The code in coloured pieces; null for a language that is not known here. */
export function highlight(code: string, language: string): Piece[] | null {
  if (!lowlight.registered(language)) return null;
  return piecesOf(lowlight.highlight(language, code) as Tree);
}

function piecesOf(tree: Tree): Piece[] {
  return (tree.children ?? []).flatMap((child): Piece[] => {
    if (child.type === "text") return [child.value ?? ""];
    const names = Array.isArray(child.properties?.className) ? child.properties.className : [];
    return [{ kind: names.join(" "), pieces: piecesOf(child) }];
  });
}

import { memo, type ReactNode, useMemo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { isBeyondMarkdown, markdownBlocks } from "@/flow/markdownBlocks";
import { CodeBlock } from "./CodeBlock";
import "./markdown.css";

const plugins = [remarkGfm];

function link(href: string, children: ReactNode, reachable: boolean): ReactNode {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" {...(reachable ? {} : { tabIndex: -1 })}>
      {children}
    </a>
  );
}

// Raw HTML is dropped by react-markdown; pictures become links so that looking at a text calls no one.
const partsFor = (reachable: boolean): Components => ({
  a: ({ href, children }) => (href ? link(href, children, reachable) : <span>{children}</span>),
  img: ({ src, alt }) =>
    typeof src === "string" && src !== "" ? link(src, alt || src, reachable) : <span>{alt}</span>,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"}</span>,
  pre: ({ node, children }) => {
    const code = reachable ? codeOf(node) : null;
    return code ? <CodeBlock {...code} /> : <pre>{children}</pre>;
  },
  // Only looks like headings: a text's headings must not become part of the page's outline.
  h1: ({ children }) => <p className="ff-h1">{children}</p>,
  h2: ({ children }) => <p className="ff-h2">{children}</p>,
  h3: ({ children }) => <p className="ff-h3">{children}</p>,
  h4: ({ children }) => <p className="ff-h3">{children}</p>,
  h5: ({ children }) => <p className="ff-h3">{children}</p>,
  h6: ({ children }) => <p className="ff-h3">{children}</p>,
});

interface Element {
  type: string;
  tagName?: string;
  value?: string;
  properties?: { className?: unknown };
  children?: Element[];
}

function codeOf(pre: Element | undefined): { code: string; language: string } | null {
  const inner = pre?.children?.[0];
  if (inner?.tagName !== "code") return null;
  const names = Array.isArray(inner.properties?.className) ? inner.properties.className.map(String) : [];
  const named = names.find((name) => name.startsWith("language-")) ?? "";
  const code = (inner.children ?? []).map((child) => child.value ?? "").join("");
  return { code: code.replace(/\n$/, ""), language: named.slice("language-".length).toLowerCase() };
}

const drawn = partsFor(false);
const read = partsFor(true);

/** One piece: while a text grows at its end, those before are not looked at again. */
const Block = memo(function Block({ source, reachable }: { source: string; reachable: boolean }) {
  if (isBeyondMarkdown(source)) return <p className="ff-plain">{source}</p>;
  return (
    <ReactMarkdown remarkPlugins={plugins} components={reachable ? read : drawn}>
      {source}
    </ReactMarkdown>
  );
});

/** `reachable` lets Tab stop at its links and code; on a canvas they would be in the way of the nodes. */
export const Markdown = memo(function Markdown({
  source,
  reachable = false,
}: {
  source: string;
  reachable?: boolean;
}) {
  const blocks = useMemo(() => markdownBlocks(source), [source]);
  return (
    <div className="ff-markdown">
      {blocks.map((block, index) => (
        <Block key={index} source={block} reachable={reachable} />
      ))}
    </div>
  );
});

import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
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
  // A long line is scrolled to with the keyboard, too.
  pre: ({ children }) => <pre {...(reachable ? { tabIndex: 0 } : {})}>{children}</pre>,
  // Only looks like headings: a text's headings must not become part of the page's outline.
  h1: ({ children }) => <p className="ff-h1">{children}</p>,
  h2: ({ children }) => <p className="ff-h2">{children}</p>,
  h3: ({ children }) => <p className="ff-h3">{children}</p>,
  h4: ({ children }) => <p className="ff-h3">{children}</p>,
  h5: ({ children }) => <p className="ff-h3">{children}</p>,
  h6: ({ children }) => <p className="ff-h3">{children}</p>,
});

const drawn = partsFor(false);
const read = partsFor(true);

/** `reachable` lets Tab stop at its links; on a canvas they would be in the way of the nodes. */
export const Markdown = memo(function Markdown({
  source,
  reachable = false,
}: {
  source: string;
  reachable?: boolean;
}) {
  return (
    <div className="ff-markdown">
      <ReactMarkdown remarkPlugins={plugins} components={reachable ? read : drawn}>
        {source}
      </ReactMarkdown>
    </div>
  );
});

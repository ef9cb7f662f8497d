import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];

// Raw HTML is dropped by react-markdown; pictures become links so that opening a flow calls no one.
const parts: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={-1}>
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === "string" && src !== "" ? (
      <a href={src} target="_blank" rel="noopener noreferrer nofollow" tabIndex={-1}>
        {alt || src}
      </a>
    ) : (
      <span>{alt}</span>
    ),
  input: ({ checked }) => <span>{checked ? "☑" : "☐"}</span>,
  // Only looks like headings: a note's headings must not become part of the page's outline.
  h1: ({ children }) => <p className="ff-h1">{children}</p>,
  h2: ({ children }) => <p className="ff-h2">{children}</p>,
  h3: ({ children }) => <p className="ff-h3">{children}</p>,
  h4: ({ children }) => <p className="ff-h3">{children}</p>,
  h5: ({ children }) => <p className="ff-h3">{children}</p>,
  h6: ({ children }) => <p className="ff-h3">{children}</p>,
};

export const Markdown = memo(function Markdown({ source }: { source: string }) {
  return (
    <div className="ff-markdown">
      <ReactMarkdown remarkPlugins={plugins} components={parts}>
        {source}
      </ReactMarkdown>
    </div>
  );
});

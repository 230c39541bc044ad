/** Recorded text as markdown. Everything in it is hostile: raw HTML is shown as text, and nothing is loaded. */
import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import "./Markdown.css";

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ children, href }) => (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
      {children}
    </a>
  ),
  // An image would tell another host who reads this.
  img: ({ alt, src }) => (
    <span className="not-loaded" title={typeof src === "string" ? src : undefined}>
      image not loaded{alt ? `: ${alt}` : ""}
    </span>
  ),
  input: ({ checked }) => <span aria-label={checked ? "done" : "open"}>{checked ? "☑" : "☐"}</span>,
};

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
});

import { memo } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block.tsx";
import "./highlight.css";
import { safeLink } from "./safe-link.ts";
import { splitBlocks } from "./split-blocks.ts";
import { steadyTail } from "./steady-tail.ts";

export interface MarkdownProps {
  readonly text: string;
  /** More is on its way: marks that are still open are closed for the eye. */
  readonly isStreaming?: boolean;
}

/** A model's or a person's words. HTML in them is shown as text, and nothing is loaded from anywhere. */
export default function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const blocks = splitBlocks(text);
  const last = blocks.length - 1;
  return blocks.map((block, index) => (
    // A piece of a text is what stands at its place: while it streams only the last one changes.
    // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is known by
    <Block key={index} text={isStreaming && index === last ? steadyTail(block) : block} />
  ));
}

/** One piece of a text; it is made again only when it changes. */
const Block = memo(function Block({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
      urlTransform={transformUrl}
    >
      {text}
    </ReactMarkdown>
  );
});

const remarkPlugins: Options["remarkPlugins"] = [remarkGfm];
const rehypePlugins: Options["rehypePlugins"] = [rehypeHighlight];
const transformUrl = (address: string) => safeLink(address) ?? "";

const components: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  // A picture that loads by itself tells its server that it was read, and what its address carries.
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === "string" ? src : undefined}>{`Picture: ${alt || src || "without a name"}`}</SafeLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  // A table wider than the message scrolls by itself, also by keyboard.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
    <figure className="table-scroll" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </figure>
  ),
};

function SafeLink({ href, children }: { readonly href: string | undefined; readonly children: React.ReactNode }) {
  const address = safeLink(href);
  if (address === undefined) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

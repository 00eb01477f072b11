import { memo } from "react";
import ReactMarkdown, { type Components, type Options } from "react-markdown";
import rehypeHighlight from "rehype-highlight";
import remarkGfm from "remark-gfm";
import { chatCopy } from "../../../copy/chat.ts";
import { CodeBlock } from "./code-block.tsx";
import "./highlight.css";
import { safeLink } from "./safe-link.ts";
import { splitBlocks } from "./split-blocks.ts";
import { steadyTail } from "./steady-tail.ts";

const { message: copy } = chatCopy;

export interface MarkdownProps {
  readonly text: string;
  /** The text is incomplete: open marks are closed for display. */
  readonly isStreaming?: boolean;
}

/** Renders Markdown. HTML is shown as text, and nothing is loaded from other servers. */
export default function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const blocks = splitBlocks(text);
  const last = blocks.length - 1;
  return blocks.map((block, index) => (
    // While a text streams only its last block changes.
    // biome-ignore lint/suspicious/noArrayIndexKey: a block is identified by its position
    <Block key={index} text={isStreaming && index === last ? steadyTail(block) : block} />
  ));
}

/** One block of a text. Rendered again only if it changed. */
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
  // An image that loads automatically would tell its server that the message was read.
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === "string" ? src : undefined}>{copy.picture(alt || src || copy.unnamed)}</SafeLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  // A table wider than the message scrolls by itself, also by keyboard.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
    <figure className="table-scroll" aria-label={copy.table} tabIndex={0}>
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

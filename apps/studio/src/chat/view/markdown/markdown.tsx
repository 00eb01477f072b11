import { Children, isValidElement, memo, type ReactNode } from "react";
import type { Components, Options } from "react-markdown";
import ReactMarkdown from "react-markdown";
import rehypeHighlight from "rehype-highlight";
import remarkGfm from "remark-gfm";
import { chatCopy } from "../../../copy/chat.ts";
import "./highlight.css";
import { Check, Copy } from "lucide-react";
import { useCopied } from "../../../ui/use-copied.ts";
import styles from "./markdown.module.css";

const { message: messageCopy } = chatCopy;

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
  // An image that loads automatically would show its server that the message was read.
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === "string" ? src : undefined}>
      {messageCopy.picture(alt || src || messageCopy.unnamed)}
    </SafeLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  // A table wider than the message scrolls separately, also by keyboard.
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <figure className="table-scroll" aria-label={messageCopy.table} tabIndex={0}>
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

/** A block of code with its language and a button that copies it. */
function CodeBlock({ children }: { readonly children: ReactNode }) {
  const code = Children.toArray(children).find(isValidElement<{ className?: string; children?: ReactNode }>);
  const language = /language-(\S+)/.exec(code?.props.className ?? "")?.[1] ?? "text";
  const { isCopied, copy } = useCopied();
  return (
    <figure dir="ltr" className={styles.figure} aria-label={messageCopy.code(language)}>
      <figcaption className={styles.head}>
        <span>{language}</span>
        <button type="button" className={styles.copy} onClick={() => copy(textOf(children).replace(/\n$/, ""))}>
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {isCopied ? chatCopy.copy.copied : chatCopy.copy.copy}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

const allowed = new Set(["http:", "https:", "mailto:"]);

/** The address of a link that may be followed, or nothing: only the web and mail, and never relative to this page. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  return allowed.has(new URL(address).protocol) ? address : undefined;
}

/** The text inside of rendered nodes. */
function textOf(node: ReactNode): string {
  if (typeof node === "string" || typeof node === "number") return String(node);
  if (Array.isArray(node)) return node.map(textOf).join("");
  return isValidElement<{ children?: ReactNode }>(node) ? textOf(node.props.children) : "";
}

/**
 * A text in pieces that can be rendered one by one: joined they are the text. While an answer streams only the last
 * piece changes, and only that one is rendered again.
 */
export function splitBlocks(text: string): readonly string[] {
  if (isIndivisible(text)) return [text];
  const blocks: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let wasBlank = false;
  for (const { line, at } of linesOf(text)) {
    const isBlank = line.trim() === "";
    if (fence === undefined && wasBlank && beginsBlock(line)) {
      blocks.push(text.slice(start, at));
      start = at;
    }
    fence = fenceAfter(line, fence);
    wasBlank = isBlank;
  }
  blocks.push(text.slice(start));
  return blocks;
}

/**
 * Some text is rendered in one piece. Link definitions apply to the whole text, HTML may span blank lines, and a code
 * fence on the line of a list item (`- ```js`) is not found by `fenceAfter`.
 */
function isIndivisible(text: string): boolean {
  return /^ {0,3}(?:\[[^\]]+\]:|<)/m.test(text) || /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+[^\n]*[`~]{3}/m.test(text);
}

/** Returns if a line after a blank one starts a new block: every line but the next item of a list. */
function beginsBlock(line: string): boolean {
  return /^(?!(?:[-*+]|\d+[.)])(?:\s|$))\S/.test(line);
}

/** The fence that is open behind a line. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (mark === null) return fence;
  const [, marks = "", info = ""] = mark;
  if (fence === undefined) return marks.startsWith("`") && info.includes("`") ? undefined : marks;
  const closes = marks[0] === fence[0] && marks.length >= fence.length && info.trim() === "";
  return closes ? undefined : fence;
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly at: number }> {
  let at = 0;
  while (at <= text.length) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end;
    yield { line: text.slice(at, next), at };
    at = next + 1;
  }
}

/**
 * Prepares the last block of a streaming answer so that it does not flicker: closes open marks, and withholds
 * characters whose meaning depends on the next ones.
 */
export function steadyTail(block: string): string {
  if (/^ {0,3}(?:`{3,}|~{3,})/m.test(block)) return block;
  return closeMarks(holdBackTable(holdBackLine(block)));
}

/** A last line of nothing but marks may become a list, a rule, a heading's underline or a fence. */
function holdBackLine(block: string): string {
  return block.replace(/(^|\n)[ \t]*(?:[-*+_=`~#>]{1,6}|\d{1,3}[.)]?)[ \t]*$/, "$1");
}

/** A table is one only when the line below its head is there. */
function holdBackTable(block: string): string {
  const lines = block.replace(/\n$/, "").split("\n");
  const head = lines.findLastIndex((line) => !line.startsWith("|")) + 1;
  const table = lines.slice(head);
  if (table.length === 0 || table.length > 2) return block;
  return lines.slice(0, head).join("\n");
}

function closeMarks(block: string): string {
  const text = block.replace(/(^|[\s(*_])!?\[([^\]\n]*)(?:\](?:\([^)\s]*)?)?$/, "$1$2");
  const paragraph = text.slice(text.lastIndexOf("\n\n") + 1);
  const isInCode = (paragraph.split("`").length - 1) % 2 === 1;
  if (isInCode) return text.endsWith("`") ? text.slice(0, -1) : `${text}\``;
  const outsideCode = paragraph.replace(/`[^`]*`/g, "");
  return ["**", "~~", "__"].reduce((closed, mark) => closeMark(closed, outsideCode, mark), text);
}

function closeMark(text: string, outsideCode: string, mark: string): string {
  const isOpen = outsideCode.split(mark).length % 2 === 0;
  if (!isOpen) return text;
  const bare = text.trimEnd();
  if (bare.endsWith(mark)) return bare.slice(0, -mark.length);
  // Half of the closing mark is there already.
  return bare.endsWith(mark[0] ?? "") ? `${bare}${mark[0]}` : `${bare}${mark}`;
}

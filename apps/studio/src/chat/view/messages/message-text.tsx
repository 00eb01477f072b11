import { use } from "react";
import { classNames } from "../../../ui/class-names.ts";
import type { MarkdownProps } from "../markdown/markdown.tsx";
import { markdownReady } from "../markdown/markdown-ready.ts";
import styles from "./message-text.module.css";

/** The text of a message as Markdown. */
export function MessageText({ text, isStreaming = false }: MarkdownProps) {
  const Markdown = use(markdownReady);
  return (
    <div dir="auto" className={classNames(styles.text, isStreaming && styles.streaming)}>
      <Markdown text={text} isStreaming={isStreaming} />
    </div>
  );
}

import { createElement, type FunctionComponent, use } from "react";
import { classNames } from "../../../ui/class-names.ts";
import type { MarkdownProps } from "../markdown/markdown.tsx";
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

/**
 * The Markdown component, loaded in parallel with the rest. If it cannot be loaded, texts are shown as they were
 * written.
 */
export const markdownReady: Promise<FunctionComponent<MarkdownProps>> = import("../markdown/markdown.tsx").then(
  (module) => module.default,
  () => Plain,
);

function Plain({ text }: MarkdownProps) {
  return createElement("p", { style: { whiteSpace: "pre-wrap" } }, text);
}

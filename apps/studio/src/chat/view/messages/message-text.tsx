import { lazy, Suspense } from "react";
import { classNames } from "../../../ui/class-names.ts";
import styles from "./message-text.module.css";

// Fetched at once, beside the rest: until it is there the words stand as they are.
const loading = import("../markdown/markdown.tsx");
const Markdown = lazy(() => loading);

export interface MessageTextProps {
  readonly text: string;
  readonly isStreaming?: boolean;
}

/** The words of a message, as markdown. */
export function MessageText({ text, isStreaming = false }: MessageTextProps) {
  return (
    <div className={classNames(styles.text, isStreaming && styles.streaming)}>
      <Suspense fallback={<p className={styles.plain}>{text}</p>}>
        <Markdown text={text} isStreaming={isStreaming} />
      </Suspense>
    </div>
  );
}

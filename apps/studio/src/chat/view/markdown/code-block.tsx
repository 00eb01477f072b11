import { Check, Copy } from "lucide-react";
import { Children, isValidElement, type ReactNode } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { useCopied } from "../use-copied.ts";
import styles from "./code-block.module.css";
import { textOf } from "./text-of.ts";

/** A block of code with its language and a button that copies it. */
export function CodeBlock({ children }: { readonly children: ReactNode }) {
  const code = Children.toArray(children).find(isValidElement<{ className?: string; children?: ReactNode }>);
  const language = /language-(\S+)/.exec(code?.props.className ?? "")?.[1] ?? "text";
  const { isCopied, copy } = useCopied();
  return (
    <figure dir="ltr" className={styles.figure} aria-label={chatCopy.message.code(language)}>
      <figcaption className={styles.head}>
        <span>{language}</span>
        <button type="button" className={styles.copy} onClick={() => copy(textOf(children).replace(/\n$/, ""))}>
          {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          {isCopied ? chatCopy.copy.copied : chatCopy.copy.copy}
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable */}
      <pre className={styles.code} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}

import { frameCopy } from "../../copy/frame.ts";
import { Mark } from "../../ui/mark.tsx";
import styles from "./empty-chat.module.css";
import { formatCount } from "./format.ts";

export interface EmptyChatProps {
  readonly isTemporary: boolean;
  /** Number of memories. */
  readonly memories: number;
}

const { first } = frameCopy;

/** The first screen's headline, over the composer. */
export function EmptyChat({ isTemporary, memories }: EmptyChatProps) {
  const { title, words } = headline(isTemporary, memories);
  return (
    <section className={styles.empty}>
      <Mark size={32} />
      <h2>{title}</h2>
      <p>{words}</p>
    </section>
  );
}

function headline(isTemporary: boolean, memories: number): { readonly title: string; readonly words: string } {
  if (isTemporary) return { title: first.temporary, words: first.temporaryWords };
  if (memories === 0) return { title: first.title, words: first.words };
  return { title: first.returning, words: first.remembers(formatCount(memories, "thing", "things")) };
}

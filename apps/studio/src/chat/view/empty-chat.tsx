import { formatCount } from "../../copy/format.ts";
import { frameCopy } from "../../copy/frame.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Mark } from "../../ui/mark.tsx";
import styles from "./empty-chat.module.css";

interface EmptyChatProps {
  readonly isTemporary: boolean;
  /** Number of memories. */
  readonly memories: number;
}

const { first: firstCopy } = frameCopy;

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
  if (isTemporary) return { title: firstCopy.temporary, words: firstCopy.temporaryWords };
  if (memories === 0) return { title: firstCopy.title, words: firstCopy.words };
  return { title: firstCopy.returning, words: firstCopy.remembers(formatCount(memories, "thing", "things")) };
}

interface FirstStepsProps {
  /** Shows beginnings of a first message. */
  readonly hasStarters: boolean;
  /** Puts the beginning of a sentence into the composer. */
  readonly onPick: (text: string) => void;
  readonly onTryDemo: () => void;
}

const { starters } = frameCopy;

/** Below the composer of the first screen: ways to begin a message, and the demo as the second choice. */
export function FirstSteps({ hasStarters, onPick, onTryDemo }: FirstStepsProps) {
  return (
    <div className={styles.steps}>
      {hasStarters && (
        <ul className={styles.starters} aria-label={firstCopy.starters}>
          {starters.map(({ label, text }) => (
            <li key={label}>
              <button type="button" className={styles.starter} onClick={() => onPick(text)}>
                {label}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.demo}>
        <p>
          <strong>{firstCopy.demoTitle}</strong> {firstCopy.demoWords}
        </p>
        <Button onClick={onTryDemo}>{firstCopy.demo}</Button>
      </div>
    </div>
  );
}

import { frameCopy } from "../../copy/frame.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./empty-chat.module.css";

export interface FirstStepsProps {
  /** Shows beginnings of a first message. */
  readonly hasStarters: boolean;
  /** Puts the beginning of a sentence into the composer. */
  readonly onPick: (text: string) => void;
  readonly onTryDemo: () => void;
}

const { first, starters } = frameCopy;

/** Below the composer of the first screen: ways to begin a message, and the demo as the second choice. */
export function FirstSteps({ hasStarters, onPick, onTryDemo }: FirstStepsProps) {
  return (
    <div className={styles.steps}>
      {hasStarters && (
        <ul className={styles.starters} aria-label={first.starters}>
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
          <strong>{first.demoTitle}</strong> {first.demoWords}
        </p>
        <Button onClick={onTryDemo}>{first.demo}</Button>
      </div>
    </div>
  );
}

import { CircleDashed, MessageCircle } from "lucide-react";
import styles from "./empty-chat.module.css";
import { formatCount } from "./format.ts";

const suggestions = [
  { label: "What I work on", text: "I'm working on " },
  { label: "How I like answers", text: "I prefer answers that are " },
  { label: "Who I am", text: "I'm " },
] as const;

export interface EmptyChatProps {
  readonly isTemporary: boolean;
  /** How much is known of the person already. */
  readonly memories: number;
  /** Puts the beginning of a sentence into the composer. */
  readonly onPick: (text: string) => void;
}

/** A conversation in which nothing was said yet. */
export function EmptyChat({ isTemporary, memories, onPick }: EmptyChatProps) {
  if (isTemporary) {
    return (
      <section className={styles.empty}>
        <CircleDashed aria-hidden />
        <h2>A temporary chat</h2>
        <p>Nothing you say here is kept, and nothing is remembered. It is gone when you leave it.</p>
      </section>
    );
  }
  if (memories > 0) {
    return (
      <section className={styles.empty}>
        <MessageCircle aria-hidden />
        <h2>What is on your mind?</h2>
        <p>I bring along {formatCount(memories, "memory", "memories")} from before.</p>
      </section>
    );
  }
  return (
    <section className={styles.empty}>
      <MessageCircle aria-hidden />
      <h2>Tell me anything you'd like me to remember</h2>
      <p>
        Your work, how you like your answers, who you are. It stays on this device, and you can change it at any time.
      </p>
      <ul className={styles.suggestions}>
        {suggestions.map(({ label, text }) => (
          <li key={label}>
            <button type="button" className={styles.suggestion} onClick={() => onPick(text)}>
              <strong>{label}</strong>
              <span>{text.trim()}…</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

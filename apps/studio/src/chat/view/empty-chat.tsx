import { CircleDashed, MessageCircle } from "lucide-react";
import styles from "./empty-chat.module.css";
import { formatCount } from "./format.ts";

const suggestions = [
  { label: "My work", text: "I'm working on ", example: "I'm working on an app that plans roof gardens" },
  {
    label: "My preferences",
    text: "I prefer answers that are ",
    example: "I prefer answers that are short and direct",
  },
  { label: "About me", text: "I'm ", example: "I'm a landscape gardener in Porto" },
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
        <h2>Temporary chat</h2>
        <p>Not saved, doesn't use or create memories, and disappears when you leave.</p>
      </section>
    );
  }
  if (memories > 0) {
    return (
      <section className={styles.empty}>
        <MessageCircle aria-hidden />
        <h2>What's on your mind?</h2>
        <p>I remember {formatCount(memories, "thing", "things")} about you.</p>
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
        {suggestions.map(({ label, text, example }) => (
          <li key={label}>
            <button type="button" className={styles.suggestion} onClick={() => onPick(text)}>
              <strong>{label}</strong>
              <span>{example}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

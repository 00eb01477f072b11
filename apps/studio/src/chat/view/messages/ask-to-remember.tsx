import { type FormEvent, useId, useMemo, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import styles from "./ask-to-remember.module.css";
import { rememberCandidates } from "./remember-candidates.ts";

export interface AskToRememberProps {
  readonly text: string;
  readonly onRemember: (text: string) => void;
  readonly onCancel: () => void;
}

/** Asks what of a message is to be remembered: one of its sentences, or the person's own words. */
export function AskToRemember({ text, onRemember, onCancel }: AskToRememberProps) {
  const candidates = useMemo(() => rememberCandidates(text), [text]);
  const [words, setWords] = useState("");
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (words.trim() !== "") onRemember(words.trim());
  };
  return (
    <form
      className={styles.ask}
      aria-labelledby={id}
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <p id={id} className={styles.question}>
        What should I remember?
      </p>
      {candidates.map((sentence) => (
        <Button key={sentence} dir="auto" className={styles.candidate} onClick={() => onRemember(sentence)}>
          {sentence}
        </Button>
      ))}
      <div className={styles.own}>
        <input
          dir="auto"
          aria-label="In your own words"
          placeholder="In your own words…"
          value={words}
          // The person just asked for it.
          // biome-ignore lint/a11y/noAutofocus: the form opens by their click
          autoFocus
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Button kind="primary" type="submit" disabled={words.trim() === ""}>
          Save
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

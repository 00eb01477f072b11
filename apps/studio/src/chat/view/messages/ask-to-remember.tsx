import { type FormEvent, useId, useMemo, useState } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./ask-to-remember.module.css";
import { rememberCandidates } from "./remember-candidates.ts";

const { memory: copy } = chatCopy;

export interface AskToRememberProps {
  readonly text: string;
  readonly onRemember: (text: string) => void;
  readonly onCancel: () => void;
}

/** Asks for the text to remember: a sentence of the message, or the person's own words. */
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
        {copy.ask}
      </p>
      {candidates.map((sentence) => (
        <Button key={sentence} dir="auto" className={styles.candidate} onClick={() => onRemember(sentence)}>
          {sentence}
        </Button>
      ))}
      <div className={styles.own}>
        <input
          dir="auto"
          aria-label={copy.ownWords}
          placeholder={copy.ownWordsPlaceholder}
          value={words}
          // The person just asked for it.
          // biome-ignore lint/a11y/noAutofocus: the form opens by their click
          autoFocus
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <Button kind="primary" type="submit" disabled={words.trim() === ""}>
          {copy.save}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {chatCopy.cancel}
        </Button>
      </div>
    </form>
  );
}

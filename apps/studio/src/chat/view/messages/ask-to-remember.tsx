import { type FormEvent, useId, useMemo, useState } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/controls/button.tsx";
import styles from "./ask-to-remember.module.css";

const { memory: copy } = chatCopy;

interface AskToRememberProps {
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
          // biome-ignore lint/a11y/noAutofocus: the form opens by a click of the user
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

const MAX_CANDIDATES = 4;
const MIN_LENGTH = 12;
const MAX_LENGTH = 160;
/** Maximum length of a message that is saved without a question. */
const SHORT = 160;

/** True if a message can be saved unchanged. Answers cannot: they are the model's text, and mostly long. */
export function isShortStatement({
  role,
  text,
}: {
  readonly role: "user" | "assistant";
  readonly text: string;
}): boolean {
  return role === "user" && text.trim().length <= SHORT && !text.trim().includes("\n") && !text.trim().endsWith("?");
}

/** Sentences of a message that may be worth remembering, for the person to choose from. */
export function rememberCandidates(markdown: string): readonly string[] {
  const prose = markdown.replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm, "");
  const sentences = prose.split("\n").flatMap((line) => splitLine(plain(line)));
  const fitting = sentences.filter(
    (sentence) => sentence.length >= MIN_LENGTH && sentence.length <= MAX_LENGTH && !/[?？:：]$/u.test(sentence),
  );
  return [...new Set(fitting)].slice(0, MAX_CANDIDATES);
}

function splitLine(line: string): readonly string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(line);
  return [...segments].map(({ segment }) => segment.trim());
}

/** Headings and tables are skipped; Markdown marks are removed from the rest. */
function plain(line: string): string {
  if (/^\s*(?:#|\||>|---)/.test(line)) return "";
  return line
    .replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s+/, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]{1,3}/g, "")
    .trim();
}

import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from "react";
import type { FactBook } from "../../chat/book/fact-book.ts";
import { explainProblem } from "./words.ts";

/** What became of something that was told by hand. */
export type AddedFact = Awaited<ReturnType<FactBook["add"]>>;

export interface FactComposerProps {
  readonly book: FactBook;
  /** What is written. It is kept outside, so that it outlives a panel that is closed. */
  readonly text: string;
  readonly onTextChange: (text: string) => void;
  readonly onAdded?: ((added: AddedFact) => void) | undefined;
  /** What is said afterwards: into which category it was put. */
  readonly sayAdded: (added: AddedFact) => ReactNode;
  readonly onEscape?: (() => void) | undefined;
  readonly placeholder?: string | undefined;
  readonly submitLabel?: ReactNode;
  readonly classNames?: {
    readonly form?: string | undefined;
    readonly input?: string | undefined;
    readonly submit?: string | undefined;
    readonly status?: string | undefined;
  };
  readonly ref?: Ref<HTMLInputElement>;
}

/** Remembers something by hand. Its category is told from the words, and said. */
export function FactComposer(props: FactComposerProps): ReactNode {
  const { text, onTextChange, onEscape, classNames = {}, ref } = props;
  const statusId = useId();
  const { add, isAdding, said, forget } = useAdding(props);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !onEscape || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onEscape();
  };

  return (
    <form className={classNames.form} aria-busy={isAdding} onSubmit={add}>
      <input
        ref={ref}
        type="text"
        autoComplete="off"
        enterKeyHint="done"
        aria-label="Remember something"
        aria-describedby={statusId}
        aria-keyshortcuts="/"
        placeholder={props.placeholder ?? "+ Remember something…"}
        className={classNames.input}
        value={text}
        readOnly={isAdding}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          forget();
          onTextChange(event.target.value);
        }}
      />
      <button type="submit" className={classNames.submit} disabled={text.trim() === "" || isAdding}>
        {props.submitLabel ?? "Remember"}
      </button>
      <div id={statusId} role="status" data-problem={said?.isProblem} className={classNames.status}>
        {isAdding ? "Remembering…" : said?.words}
      </div>
    </form>
  );
}

function useAdding({ book, text, onTextChange, onAdded, sayAdded }: FactComposerProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [said, setSaid] = useState<{ readonly words: ReactNode; readonly isProblem: boolean }>();
  const add = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === "" || isAdding) return;
    setIsAdding(true);
    try {
      const added = await book.add({ text: text.trim() });
      onTextChange("");
      setSaid({ words: sayAdded(added), isProblem: false });
      onAdded?.(added);
    } catch (error) {
      setSaid({ words: explainProblem(error), isProblem: true });
    } finally {
      setIsAdding(false);
    }
  };
  return { add, isAdding, said, forget: () => setSaid(undefined) };
}

import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from "react";
import type { FactBook } from "../../chat/fact-book/fact-book.ts";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { explainProblem } from "./format-memories.ts";

/** Time that the message after saving stays, in milliseconds. */
const MESSAGE_TIME = 10_000;

/** A saved fact with the outcome of saving it. */
export type AddedFact = Awaited<ReturnType<FactBook["add"]>>;

/** Props of `FactComposer`. */
export interface FactComposerProps {
  /** Fact book that gets the fact. */
  readonly book: FactBook;
  /** Text of the field. Keep it outside, so that it survives when the panel closes. */
  readonly text: string;
  /** Called with the new text. */
  readonly onTextChange: (text: string) => void;
  /** Called after the fact was saved. */
  readonly onAdded?: ((added: AddedFact) => void) | undefined;
  /** Returns the message after saving, e.g. with the category of the fact. */
  readonly sayAdded: (added: AddedFact) => ReactNode;
  /** Called when the user presses Escape in the field. */
  readonly onEscape?: (() => void) | undefined;
  /** Placeholder of the field. Default: "+ Remember something…". */
  readonly placeholder?: string | undefined;
  /** Content of the button. Default: "Remember". */
  readonly submitLabel?: ReactNode;
  /** Class names of the elements. */
  readonly classNames?: {
    readonly form?: string | undefined;
    readonly input?: string | undefined;
    readonly submit?: string | undefined;
    readonly status?: string | undefined;
    readonly override?: string | undefined;
  };
  /** Ref of the field. */
  readonly ref?: Ref<HTMLInputElement>;
}

/**
 * Form to save a fact by hand. Its category is derived from the text. If saving fails, the form shows the error and
 * keeps the text.
 *
 * @param props Fact book, text, callbacks and look.
 *
 * @example
 * const [text, setText] = useState("");
 * const form = (
 *   <FactComposer book={book} text={text} onTextChange={setText} sayAdded={({ fact }) => `Saved as ${fact.category}`}
 * /> );
 */
export function FactComposer(props: FactComposerProps): ReactNode {
  const { text, onTextChange, onEscape, classNames = {}, ref } = props;
  const statusId = useId();
  const { add, save, isAdding, said: notice, forget } = useAdding(props);
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
        dir="auto"
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
      <div id={statusId} role="status" data-problem={notice?.isProblem} className={classNames.status}>
        {isAdding ? "Remembering…" : notice?.words}
        {!isAdding && notice?.isSecret === true && (
          <>
            {" "}
            <button type="button" className={classNames.override} onClick={() => void save({ keepSecrets: true })}>
              Save anyway
            </button>
          </>
        )}
      </div>
    </form>
  );
}

interface ComposerNotice {
  readonly words: ReactNode;
  readonly isProblem: boolean;
  /** The text looks like a secret; it can be saved anyway. */
  readonly isSecret?: boolean;
  /** Id of the saved fact. The message disappears with the fact. */
  readonly factId?: string;
}

function useAdding({ book, text, onTextChange, onAdded, sayAdded }: FactComposerProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [notice, setNotice] = useState<ComposerNotice>();
  const factId = notice?.factId;
  useEffect(() => {
    if (factId === undefined) return;
    let wasListed = false;
    const check = () => {
      const isListed = book.getSnapshot().facts.some(({ id }) => id === factId);
      if (wasListed && !isListed) setNotice(undefined);
      wasListed ||= isListed;
    };
    const timer = setTimeout(() => setNotice(undefined), MESSAGE_TIME);
    const unsubscribe = book.subscribe(check);
    check();
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [book, factId]);
  const save = async (options: { readonly keepSecrets?: boolean } = {}) => {
    if (text.trim() === "" || isAdding) return;
    setIsAdding(true);
    try {
      const added = await book.add({ text: text.trim(), ...options });
      onTextChange("");
      setNotice({ words: sayAdded(added), isProblem: false, factId: added.fact.id });
      onAdded?.(added);
    } catch (error) {
      setNotice({ words: explainProblem(error), isProblem: true, isSecret: error instanceof SecretRefusedError });
    } finally {
      setIsAdding(false);
    }
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return { add, save, isAdding, said: notice, forget: () => setNotice(undefined) };
}

import { CircleAlert, CircleCheck } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import type { FactBook } from "throughline/chat";
import { ClearingBar, explainProblem, RememberSelection, RemovalNotice, showFact } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { useSnapshot } from "../ui/use-snapshot.ts";
import { categoryLook } from "./cards/categories.tsx";
import styles from "./memory-toasts.module.css";
import { panelToasts, sayProblem, show, tryTo } from "./panel-toast.ts";

interface MemoryToastsProps {
  readonly book: FactBook;
  /** Called with the fact that comes back. */
  readonly onUndo?: (factId: string) => void;
}

const ICONS = { problem: <CircleAlert aria-hidden />, done: <CircleCheck aria-hidden />, plain: undefined };
const looks = { notice: styles.notice, words: styles.words, undo: styles.undo, timer: styles.timer };

/**
 * Toasts of the memories. They appear above the composer, so that they cover nothing. While the sheet is open they are
 * inside it, because elements outside are inert.
 */
export function MemoryToasts({ book, onUndo }: MemoryToastsProps) {
  const { removals } = useSnapshot(book);
  const { toasts } = useSnapshot(panelToasts);
  return (
    <section aria-label={panelCopy.notifications} aria-live="polite" className={styles.region}>
      <ol className={styles.toasts}>
        {removals.map((removal) => (
          <li key={removal.id} className={styles.toast}>
            <RemovalNotice
              book={book}
              removal={removal}
              onUndo={({ facts: [first] }) => first && onUndo?.(first.id)}
              classNames={looks}
            />
          </li>
        ))}
        {toasts.map(({ id, kind, content }) => (
          <li key={id} className={styles.toast} data-kind={kind}>
            {ICONS[kind]}
            {content}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ClearedBarProps {
  readonly book: FactBook;
  /** Called when it goes away: the clearing was undone, or its time is over. */
  readonly onOver?: (() => void) | undefined;
  readonly className?: string | undefined;
}

const clearedLooks = {
  bar: styles.bar,
  words: styles.clearedBarWords,
  undo: styles.clearedBarUndo,
  seconds: styles.seconds,
  track: styles.track,
  fill: styles.fill,
};

/** "Memory cleared · Undo · 8s" until the clear is final. It takes the focus, because the pressed button is gone. */
export function ClearedBar({ book, onOver, className }: ClearedBarProps) {
  const { clearing } = useSnapshot(book);
  const isClearing = clearing !== undefined;
  const wasClearing = useRef(isClearing);
  const undo = useRef<HTMLButtonElement>(null);
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (isClearing && !wasClearing.current) undo.current?.focus();
    if (!isClearing && wasClearing.current && hasFocus.current) onOver?.();
    wasClearing.current = isClearing;
    if (!isClearing) hasFocus.current = false;
  }, [isClearing, onOver]);
  if (!clearing) return null;
  return (
    <section
      aria-label={panelCopy.cleared}
      className={className}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    >
      <ClearingBar
        ref={undo}
        clearing={clearing}
        onUndo={() => void tryTo(() => book.undoClear())}
        classNames={clearedLooks}
      />
    </section>
  );
}

const copy = panelCopy.selection;

/** "🧠 Remember" at text that is marked in a message. */
export function RememberSelectionAction({ studio }: { readonly studio: Studio }) {
  return (
    <RememberSelection
      className={styles.button}
      hintClassName={styles.hint}
      onRemember={({ text, messageId }) => void rememberText(studio, text, messageId)}
    >
      <span aria-hidden="true">🧠</span> {copy.remember}
    </RememberSelection>
  );
}

/** Saves text of a message as a memory, and shows the outcome with an undo. */
export async function rememberText(studio: Studio, text: string, messageId?: string): Promise<void> {
  const { conversationId, isMemoryOn } = studio.getSnapshot().chat.getSnapshot();
  if (!isMemoryOn) return;
  const { book } = studio;
  const source = messageId ? { source: { conversationId, messageId } } : {};
  try {
    const { fact, outcome } = await book.add({ text, ...source });
    const id = `remembered:${fact.id}`;
    const onDone = () => panelToasts.dismiss(id);
    show(id, <Remembered book={book} fact={fact} outcome={outcome} onDone={onDone} />);
  } catch (error) {
    sayProblem(explainProblem(error));
  }
}

type Added = Awaited<ReturnType<FactBook["add"]>>;

function Remembered({ book, fact, outcome, onDone }: Added & { readonly book: FactBook; readonly onDone: () => void }) {
  const undo = async () => {
    onDone();
    await book.revert([fact.id]);
  };
  return (
    <div className={styles.notice}>
      <p className={styles.words}>
        {outcome === "merged"
          ? copy.known(showFact(fact.fact))
          : copy.saved(categoryLook[fact.category].group, showFact(fact.fact))}
      </p>
      {outcome !== "merged" && (
        <button type="button" className={styles.undo} onClick={() => void undo()}>
          {copy.undo}
        </button>
      )}
    </div>
  );
}

import type { FactBook } from "throughline/chat";
import { explainProblem, RememberSelection, showFact } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { categoryLook } from "./categories.tsx";
import toasts from "./memory-toasts.module.css";
import { panelToasts, sayProblem, show } from "./panel-toast.ts";
import styles from "./remember-selection-action.module.css";

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
    <div className={toasts.notice}>
      <p className={toasts.words}>
        {outcome === "merged"
          ? copy.known(showFact(fact.fact))
          : copy.saved(categoryLook[fact.category].group, showFact(fact.fact))}
      </p>
      {outcome !== "merged" && (
        <button type="button" className={toasts.undo} onClick={() => void undo()}>
          {copy.undo}
        </button>
      )}
    </div>
  );
}

import type { MemoryFact } from "throughline/chat";
import { showFact } from "throughline/react";
import type { Studio } from "../app/studio.ts";
import { panelCopy } from "../copy/panel.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import type { SourceWords } from "./describe-source.ts";
import styles from "./fact-card.module.css";
import { sayProblem, tryTo } from "./panel-toast.ts";

export interface SourceLineProps {
  readonly studio: Studio;
  readonly fact: MemoryFact;
  readonly source: SourceWords;
  readonly tabIndex: 0 | -1;
  /** Replaced facts, latest first. */
  readonly history: readonly MemoryFact[];
  readonly onJumped: () => void;
}

/** Source of a memory. A click goes there. */
export function SourceLine({ studio, fact, source, tabIndex, history, onJumped }: SourceLineProps) {
  const earlier = history.length > 0 && (
    <span className={styles.history} title={history.map((one) => one.fact).join("\n")}>
      {panelCopy.card.before} <bdi>{showFact(history[0]?.fact ?? "")}</bdi>
      {history.length > 1 && panelCopy.card.more(history.length - 1)}
    </span>
  );
  const shown = (
    <>
      {source.canJump && <VisuallyHidden>{panelCopy.card.fromChat} </VisuallyHidden>}
      <bdi className={styles.from}>{source.short}</bdi>
      <span className={styles.day}> · {source.day}</span>
    </>
  );
  if (!source.canJump) {
    return (
      <>
        <span className={styles.source}>{shown}</span>
        {earlier}
      </>
    );
  }
  const jump = async () => {
    const isThere = await tryTo(() =>
      studio.jumpTo({
        conversationId: fact.lastSeenConversationId,
        ...(fact.lastSeenMessageId !== undefined && { messageId: fact.lastSeenMessageId }),
      }),
    );
    if (isThere) onJumped();
    else if (isThere === false) sayProblem(panelCopy.card.messageGone);
  };
  return (
    <>
      <button
        type="button"
        tabIndex={tabIndex}
        className={styles.source}
        title={fact.quote ? `${source.words}: ${fact.quote}` : source.words}
        onClick={() => void jump()}
      >
        {shown}
      </button>
      {earlier}
    </>
  );
}

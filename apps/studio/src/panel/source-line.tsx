import type { MemoryFact } from "throughline/chat";
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
  readonly onJumped: () => void;
}

/** Where a memory came from. A click goes there. */
export function SourceLine({ studio, fact, source, tabIndex, onJumped }: SourceLineProps) {
  const shown = (
    <>
      {source.canJump && <VisuallyHidden>{panelCopy.card.fromChat} </VisuallyHidden>}
      <bdi className={styles.from}>{source.short}</bdi>
      <span className={styles.day}> · {source.day}</span>
    </>
  );
  if (!source.canJump) return <span className={styles.source}>{shown}</span>;
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
    <button
      type="button"
      tabIndex={tabIndex}
      className={styles.source}
      title={fact.quote ? `${source.words}: ${fact.quote}` : source.words}
      onClick={() => void jump()}
    >
      {shown}
    </button>
  );
}

import { ArrowDown } from "lucide-react";
import { useMemo, useState } from "react";
import { chatCopy } from "../../../copy/chat.ts";
import { Button } from "../../../ui/button.tsx";
import type { ChatState } from "../../chat.ts";
import { CondensedNote } from "./condensed-note.tsx";
import { type ListRow, listRows } from "./list-rows.ts";
import { LogFrame } from "./log-frame.tsx";
import { MessageBubble, type MessageVerbs, Thinking } from "./message-bubble.tsx";
import styles from "./message-list.module.css";
import type { Jump } from "./use-jump.ts";
import { useMessageScrolling } from "./use-message-scrolling.ts";

export interface ListVerbs extends Omit<MessageVerbs, "startEdit"> {
  undoCondensing(eventId: string): void;
}

export interface MessageListProps {
  readonly state: Pick<ChatState, "messages" | "notes" | "isAnswering" | "isCondensing">;
  /** A model is selected. */
  readonly canAnswer: boolean;
  readonly verbs: ListVerbs;
  /** Number of summaries that were asked for. */
  readonly summaries: number;
  /** Go to this message now. */
  readonly jump?: Jump | undefined;
  /** Called after a jump; `isFound` is false if the message is not here. */
  readonly onJumped: (jump: Jump, isFound: boolean) => void;
}

/** The conversation. Only rows on screen are in the page. */
export function MessageList({ state, canAnswer, verbs, summaries, jump, onJumped }: MessageListProps) {
  const { messages, notes, isAnswering, isCondensing } = state;
  const [editedId, startEdit] = useState<string>();
  const rows = useMemo(
    () => listRows({ messages, notes, isAnswering, isCondensing }),
    [messages, notes, isAnswering, isCondensing],
  );
  const last = messages.at(-1);
  const lastSaidId = last?.role === "user" ? last.id : undefined;
  const { scroller, virtualizer, holdRow, canJump, followEnd, goToStart, targetId } = useMessageScrolling({
    rows,
    editedId,
    jump,
    onJumped,
    askedFor: isAnswering ? "an answer" : lastSaidId,
    summaries,
  });
  const rowVerbs = useMemo<MessageVerbs>(() => ({ ...verbs, startEdit }), [verbs]);

  const canRetry = canAnswer && !isAnswering && !isCondensing;

  return (
    <div className={styles.frame}>
      <LogFrame scroller={scroller} onRow={holdRow} onHome={goToStart} onEnd={followEnd}>
        <div ref={virtualizer.containerRef} className={styles.rows}>
          {virtualizer.getVirtualItems().map(({ key, index }) => (
            <div key={key} data-index={index} data-key={key} ref={virtualizer.measureElement} className={styles.row}>
              <Row
                row={rows[index]}
                position={index + 1}
                total={rows.length}
                isEditing={key === editedId}
                isTarget={key === targetId}
                canRetry={canRetry && key === last?.id}
                verbs={rowVerbs}
                onUndo={verbs.undoCondensing}
              />
            </div>
          ))}
        </div>
      </LogFrame>
      {canJump && (
        <Button className={styles.latest} onClick={followEnd}>
          <ArrowDown aria-hidden /> {chatCopy.message.toLatest}
        </Button>
      )}
    </div>
  );
}

interface RowProps extends Omit<React.ComponentProps<typeof MessageBubble>, "message"> {
  readonly row: ListRow | undefined;
  readonly onUndo: ListVerbs["undoCondensing"];
}

function Row({ row, onUndo, ...rest }: RowProps) {
  if (row?.kind === "message") return <MessageBubble message={row.message} {...rest} />;
  if (row?.kind === "note") return <CondensedNote note={row.note} onUndo={onUndo} />;
  return (
    <div className={styles.waiting}>
      <Thinking text={row?.text ?? ""} />
    </div>
  );
}

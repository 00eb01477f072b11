import type { PendingRemoval } from "../../../app/storage/pending-removals.ts";
import { frameCopy } from "../../../copy/frame.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./search-chats.module.css";

interface RemovedConversationsProps {
  readonly removed: readonly PendingRemoval[];
  readonly onUndo: (conversationId: string) => void;
}

const { row: copy } = frameCopy;

/** Conversations that were just deleted, each with an undo. */
export function RemovedConversations({ removed, onUndo }: RemovedConversationsProps) {
  return removed.map(({ conversationId, title }) => (
    <p key={conversationId} className={styles.removed}>
      <span className={styles.gone}>
        {copy.gone} “<bdi>{title}</bdi>”
      </span>
      <Button kind="link" aria-label={copy.undoDelete(title)} onClick={() => onUndo(conversationId)}>
        {copy.undo}
      </Button>
    </p>
  ));
}

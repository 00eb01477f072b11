import type { PendingRemoval } from "../../../app/pending-removals.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./search-chats.module.css";

interface RemovedConversationsProps {
  readonly removed: readonly PendingRemoval[];
  readonly onUndo: (conversationId: string) => void;
}

/** Conversations that were just deleted, each with the way back. */
export function RemovedConversations({ removed, onUndo }: RemovedConversationsProps) {
  return removed.map(({ conversationId, title }) => (
    <p key={conversationId} className={styles.removed}>
      “<bdi>{title}</bdi>” deleted ·{" "}
      <Button kind="link" aria-label={`Undo deleting ${title}`} onClick={() => onUndo(conversationId)}>
        Undo
      </Button>
    </p>
  ));
}

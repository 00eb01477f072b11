import { X } from "lucide-react";
import { chatCopy } from "../../../copy/chat.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import type { QueuedMessage } from "../../chat.ts";
import styles from "./queued-messages.module.css";

const { composer: copy } = chatCopy;

export interface QueuedMessagesProps {
  readonly queued: readonly QueuedMessage[];
  /** Takes a message out of the queue, to be changed. */
  readonly onCancel: (id: string) => void;
}

/** Queued messages, which wait for the end of the current answer. */
export function QueuedMessages({ queued, onCancel }: QueuedMessagesProps) {
  if (queued.length === 0) return null;
  return (
    <ul className={styles.queue} aria-label={copy.queue}>
      {queued.map(({ id, text, attachments }) => (
        <li key={id} className={styles.queued}>
          <span>{copy.queued}</span>
          <bdi className={styles.words}>
            {[text, ...attachments.map(({ name }) => name)].filter(Boolean).join(" · ")}
          </bdi>
          <IconButton size="small" label={copy.editQueued} icon={<X aria-hidden />} onClick={() => onCancel(id)} />
        </li>
      ))}
    </ul>
  );
}

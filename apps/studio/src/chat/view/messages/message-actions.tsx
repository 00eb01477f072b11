import { Bookmark, Check, Copy, Pencil, RotateCcw } from "lucide-react";
import { chatCopy } from "../../../copy/chat.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { useCopied } from "../use-copied.ts";
import styles from "./message-actions.module.css";

const { message: copy } = chatCopy;

export interface MessageActionsProps {
  readonly text: string;
  readonly onRemember?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** Actions of a message. With a pointer they appear on hover or focus. */
export function MessageActions({ text, onRemember, onEdit, onRetry }: MessageActionsProps) {
  const { isCopied, copy: copyText } = useCopied();
  return (
    <div className={styles.actions}>
      {isCopied && (
        <span className={styles.copied} aria-hidden>
          {chatCopy.copy.copied}
        </span>
      )}
      {text !== "" && (
        <IconButton
          size="small"
          label={copy.copy}
          icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
          onClick={() => copyText(text)}
        />
      )}
      {onRemember && (
        <IconButton size="small" label={copy.remember} icon={<Bookmark aria-hidden />} onClick={onRemember} />
      )}
      {onEdit && <IconButton size="small" label={copy.edit} icon={<Pencil aria-hidden />} onClick={onEdit} />}
      {onRetry && (
        <IconButton size="small" label={copy.regenerate} icon={<RotateCcw aria-hidden />} onClick={onRetry} />
      )}
    </div>
  );
}

import { Bookmark, Check, Copy, Pencil, RotateCcw } from "lucide-react";
import { IconButton } from "../../../ui/icon-button.tsx";
import { useCopied } from "../use-copied.ts";
import styles from "./message-actions.module.css";

export interface MessageActionsProps {
  readonly text: string;
  readonly onRemember?: (() => void) | undefined;
  readonly onEdit?: (() => void) | undefined;
  readonly onRetry?: (() => void) | undefined;
}

/** Actions of a message. With a pointer they appear on hover or focus. */
export function MessageActions({ text, onRemember, onEdit, onRetry }: MessageActionsProps) {
  const { isCopied, copy } = useCopied();
  return (
    <div className={styles.actions}>
      {isCopied && (
        <span className={styles.copied} aria-hidden>
          Copied
        </span>
      )}
      <IconButton
        size="small"
        label="Copy message"
        icon={isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
        onClick={() => copy(text)}
      />
      {onRemember && (
        <IconButton size="small" label="Remember this" icon={<Bookmark aria-hidden />} onClick={onRemember} />
      )}
      {onEdit && <IconButton size="small" label="Edit and resend" icon={<Pencil aria-hidden />} onClick={onEdit} />}
      {onRetry && <IconButton size="small" label="Regenerate" icon={<RotateCcw aria-hidden />} onClick={onRetry} />}
    </div>
  );
}

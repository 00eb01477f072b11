import { CircleDashed } from "lucide-react";
import { useRef } from "react";
import { chatCopy } from "../../copy/chat.ts";
import type { ChatState } from "../chat.ts";
import styles from "./chat-title.module.css";
import { RenameField } from "./rename-field.tsx";

export interface ChatTitleProps {
  readonly state: Pick<ChatState, "title" | "isTemporary">;
  readonly isRenaming: boolean;
  readonly onRenaming: (isRenaming: boolean) => void;
  readonly onRename: (title: string) => void;
}

/** Title of a conversation; a click or F2 renames it in place. A temporary one has no name. */
export function ChatTitle({ state, isRenaming, onRenaming, onRename }: ChatTitleProps) {
  const name = useRef<HTMLButtonElement>(null);
  const finish = (title: string | undefined) => {
    onRenaming(false);
    if (title !== undefined) onRename(title);
    requestAnimationFrame(() => name.current?.focus());
  };
  if (state.isTemporary) {
    return (
      <h1 className={styles.title}>
        <span className={styles.temporary}>
          <CircleDashed aria-hidden /> {chatCopy.temporary}
        </span>
      </h1>
    );
  }
  return (
    <h1 className={styles.title}>
      {isRenaming ? (
        <RenameField title={state.title} onDone={finish} />
      ) : (
        <button
          ref={name}
          type="button"
          dir="auto"
          className={styles.name}
          title={chatCopy.header.renameHint}
          onClick={() => onRenaming(true)}
          onKeyDown={(event) => event.key === "F2" && onRenaming(true)}
        >
          {state.title}
        </button>
      )}
    </h1>
  );
}

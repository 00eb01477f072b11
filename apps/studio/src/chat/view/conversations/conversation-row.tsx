import { Menu } from "@base-ui/react/menu";
import { Ellipsis } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import type { Conversation } from "throughline/dexie";
import { frameCopy } from "../../../copy/frame.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { RenameField } from "../../../ui/controls/rename-field.tsx";
import styles from "./conversation-row.module.css";

const { row } = frameCopy;

/** `renaming`: its title is in a field; `erasing`: a question asks for confirmation. */
export type RowState = "shown" | "renaming" | "erasing";

interface ConversationRowProps {
  readonly conversation: Conversation;
  /** The one menu of the list. */
  readonly menu: Menu.Handle<Conversation>;
  readonly isCurrent: boolean;
  /** The one row that Tab comes to; arrows go on from there. */
  readonly isTabStop: boolean;
  readonly state: RowState;
  readonly onState: (state: RowState) => void;
  readonly onOpen: () => void;
  readonly onRename: (title: string) => void;
  readonly onErase: (options: { readonly alsoMemories: boolean }) => void;
}

export function ConversationRow(props: ConversationRowProps) {
  const { conversation, state, onState, onRename } = props;
  if (state === "renaming") {
    return (
      <li className={styles.row}>
        <RenameField
          title={conversation.title}
          onDone={(title) => {
            if (title !== undefined) onRename(title);
            onState("shown");
          }}
        />
      </li>
    );
  }
  return <li className={styles.row}>{state === "erasing" ? <AskToErase {...props} /> : <ShownRow {...props} />}</li>;
}

function ShownRow({ conversation, menu, isCurrent, isTabStop, onState, onOpen }: ConversationRowProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "F2") onState("renaming");
    else if (event.key === "Delete") onState("erasing");
  };
  return (
    <>
      <button
        type="button"
        dir="auto"
        data-conversation={conversation.id}
        className={classNames(styles.open, isCurrent && styles.current)}
        aria-current={isCurrent ? "page" : undefined}
        tabIndex={isTabStop ? 0 : -1}
        onClick={onOpen}
        onDoubleClick={() => onState("renaming")}
        onKeyDown={onKeyDown}
      >
        {conversation.title}
      </button>
      <Menu.Trigger
        handle={menu}
        payload={conversation}
        className={styles.more}
        aria-label={row.more(conversation.title)}
        tabIndex={isTabStop ? 0 : -1}
      >
        <Ellipsis aria-hidden />
      </Menu.Trigger>
    </>
  );
}

/** Asks in the row of the conversation, with the choice to delete its memories too. */
function AskToErase({ conversation, onState, onErase }: ConversationRowProps) {
  const [alsoMemories, setAlsoMemories] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onState("shown");
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and the question is its name
    <div className={styles.ask} role="group" aria-label={row.deleteName(conversation.title)} onKeyDown={onKeyDown}>
      <p>{row.deleteQuestion(conversation.title)}</p>
      <label className={styles.also}>
        <input
          type="checkbox"
          checked={alsoMemories}
          onChange={(event) => setAlsoMemories(event.currentTarget.checked)}
        />
        {row.alsoMemories}
      </label>
      <Button kind="danger" onClick={() => onErase({ alsoMemories })}>
        {row.delete}
      </Button>
      <Button kind="quiet" autoFocus onClick={() => onState("shown")}>
        {row.cancel}
      </Button>
    </div>
  );
}

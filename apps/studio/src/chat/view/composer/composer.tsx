import { ArrowUp, Square } from "lucide-react";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { chatCopy } from "../../../copy/chat.ts";
import type { Attachment } from "../../attachments.ts";
import type { SendOptions } from "../../chat-state.ts";
import { AttachButton, AttachedFiles, useFiles } from "./attached-files.tsx";
import styles from "./composer.module.css";
import { tabDrafts } from "./drafts.ts";
import { GrowingTextarea, isSendKey } from "./growing-textarea.tsx";

const { composer: copy } = chatCopy;

export interface ComposerHandle {
  focus(): void;
  /** Puts text into the field, and adds files, for the person to finish. */
  fill(text: string, attachments?: readonly Attachment[]): void;
}

export interface ComposerProps {
  readonly conversationId: string;
  readonly isTemporary: boolean;
  readonly isAnswering: boolean;
  /** Calls `onKept` as soon as the message is saved. Returns `false` if it was not: then it returns to the field. */
  readonly onSend: (text: string, options: SendOptions) => Promise<boolean>;
  readonly onStop: () => void;
  /** Reads a file to attach. Rejects with a message for the person if it cannot be sent. */
  readonly readFile: (file: File) => Promise<Attachment>;
  readonly onProblem: (text: string) => void;
  /** Notice before sending: no model is chosen, or one is loading. */
  readonly notice?: ReactNode;
  readonly modelPicker?: ReactNode;
  /** Destination of the message. */
  readonly hint?: ReactNode;
  readonly ref?: Ref<ComposerHandle>;
}

/** The message field. Enter sends; a draft stays until the tab is closed. */
export function Composer(props: ComposerProps) {
  const { conversationId, isTemporary, isAnswering, onSend, onStop, notice, modelPicker, hint, ref } = props;
  const files = useFiles(props);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => tabDrafts.read(conversationId));
  const write = (next: string) => {
    setText(next);
    tabDrafts.write(conversationId, next, { isTemporary });
  };
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fill(words, attachments = []) {
      write(words);
      files.put(attachments);
      field.current?.focus();
    },
  }));
  // While an answer is written, messages are queued.
  const canSend = !files.isReading && (text.trim() !== "" || files.attachments.length > 0);
  const submit = async (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!canSend) return;
    setText("");
    const { attachments } = files;
    files.clear();
    // The draft stays until the message is saved: after a reload in between, it is in the field.
    const isKept = await onSend(text.trim(), { attachments, onKept: () => tabDrafts.take(conversationId, text) });
    if (isKept) return tabDrafts.take(conversationId, text);
    if (field.current?.value === "") write(text);
    files.put(attachments);
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      {notice}
      <div className={styles.box}>
        <AttachedFiles attachments={files.attachments} onRemove={files.remove} />
        <GrowingTextarea
          fieldRef={(element) => {
            field.current = element;
          }}
          className={styles.field}
          aria-label={copy.message}
          placeholder={copy.placeholder}
          enterKeyHint="send"
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => isSendKey(event.nativeEvent) && submit(event)}
          onPaste={files.paste}
        />
        <div className={styles.bar}>
          {modelPicker}
          <AttachButton onFiles={files.add} />
          <span className={styles.hint}>{hint}</span>
          <SendButtons isAnswering={isAnswering} canSend={canSend} onStop={onStop} />
        </div>
      </div>
    </form>
  );
}

interface SendButtonsProps extends Pick<ComposerProps, "isAnswering" | "onStop"> {
  readonly canSend: boolean;
}

function SendButtons({ isAnswering, canSend, onStop }: SendButtonsProps) {
  // Two elements with keys: a click on a button that changes from stop to send would send the draft.
  return (
    <>
      {isAnswering && (
        <button key="stop" type="button" className={styles.send} onClick={onStop} aria-label={copy.stopReply}>
          <Square aria-hidden fill="currentColor" /> {copy.stop}
        </button>
      )}
      {(!isAnswering || canSend) && (
        <button
          key="send"
          type="submit"
          className={styles.send}
          disabled={!canSend}
          aria-label={isAnswering ? copy.sendLater : copy.send}
        >
          <ArrowUp aria-hidden />
        </button>
      )}
    </>
  );
}

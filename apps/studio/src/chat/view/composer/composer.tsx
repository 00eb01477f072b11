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
import styles from "./composer.module.css";
import { tabDrafts } from "./drafts.ts";
import { GrowingTextarea } from "./growing-textarea.tsx";
import { isSendKey } from "./is-send-key.ts";

export interface ComposerHandle {
  focus(): void;
  /** Puts words into the field, for the person to finish. */
  fill(text: string): void;
}

export interface ComposerProps {
  readonly conversationId: string;
  readonly isTemporary: boolean;
  readonly isAnswering: boolean;
  /** Calls `onKept` as soon as the words are kept, and gives back `false` where they were not; they then come back into the field. */
  readonly onSend: (text: string, onKept: () => void) => Promise<boolean>;
  readonly onStop: () => void;
  /** What has to be known before sending: that no model is chosen, that one is being loaded. */
  readonly notice?: ReactNode;
  readonly modelPicker?: ReactNode;
  /** Where the words go. */
  readonly hint?: ReactNode;
  readonly ref?: Ref<ComposerHandle>;
}

/** Where the person writes. Enter sends; what is not sent stays here until the tab is closed. */
export function Composer(props: ComposerProps) {
  const { conversationId, isTemporary, isAnswering, onSend, onStop, notice, modelPicker, hint, ref } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => tabDrafts.read(conversationId));
  const write = (next: string) => {
    setText(next);
    tabDrafts.write(conversationId, next, { isTemporary });
  };
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    fill(words) {
      write(words);
      field.current?.focus();
    },
  }));
  const canSend = text.trim() !== "" && !isAnswering;
  const submit = async (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!canSend) return;
    setText("");
    // Until they are kept they stay with the tab: who reloads in this moment finds them in the field.
    const isKept = await onSend(text.trim(), () => tabDrafts.take(conversationId, text));
    if (isKept) tabDrafts.take(conversationId, text);
    else if (field.current?.value === "") write(text);
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      {notice}
      <div className={styles.box}>
        <GrowingTextarea
          fieldRef={(element) => {
            field.current = element;
          }}
          className={styles.field}
          aria-label="Message"
          placeholder="Message…"
          enterKeyHint="send"
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => isSendKey(event.nativeEvent) && submit(event)}
        />
        <div className={styles.bar}>
          {modelPicker}
          <span className={styles.hint}>{hint}</span>
          <SendButton isAnswering={isAnswering} canSend={canSend} onStop={onStop} />
        </div>
      </div>
    </form>
  );
}

interface SendButtonProps extends Pick<ComposerProps, "isAnswering" | "onStop"> {
  readonly canSend: boolean;
}

function SendButton({ isAnswering, canSend, onStop }: SendButtonProps) {
  // Two buttons, by their keys: one that became the other within a click would send what is in the field.
  return isAnswering ? (
    <button key="stop" type="button" className={styles.send} onClick={onStop} aria-label="Stop the reply">
      <Square aria-hidden fill="currentColor" /> Stop
    </button>
  ) : (
    <button key="send" type="submit" className={styles.send} disabled={!canSend} aria-label="Send">
      <ArrowUp aria-hidden />
    </button>
  );
}

import { CircleAlert, Info, X } from "lucide-react";
import { chatCopy } from "../../copy/chat.ts";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import styles from "./chat-notice.module.css";

/** A problem, or the result of an action. */
export interface Notice {
  readonly kind: "problem" | "word";
  readonly text: string;
}

/** Shows a notice above the composer. */
export function ChatNotice({ notice, onDismiss }: { readonly notice: Notice; readonly onDismiss: () => void }) {
  const isProblem = notice.kind === "problem";
  return (
    <div className={styles.notice} data-kind={notice.kind} role={isProblem ? "alert" : "status"}>
      {isProblem ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      <p>{notice.text}</p>
      <IconButton size="small" label={chatCopy.dismiss} icon={<X aria-hidden />} onClick={onDismiss} />
    </div>
  );
}

const { demo: copy } = chatCopy;

/** Marks the demo, which has its own memories, and removes it. */
export function DemoNotice({ onRemove }: { readonly onRemove: () => void }) {
  return (
    <p className={styles.demoNoticeNotice}>
      <strong>{copy.title}</strong> {copy.words}{" "}
      <Button kind="link" onClick={onRemove}>
        {copy.remove}
      </Button>
    </p>
  );
}

import { CircleAlert, Info, X } from "lucide-react";
import { chatCopy } from "../../copy/chat.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./chat-notice.module.css";

/** A problem, or the result of an action. */
export interface Notice {
  readonly kind: "problem" | "word";
  readonly text: string;
}

export interface ChatNoticeProps {
  readonly notice: Notice;
  readonly onDismiss: () => void;
}

/** Shows a notice above the composer. */
export function ChatNotice({ notice, onDismiss }: ChatNoticeProps) {
  const isProblem = notice.kind === "problem";
  return (
    <div className={styles.notice} data-kind={notice.kind} role={isProblem ? "alert" : "status"}>
      {isProblem ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      <p>{notice.text}</p>
      <IconButton size="small" label={chatCopy.dismiss} icon={<X aria-hidden />} onClick={onDismiss} />
    </div>
  );
}

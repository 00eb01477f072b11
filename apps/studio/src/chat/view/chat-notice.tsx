import { CircleAlert, Info, X } from "lucide-react";
import { IconButton } from "../../ui/icon-button.tsx";
import styles from "./chat-notice.module.css";

/** Something to be told: what went wrong, or why nothing happened. */
export interface Notice {
  readonly kind: "problem" | "word";
  readonly text: string;
}

export interface ChatNoticeProps {
  readonly notice: Notice;
  readonly onDismiss: () => void;
}

/** Tells something where the person is looking. */
export function ChatNotice({ notice, onDismiss }: ChatNoticeProps) {
  const isProblem = notice.kind === "problem";
  return (
    <div className={styles.notice} data-kind={notice.kind} role={isProblem ? "alert" : "status"}>
      {isProblem ? <CircleAlert aria-hidden /> : <Info aria-hidden />}
      <p>{notice.text}</p>
      <IconButton size="small" label="Dismiss" icon={<X aria-hidden />} onClick={onDismiss} />
    </div>
  );
}

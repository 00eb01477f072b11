import { chatCopy } from "../../../copy/chat.ts";
import { classNames } from "../../../ui/class-names.ts";
import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import styles from "./message-skeleton.module.css";

/** Widths in percent; a question, and the lines of its answer. */
const EXCHANGES = [
  [46, 92, 97, 58],
  [34, 88, 74],
] as const;

/** A conversation that is being read, in the shape it will have. */
export function MessageSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">{chatCopy.loading}</VisuallyHidden>
      {EXCHANGES.flatMap((widths) =>
        widths.map((width, at) => (
          <div
            key={width}
            className={classNames(styles.line, at === 0 && styles.said)}
            style={{ width: `${width}%` }}
          />
        )),
      )}
    </div>
  );
}

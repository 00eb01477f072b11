import { VisuallyHidden } from "../../../ui/visually-hidden.tsx";
import styles from "./message-skeleton.module.css";

const widths = [46, 82, 34, 74, 58, 88];

/** A conversation that is being read, in the shape it will have. */
export function MessageSkeleton() {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden role="status">Loading the conversation</VisuallyHidden>
      {widths.map((width) => (
        <div key={width} className={styles.line} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

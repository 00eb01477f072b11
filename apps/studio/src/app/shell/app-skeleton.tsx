import { frameCopy } from "../../copy/frame.ts";
import { Mark } from "../../ui/mark.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import styles from "./app-skeleton.module.css";

/** The frame while the data of this device is being opened. */
export function AppSkeleton() {
  return (
    <div className={styles.app} aria-busy="true">
      <VisuallyHidden role="status">{frameCopy.loading}</VisuallyHidden>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Mark /> {frameCopy.name}
        </p>
        <span className={styles.line} style={{ width: "40%" }} />
        <span className={styles.line} style={{ width: "56%" }} />
      </div>
      <div className={styles.place}>
        <span className={styles.line} style={{ width: "44%" }} />
        <span className={styles.line} style={{ width: "68%" }} />
        <div className={styles.box} />
      </div>
    </div>
  );
}

import { panelCopy } from "../copy/panel.ts";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import styles from "./states.module.css";

const WIDTHS = ["72%", "54%", "84%", "63%", "48%", "77%"];

/** The cards before they are there. */
export function LoadingState() {
  return (
    <div aria-busy="true" className={styles.loading}>
      <VisuallyHidden role="status">{panelCopy.loading}</VisuallyHidden>
      {WIDTHS.map((width) => (
        <div key={width} aria-hidden="true" className={styles.skeleton}>
          <span style={{ width }} />
          <span style={{ width: "40%" }} />
        </div>
      ))}
    </div>
  );
}

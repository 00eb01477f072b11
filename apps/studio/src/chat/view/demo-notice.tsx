import { Button } from "../../ui/button.tsx";
import styles from "./demo-notice.module.css";

/** Says that what is shown is the demo, whose memories are its own, and takes it away. */
export function DemoNotice({ onRemove }: { readonly onRemove: () => void }) {
  return (
    <p className={styles.notice}>
      <strong>Demo.</strong> It has its own memories; yours are untouched.{" "}
      <Button kind="link" onClick={onRemove}>
        Remove demo
      </Button>
    </p>
  );
}

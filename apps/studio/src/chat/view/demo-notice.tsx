import { chatCopy } from "../../copy/chat.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./demo-notice.module.css";

const { demo: copy } = chatCopy;

/** Marks the demo, which has its own memories, and removes it. */
export function DemoNotice({ onRemove }: { readonly onRemove: () => void }) {
  return (
    <p className={styles.notice}>
      <strong>{copy.title}</strong> {copy.words}{" "}
      <Button kind="link" onClick={onRemove}>
        {copy.remove}
      </Button>
    </p>
  );
}

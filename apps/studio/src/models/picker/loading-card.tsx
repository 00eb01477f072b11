import { Progress } from "@base-ui/react/progress";
import { modelCopy } from "../../copy/models.ts";
import { Button } from "../../ui/button.tsx";
import type { ModelLoading } from "../chat-model.ts";
import styles from "./loading-card.module.css";

export interface LoadingCardProps {
  readonly loading: ModelLoading;
  readonly onCancel: () => void;
}

/** A model that is being opened: the step, its progress, and a button to cancel. */
export function LoadingCard({ loading: { label, text, progress }, onCancel }: LoadingCardProps) {
  return (
    <div className={styles.card}>
      <Progress.Root className={styles.progress} value={progress === undefined ? null : Math.round(progress * 100)}>
        <Progress.Label className={styles.label}>{label}</Progress.Label>
        <Progress.Value className={styles.value} />
        <Progress.Track className={styles.track}>
          <Progress.Indicator className={styles.indicator} />
        </Progress.Track>
      </Progress.Root>
      <div className={styles.row}>
        <span className={styles.text}>{text}</span>
        <Button kind="link" onClick={onCancel}>
          {modelCopy.cancel}
        </Button>
      </div>
    </div>
  );
}

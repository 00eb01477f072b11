import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import styles from "./page.module.css";

interface StateLineProps {
  readonly problem: string | undefined;
  readonly onRetry: () => void;
}

/** Stands for content that is loading, or says why it is not there. */
export function StateLine({ problem, onRetry }: StateLineProps) {
  if (problem === undefined) return <p className={styles.soft}>{copy.loading}</p>;
  return (
    <div className={styles.actions} role="alert">
      <p className={styles.problem}>{problem}</p>
      <Button onClick={onRetry}>{copy.retry}</Button>
    </div>
  );
}

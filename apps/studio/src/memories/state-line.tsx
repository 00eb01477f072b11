import { memoriesCopy as copy } from "../copy/memories.ts";
import { Button } from "../ui/button.tsx";
import { VisuallyHidden } from "../ui/visually-hidden.tsx";
import styles from "./page.module.css";

interface StateLineProps {
  readonly problem: string | undefined;
  readonly onRetry: () => void;
}

/** Placeholder for content that is loading, with the reason if it failed. */
export function StateLine({ problem, onRetry }: StateLineProps) {
  if (problem === undefined) return <Skeleton />;
  return (
    <div className={styles.failure} role="alert">
      <p className={styles.problem}>{problem}</p>
      <Button onClick={onRetry}>{copy.retry}</Button>
    </div>
  );
}

/** Lines of the shape of a memory, while it is read. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div className={styles.skeleton}>
      <VisuallyHidden>{copy.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={row} aria-hidden>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

import styles from "./app.module.css";
import { wordsOf } from "./store-problems.ts";

/** What stands in the page when it could not be opened. */
export function OpeningFailed({ error }: { readonly error: unknown }) {
  return (
    <main className={styles.failed}>
      <h1>Throughline couldn't be opened</h1>
      <p>{wordsOf(error)}</p>
      <p>Your data on this device is safe. Close other Throughline tabs and reload.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </main>
  );
}

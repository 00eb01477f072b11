import styles from "./app.module.css";
import { wordsOf } from "./store-problems.ts";

/** What stands in the page when it could not be opened. */
export function OpeningFailed({ error }: { readonly error: unknown }) {
  return (
    <main className={styles.failed}>
      <h1>Throughline could not be opened</h1>
      <p>{wordsOf(error)}</p>
      <p>What you kept on this device is untouched. Close other tabs of Throughline and reload.</p>
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    </main>
  );
}

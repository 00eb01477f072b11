import { frameCopy } from "../../copy/frame.ts";
import { wordsOf } from "../store-problems.ts";
import styles from "./app.module.css";

const { failed } = frameCopy;

/** The page if the Studio could not be opened. */
export function OpeningFailed({ error }: { readonly error: unknown }) {
  return (
    <main className={styles.failed}>
      <h1>{failed.title}</h1>
      <p>{wordsOf(error)}</p>
      <p>{failed.words}</p>
      <button type="button" onClick={() => location.reload()}>
        {failed.reload}
      </button>
    </main>
  );
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { StoreTransaction } from "./sql-driver.ts";

/** Writes something more in a transaction whose own result is known. */
type Note = (tx: StoreTransaction, result: unknown) => Promise<void>;

const pending = new AsyncLocalStorage<Note>();

/** Runs `write`; `note` is called at the end of each of its write transactions, before the commit. */
export function runWithNote<T>(note: Note, write: () => Promise<T>): Promise<T> {
  return pending.run(note, write);
}

/** The work of a write transaction, with the note that the caller asked for. */
export function withNote<T>(work: (tx: StoreTransaction) => Promise<T>): (tx: StoreTransaction) => Promise<T> {
  const note = pending.getStore();
  if (note === undefined) return work;
  return async (tx) => {
    const result = await work(tx);
    await note(tx, result);
    return result;
  };
}

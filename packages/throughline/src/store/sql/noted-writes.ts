import { AsyncLocalStorage } from "node:async_hooks";
import type { StoreTransaction } from "./sql-driver.ts";

/** Writes more rows in a transaction, given its result. */
type Note = (tx: StoreTransaction, result: unknown) => Promise<void>;

const pending = new AsyncLocalStorage<Note>();

/**
 * Runs `write`, and calls `note` at the end of each of its write transactions, before the commit, after the notes of
 * callers further out.
 */
export function runWithNote<T>(note: Note, write: () => Promise<T>): Promise<T> {
  const outer = pending.getStore();
  const both: Note = async (tx, result) => {
    await outer?.(tx, result);
    await note(tx, result);
  };
  return pending.run(outer === undefined ? note : both, write);
}

/** Adds the pending note to the work of a write transaction. */
export function withNote<T>(work: (tx: StoreTransaction) => Promise<T>): (tx: StoreTransaction) => Promise<T> {
  const note = pending.getStore();
  if (note === undefined) return work;
  return async (tx) => {
    const result = await work(tx);
    await note(tx, result);
    return result;
  };
}

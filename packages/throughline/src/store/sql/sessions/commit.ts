import type { Commit, SessionKey } from "../../../ports/store.ts";
import { searchedById } from "../dialect.ts";
import { pack } from "../pack.ts";
import { isCount, numberOf, toStoredText } from "../row-values.ts";
import type { SqlValue, StoreDatabase } from "../sql-driver.ts";
import { forLists, insertRows, type Table } from "../statements.ts";
import { PARTS } from "./message-rows.ts";
import { COMPACTIONS, compactionValues, RECEIPTS, receiptValues, STATES } from "./session-rows.ts";
import { type SessionScope, writeSession } from "./session-scope.ts";
import { insertUnique } from "./unique-ids.ts";

/** Writes the whole commit; `false` if another writer committed since. */
export async function writeCommit(database: StoreDatabase, key: SessionKey, commit: Commit): Promise<boolean> {
  if (!isCount(commit.revision)) return false;
  const { compactions = [], receipts = [], marks = new Map<string, number>() } = commit;
  // Built before the transaction starts, so that others do not wait.
  const state = pack(commit.state);
  const compactionRows = compactions.map(compactionValues);
  const receiptRows = receipts.map(receiptValues);
  return writeSession(database, key, async (session) => {
    const before = await countUp(session, commit);
    if (before === undefined) return false;
    if (commit.state !== undefined) await insertRows(session.tx, STATES, [[...session.names, ...state]]);
    await add(session, COMPACTIONS, { at: before.compactions, values: compactions, rows: compactionRows });
    await add(session, RECEIPTS, { at: before.receipts, values: receipts, rows: receiptRows });
    await mark(session, marks);
    return true;
  });
}

/** The number of rows before. */
interface Counts {
  readonly compactions: number;
  readonly receipts: number;
}

async function countUp({ tx, names }: SessionScope, commit: Commit): Promise<Counts | undefined> {
  const { revision, compactions = [], receipts = [] } = commit;
  const now = Date.now();
  const lastCompactionAt = compactions.at(-1)?.createdAt ?? null;
  const counts = [compactions.length, receipts.length, lastCompactionAt];
  const [row] = await tx.all(
    `UPDATE sessions SET revision = revision + 1, updated_at = ?, compaction_count = compaction_count + ?,
       receipt_count = receipt_count + ?, last_compaction_at = COALESCE(?, last_compaction_at)
     WHERE owner = ? AND id = ? AND revision = ?
     RETURNING compaction_count, receipt_count`,
    [now, ...counts, ...names, revision],
  );
  if (row !== undefined) {
    return {
      compactions: numberOf(row, "compaction_count") - compactions.length,
      receipts: numberOf(row, "receipt_count") - receipts.length,
    };
  }
  if (revision !== 0) return undefined;
  // Another writer may have created the row meanwhile, for something other than its first commit.
  const created = await tx.run(
    `INSERT INTO sessions (owner, id, created_at, updated_at, revision, compaction_count, receipt_count, last_compaction_at)
     VALUES (?, ?, ?, ?, 1, ?, ?, ?)
     ON CONFLICT (owner, id) DO UPDATE SET revision = excluded.revision, updated_at = excluded.updated_at,
       compaction_count = excluded.compaction_count, receipt_count = excluded.receipt_count,
       last_compaction_at = excluded.last_compaction_at
     WHERE sessions.revision = 0`,
    [...names, now, now, ...counts],
  );
  return created > 0 ? { compactions: 0, receipts: 0 } : undefined;
}

interface Added {
  readonly at: number;
  readonly values: readonly { readonly id: string }[];
  /** Columns after the position. */
  readonly rows: readonly (readonly SqlValue[])[];
}

async function add(session: SessionScope, table: Table, { at, values, rows }: Added): Promise<void> {
  const whole = rows.map((row, i) => [...session.names, at + i, ...row]);
  await insertUnique(session, table, { at, rows: whole, ids: () => values.map(({ id }) => id) });
}

async function mark({ tx, dialect, names }: SessionScope, marks: ReadonlyMap<string, number>): Promise<void> {
  const source = searchedById(PARTS.name, dialect);
  const text = (list: string) =>
    `UPDATE ${source} SET compacted_at = ? WHERE owner = ? AND session_id = ? AND id IN (${list})`;
  // Most of them have the same time.
  for (const [time, entries] of Map.groupBy(marks, ([, at]) => at)) {
    const ids = entries.map(([part]) => toStoredText(part));
    await forLists(ids, (list, some) => tx.run(text(list), [time, ...names, ...some]));
  }
}

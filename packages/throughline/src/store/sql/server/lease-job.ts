import type { JobFailure, StoredJob } from "../../../ports/server-store.ts";
import { latestLeaseEnd, leaseEnd } from "../lease-time.ts";
import { numberOf } from "../read-row.ts";
import type { SqlRow, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { toStoredText } from "../stored-text.ts";
import { JOB_COLUMNS, positionOf, readJobRows, sealedError } from "./job-rows.ts";

const LOST = "Its last holder was not heard of again.";

/** Takes the job that is due longest, and marks jobs without attempts left as dead. */
export async function leaseJob(
  database: StoreDatabase,
  holder: string,
  milliseconds: number,
  kinds?: readonly string[],
): Promise<StoredJob | undefined> {
  if (kinds?.length === 0) return undefined;
  const ofKind = kinds === undefined ? "" : `AND kind IN (${kinds.map(() => "?").join(", ")})`;
  const due = `FROM jobs WHERE (due_at <= ? OR (state = 'running' AND due_at > ?)) ${ofKind}
    ORDER BY due_at, position LIMIT 1`;
  const times = (now: number) => [now, latestLeaseEnd(now)];
  const names = (kinds ?? []).map(toStoredText);
  const found = await database.read(async (tx) =>
    tx.all(`SELECT 1 AS one ${due}`, [...times(await database.now(tx)), ...names]),
  );
  // Servers poll constantly, and reading does not block writers.
  if (found.length === 0) return undefined;
  // Skips jobs that another server is taking. SQLite allows one writer at a time.
  const lock = database.dialect === "postgres" ? "FOR UPDATE SKIP LOCKED" : "";
  return database.write(async (tx) => {
    for (;;) {
      const now = await database.now(tx);
      const [row] = await tx.all(`SELECT owner, position, attempts, max_attempts ${due} ${lock}`, [
        ...times(now),
        ...names,
      ]);
      if (row === undefined) return undefined;
      const until = leaseEnd(now, milliseconds);
      if (hasAttempts(row)) return begin(tx, row, toStoredText(holder), until);
      await bury(tx, row, now, LOST);
    }
  });
}

/** Schedules a retry of a failed job, or marks it as dead. */
export async function failJob(
  database: StoreDatabase,
  { id, holder }: { readonly id: string; readonly holder: string },
  { error, retryAfter }: JobFailure,
): Promise<boolean> {
  const position = positionOf(id);
  if (position === undefined) return false;
  return database.write(async (tx) => {
    const now = await database.now(tx);
    // Written first: a server that takes the job over at this moment is either done before it is read, or waits.
    const [row] = await tx.all(
      `UPDATE jobs SET holder = NULL WHERE position = ? AND holder = ? AND state = 'running'
       RETURNING owner, position, attempts, max_attempts`,
      [position, toStoredText(holder)],
    );
    if (row === undefined) return false;
    if (retryAfter === undefined || !hasAttempts(row)) await bury(tx, row, now, error);
    else {
      const due = now + Math.max(0, retryAfter || 0);
      const text = "UPDATE jobs SET state = 'waiting', run_at = ?, due_at = ?, last_error = ? WHERE position = ?";
      await tx.run(text, [due, due, sealedError(tx, row, error), position]);
    }
    return true;
  });
}

function hasAttempts(row: SqlRow): boolean {
  return numberOf(row, "attempts") < numberOf(row, "max_attempts");
}

async function begin(
  tx: StoreTransaction,
  row: SqlRow,
  holder: SqlValue,
  until: number,
): Promise<StoredJob | undefined> {
  const rows = await tx.all(
    `UPDATE jobs SET state = 'running', attempts = attempts + 1, holder = ?, due_at = ? WHERE position = ?
     RETURNING ${JOB_COLUMNS}`,
    [holder, until, numberOf(row, "position")],
  );
  return readJobRows(tx, rows)[0];
}

async function bury(tx: StoreTransaction, row: SqlRow, now: number, error: string): Promise<void> {
  const text = `UPDATE jobs SET state = 'dead', finished_at = ?, due_at = NULL, holder = NULL, last_error = ?
    WHERE position = ?`;
  await tx.run(text, [now, sealedError(tx, row, error), numberOf(row, "position")]);
}

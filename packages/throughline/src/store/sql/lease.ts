import type { SessionKey } from "../../ports/store.ts";
import { latestLeaseEnd, leaseEnd } from "./lease-time.ts";
import { sessionNames } from "./session-scope.ts";
import type { SqlDriver } from "./sql-driver.ts";
import { toStoredText } from "./stored-text.ts";

/** Takes or renews the lease, by the database's clock. */
export function acquireLease(
  database: SqlDriver,
  key: SessionKey,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  const names = sessionNames(key);
  const name = toStoredText(holder);
  return database.write(async (tx) => {
    const now = await database.now(tx);
    const until = leaseEnd(now, milliseconds);
    const taken = await tx.run(
      `UPDATE sessions SET currently_compacting = ?, compacting_by = ?
       WHERE owner = ? AND id = ? AND
         (compacting_by IS NULL OR compacting_by = ? OR currently_compacting <= ? OR currently_compacting > ?)`,
      [until, name, ...names, name, now, latestLeaseEnd(now)],
    );
    if (taken > 0) return true;
    // Another writer may have created the row meanwhile, without a lease.
    const created = await tx.run(
      `INSERT INTO sessions (owner, id, created_at, updated_at, currently_compacting, compacting_by)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (owner, id) DO UPDATE SET currently_compacting = excluded.currently_compacting,
         compacting_by = excluded.compacting_by
       WHERE sessions.compacting_by IS NULL`,
      [...names, now, now, until, name],
    );
    return created > 0;
  });
}

/** Releases the lease, if the holder has it. */
export async function releaseLease(database: SqlDriver, key: SessionKey, holder: string): Promise<false> {
  await database.write((tx) =>
    tx.run(
      `UPDATE sessions SET currently_compacting = NULL, compacting_by = NULL
       WHERE owner = ? AND id = ? AND compacting_by = ?`,
      [...sessionNames(key), toStoredText(holder)],
    ),
  );
  return false;
}

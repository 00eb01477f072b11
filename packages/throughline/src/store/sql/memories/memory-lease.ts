import { latestLeaseEnd, leaseEnd } from "../lease-time.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { toStoredText } from "../stored-text.ts";

/** The holder of a lease, and its subject. */
interface Claim {
  readonly work: string;
  readonly holder: string;
}

/** Takes or renews the lease, by the database's clock. */
export function acquireWork(
  database: SqlDriver,
  space: string,
  { work, holder }: Claim,
  milliseconds: number,
): Promise<boolean> {
  return database.write(async (tx) => {
    const now = await database.now(tx);
    const until = leaseEnd(now, milliseconds);
    const taken = await tx.run(
      `INSERT INTO memory_leases (space, work, holder, leased_until) VALUES (?, ?, ?, ?)
       ON CONFLICT (space, work) DO UPDATE SET holder = excluded.holder, leased_until = excluded.leased_until
       WHERE memory_leases.holder = excluded.holder OR memory_leases.leased_until <= ? OR memory_leases.leased_until > ?`,
      [space, toStoredText(work), toStoredText(holder), until, now, latestLeaseEnd(now)],
    );
    return taken > 0;
  });
}

/** Releases the lease, if the holder has it. */
export async function releaseWork(database: SqlDriver, space: string, { work, holder }: Claim): Promise<false> {
  const text = "DELETE FROM memory_leases WHERE space = ? AND work = ? AND holder = ?";
  await database.write((tx) => tx.run(text, [space, toStoredText(work), toStoredText(holder)]));
  return false;
}

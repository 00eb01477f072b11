import { randomUUID } from "node:crypto";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import type { Work } from "./postgres-driver.ts";

/** A writer, which runs one transaction at a time, and the number of the transaction. */
export interface WriteTicket {
  readonly writer: string;
  readonly sequence: number;
}

/** Finds out if a transaction was committed whose confirmation was lost. */
export interface WriteDedup {
  take(): WriteTicket;
  /** Returns a ticket for the next transaction. A ticket that is not returned is never reused. */
  giveBack(ticket: WriteTicket): void;
  /** SQL that a transaction runs to record its number. */
  entry(ticket: WriteTicket): string;
  /** `ask` runs a separate transaction. */
  wasKept(ticket: WriteTicket, ask: (question: Work<boolean>) => Promise<boolean>): Promise<boolean>;
}

/**
 * Deduplication in the database. Each transaction stores its number in its writer's row, so the row names the last
 * committed one. `pg_xact_status` would not do: after a crash the server reuses transaction ids, and a lost transaction
 * could look committed.
 */
export function createWriteDedup(): WriteDedup & { clear(tx: SqlTransaction): Promise<void> } {
  const store = randomUUID();
  const free: WriteTicket[] = [];
  let writers = 0;
  return {
    take() {
      const last = free.pop();
      if (last !== undefined) return { writer: last.writer, sequence: last.sequence + 1 };
      writers += 1;
      return { writer: `${store}/${writers}`, sequence: 1 };
    },
    giveBack(ticket) {
      free.push(ticket);
    },
    entry: ({ writer, sequence }) =>
      `INSERT INTO writers VALUES ('${writer}', ${sequence}, now()) ON CONFLICT (writer)
       DO UPDATE SET sequence = excluded.sequence, written_at = excluded.written_at`,
    wasKept: ({ writer, sequence }, ask) =>
      ask(async (tx) => {
        // An insert waits for a running transaction that wrote the same row; a select does not.
        const rows = await tx.all(
          `INSERT INTO writers AS w VALUES (?, 0, now()) ON CONFLICT (writer)
           DO UPDATE SET written_at = excluded.written_at RETURNING w.sequence`,
          [writer],
        );
        return rows[0]?.sequence === sequence;
      }),
    async clear(tx) {
      await tx.run("DELETE FROM writers WHERE starts_with(writer, ?)", [`${store}/`]);
    },
  };
}

/** For transactions that are idempotent and may simply be repeated. */
export const noWriteDedup: WriteDedup = {
  take: () => ({ writer: "", sequence: 0 }),
  giveBack: () => undefined,
  entry: () => "",
  wasKept: async () => false,
};

/** Creates the table, and removes writers that ended without cleaning up: a ticket is looked up within minutes. */
export async function prepareWriteDedup(tx: SqlTransaction): Promise<void> {
  const [found] = await tx.all(
    `SELECT to_regclass('writers') IS NOT NULL AS is_there, current_setting('transaction_read_only') = 'on' AS is_fixed`,
  );
  if (found?.is_there !== 1) {
    await tx.run(`CREATE TABLE writers (
      writer text PRIMARY KEY, sequence bigint NOT NULL, written_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  }
  // A read-only database can still be read.
  if (found?.is_fixed !== 1) await tx.run("DELETE FROM writers WHERE written_at < now() - interval '1 day'");
}

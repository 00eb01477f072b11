import { randomUUID } from "node:crypto";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import type { Work } from "./transaction.ts";

/** Who writes, one transaction at a time, and the number of the transaction. */
export interface WriteTicket {
  readonly writer: string;
  readonly sequence: number;
}

/** Tells whether a transaction was kept whose confirmation never came. */
export interface WriteLedger {
  take(): WriteTicket;
  /** For the next transaction. A ticket that is not given back is never used again. */
  giveBack(ticket: WriteTicket): void;
  /** What a transaction writes down. */
  entry(ticket: WriteTicket): string;
  /** `ask` runs a transaction of its own. */
  wasKept(ticket: WriteTicket, ask: (question: Work<boolean>) => Promise<boolean>): Promise<boolean>;
}

/**
 * A ledger in the database. Each transaction leaves its number in its writer's row, so the row says which was the last
 * that was kept. The transaction's own number (`pg_xact_status`) would not do: after a crash the server gives numbers
 * out again, and one that was lost would be taken for one that was kept.
 */
export function createLedger(): WriteLedger & { clear(tx: SqlTransaction): Promise<void> } {
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
        // An insert waits for a transaction that still runs and wrote the same row, which a select does not.
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

/** For transactions that see for themselves what is done already, and may be made again. */
export const noLedger: WriteLedger = {
  take: () => ({ writer: "", sequence: 0 }),
  giveBack: () => undefined,
  entry: () => "",
  wasKept: async () => false,
};

/** Makes the ledger's table, and forgets writers that ended without a word: a ticket is looked up within minutes. */
export async function prepareLedger(tx: SqlTransaction): Promise<void> {
  const [found] = await tx.all(
    `SELECT to_regclass('writers') IS NOT NULL AS is_there, current_setting('transaction_read_only') = 'on' AS is_fixed`,
  );
  if (found?.is_there !== 1) {
    await tx.run(`CREATE TABLE writers (
      writer text PRIMARY KEY, sequence bigint NOT NULL, written_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`);
  }
  // What takes no writes may still be read.
  if (found?.is_fixed !== 1) await tx.run("DELETE FROM writers WHERE written_at < now() - interval '1 day'");
}

import { type CallStatistics, readCallStatistics } from "throughline/internal/engine";
import {
  createContentCipher,
  DIALECTS,
  type DialectName,
  type JobState,
  numberOf,
  readKeptKey,
  type SqlTransaction,
  type StoredJob,
  type StoreTransaction,
  sqlDocumentStore,
  sqlServerStore,
  unwrapKey,
  withCipher,
} from "throughline/internal/sql";
import { isActive } from "../commands/token-command.ts";

/** Tables whose rows are counted. */
const COUNTED = [
  "sessions",
  "messages",
  "message_parts",
  "compaction_events",
  "receipts",
  "memories",
  "turns",
] as const;

/** Maximum number of failed jobs to list. */
const MAX_LISTED = 20;

/** A job that failed permanently. */
interface DeadJob extends Pick<StoredJob, "id" | "kind" | "attempts"> {
  /** `null` also if it is encrypted and there is no key. */
  readonly lastError: string | null;
}

export interface TableFindings {
  readonly rows: Readonly<Partial<Record<(typeof COUNTED)[number], number>>>;
  /** Contradictions that are not resolved. */
  readonly openContradictions: number;
  /** Messages in the old flat format, converted each time they are read. */
  readonly legacyRows: number;
  /** Job counts by state; `null` if there are no server tables yet. */
  readonly jobs: Readonly<Record<JobState, number>> | null;
  /** The first of the jobs that failed permanently. */
  readonly deadJobs: readonly DeadJob[];
  /** Number of active tokens. */
  readonly tokens: number;
  /**
   * Requests to the model in the last days; `null` if there were none, or if they are encrypted and there is no key.
   */
  readonly modelCalls: CallStatistics | null;
  /** Number of vectors by embedder. */
  readonly vectors: Readonly<Record<string, number>>;
}

export const NO_TABLES: TableFindings = {
  rows: {},
  openContradictions: 0,
  legacyRows: 0,
  jobs: null,
  deadJobs: [],
  tokens: 0,
  modelCalls: null,
  vectors: {},
};

/** Reads the tables. Writes nothing. */
export async function readTables(tx: StoreTransaction, dialect: DialectName): Promise<TableFindings> {
  const tables = await tx.all(DIALECTS[dialect].tableNames);
  const isThere = (table: string) => tables.some(({ name }) => name === table);
  const countOf = async (from: string) => {
    const [row] = await tx.all(`SELECT COUNT(*) AS count FROM ${from}`);
    return row === undefined ? 0 : numberOf(row, "count");
  };
  // Sequential, because they share a connection.
  const rows: [table: string, count: number][] = [];
  for (const table of COUNTED.filter(isThere)) rows.push([table, await countOf(table)]);
  return {
    rows: Object.fromEntries(rows),
    openContradictions: isThere("contradictions") ? await countOf("contradictions WHERE status = 'open'") : 0,
    legacyRows: isThere("messages") ? await countOf("messages WHERE content IS NOT NULL") : 0,
    modelCalls: isThere("documents") ? await readModelCalls(tx, dialect) : null,
    vectors: isThere("search_entries") ? await readVectors(tx) : {},
    ...(isThere("jobs") ? await readServer(tx, dialect) : { jobs: null, deadJobs: [], tokens: 0 }),
  };
}

/** Entries without a vector are not counted. */
async function readVectors(tx: StoreTransaction): Promise<Readonly<Record<string, number>>> {
  const rows = await tx.all(
    "SELECT embedder, COUNT(*) AS count FROM search_entries WHERE embedder IS NOT NULL GROUP BY embedder",
  );
  return Object.fromEntries(rows.map((row) => [String(row.embedder), numberOf(row, "count")]));
}

async function readModelCalls(tx: StoreTransaction, dialect: DialectName): Promise<CallStatistics | null> {
  if (tx.cipher === undefined && (await readKeptKey(tx, dialect)) !== undefined) return null;
  return (await readCallStatistics(sqlDocumentStore(readOnly(tx, dialect)))) ?? null;
}

/** The transaction as a database that refuses to write. */
function readOnly(tx: StoreTransaction, dialect: DialectName): Parameters<typeof sqlServerStore>[0] {
  const refuse = async () => {
    throw new Error("Cannot write: the doctor opens the data read-only.");
  };
  return {
    dialect,
    read: (work) => work(tx),
    write: refuse,
    erase: refuse,
    now: async () => Date.now(),
    close: async () => undefined,
  };
}

async function readServer(
  tx: StoreTransaction,
  dialect: DialectName,
): Promise<Pick<TableFindings, "jobs" | "deadJobs" | "tokens">> {
  const isSealed = tx.cipher === undefined && (await readKeptKey(tx, dialect)) !== undefined;
  const { jobs, tokens } = sqlServerStore(readOnly(tx, dialect));
  const counts = await jobs.counts();
  const dead = await jobs.list({ state: "dead", limit: MAX_LISTED });
  const now = Date.now();
  return {
    jobs: counts,
    deadJobs: dead.map(({ id, kind, attempts, lastError = null }) => ({
      ...{ id, kind, attempts },
      lastError: isSealed ? null : lastError,
    })),
    tokens: (await tokens.list()).filter((token) => isActive(token, now)).length,
  };
}

/** The same transaction with decryption, if the data is encrypted and the key is right. */
export async function withKey(
  tx: SqlTransaction,
  dialect: DialectName,
  key: Uint8Array | undefined,
): Promise<StoreTransaction> {
  const kept = key && (await readKeptKey(tx, dialect));
  const storeKey = kept && unwrapKey(key, kept.wrapped);
  return withCipher(tx, storeKey && createContentCipher(storeKey));
}

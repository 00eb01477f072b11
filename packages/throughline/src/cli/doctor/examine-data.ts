import { stat } from "node:fs/promises";
import process from "node:process";
import { StoreError } from "../../errors/store-error.ts";
import { omitUndefined } from "../../message/read-json.ts";
import { numberOf } from "../../store/sql/read-row.ts";
import { findEncryptionKey, loadSqlite } from "../data/load-sqlite.ts";
import { findUsers } from "./find-users.ts";

/** The tables whose rows are counted. */
const COUNTED = [
  "sessions",
  "messages",
  "message_parts",
  "compaction_events",
  "receipts",
  "memories",
  "turns",
] as const;

export interface Examination {
  readonly data: string;
  readonly exists: boolean;
  /** In bytes: the file, and what is written but not yet in it. */
  readonly bytes: number;
  readonly logBytes: number;
  readonly version: number | null;
  /** The version that this Throughline brings a database to. */
  readonly latestVersion: number | null;
  /** Whether content is sealed, and whether it was looked into, which takes the key. */
  readonly encryption: "none" | "not-checked" | "checked" | null;
  readonly rows: Readonly<Partial<Record<(typeof COUNTED)[number], number>>>;
  /** Contradictions that nobody has settled yet. */
  readonly openContradictions: number;
  /** Flat messages of old, which are converted whenever they are read. */
  readonly legacyRows: number;
  /** Other processes that have it open; `null` where the system does not tell. */
  readonly usedBy: readonly number[] | null;
  readonly node: string;
  readonly sqlite: string;
  /** In plain words; empty where all is well. */
  readonly problems: readonly string[];
}

/** Looks at the data without writing to it. */
export async function examineData(data: string, exists: boolean): Promise<Examination> {
  const found = exists ? await examineFile(data) : {};
  return {
    data,
    exists,
    bytes: exists ? (await stat(data)).size : 0,
    logBytes: exists ? await sizeOf(`${data}-wal`) : 0,
    version: null,
    latestVersion: null,
    encryption: null,
    rows: {},
    openContradictions: 0,
    legacyRows: 0,
    usedBy: exists ? ((await findUsers(data)) ?? null) : [],
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "",
    problems: [],
    ...found,
  };
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function examineFile(file: string): Promise<Partial<Examination>> {
  try {
    const { checkSqlite } = await loadSqlite();
    const encryptionKey = await findEncryptionKey();
    const { version, latestVersion, encryption, problems } = await checkSqlite(file, omitUndefined({ encryptionKey }));
    const newer = `Version ${version} is newer than ${latestVersion}, which this Throughline knows: update it.`;
    return {
      version,
      latestVersion,
      encryption,
      problems: version > latestVersion ? [newer, ...problems] : problems,
      ...(problems.length === 0 ? await countRows(file) : {}),
    };
  } catch (error) {
    // What keeps the data from being used is what a doctor is asked for.
    if (error instanceof StoreError) return { problems: [`${error.message} ${error.hint}`] };
    throw error;
  }
}

async function countRows(file: string): Promise<Pick<Examination, "rows" | "openContradictions" | "legacyRows">> {
  const { openForReading } = await import("../../store/sqlite/open-database.ts");
  const connection = openForReading(file);
  try {
    const tables = await connection.all("SELECT name FROM sqlite_master WHERE type = 'table'");
    const isThere = (table: string) => tables.some(({ name }) => name === table);
    const there = COUNTED.filter(isThere);
    const countOf = async (from: string) => {
      const [row] = await connection.all(`SELECT COUNT(*) AS count FROM ${from}`);
      return row === undefined ? 0 : numberOf(row, "count");
    };
    const rows = await Promise.all(there.map(async (table) => [table, await countOf(table)] as const));
    const legacyRows = isThere("messages") ? await countOf("messages WHERE content IS NOT NULL") : 0;
    const openContradictions = isThere("contradictions") ? await countOf("contradictions WHERE status = 'open'") : 0;
    return { rows: Object.fromEntries(rows), openContradictions, legacyRows };
  } finally {
    connection.close();
  }
}

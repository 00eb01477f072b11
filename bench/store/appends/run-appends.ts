import { deepStrictEqual } from "node:assert";
import path from "node:path";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import type { PostgresServer } from "../../../packages/throughline/test/postgres-server.ts";
import { absentPeers, type BenchSetup, ENCRYPTION_KEY, progress } from "../bench-setup.ts";
import { mastraWriter } from "../peers/mastra.ts";
import { type Absence, checkAppends, printAppends } from "../print-results.ts";
import { type AppendOptions, type AppendSpeed, lastSession, measureAppends } from "./measure-appends.ts";
import { sessionWriter, storeWriter } from "./our-writers.ts";
import { rawPostgres, readPostgresRows } from "./raw-postgres.ts";
import { rawSqlite, readSqliteRows } from "./raw-sqlite.ts";
import type { Rows } from "./rows.ts";
import type { Writer } from "./writer.ts";

const TURN_SIZES = [1, 10];
const ROUNDS = { SQLite: 11, PostgreSQL: 5 };
const QUICK_ROUNDS = 3;
/** The same for all contestants, except for a peer's own settings. */
const SETTINGS = { SQLite: "WAL, synchronous=normal", PostgreSQL: "on this machine, fsync=off" };

interface Contest {
  readonly database: keyof typeof ROUNDS;
  /** Name of the store among the contestants. */
  readonly store: string;
  /** The reference for comparison comes first. */
  readonly writers: readonly Writer[];
  readonly absent: readonly Absence[];
  /** The rows in the databases of the plain inserts and of the store. */
  readBoth(sessionId: string): Promise<readonly [Rows<unknown>, Rows<unknown>]>;
}

/** Measures appends on SQLite and PostgreSQL; returns true if the stores are fast enough. */
export async function runAppends(setup: BenchSetup, messages: number): Promise<boolean> {
  const isSqliteFast = await hold(await openSqlite(setup), setup, messages);
  if (setup.server === undefined) return isSqliteFast;
  const isPostgresFast = await hold(await openPostgres(setup.server), setup, messages);
  return isSqliteFast && isPostgresFast;
}

async function hold(contest: Contest, { make, isQuick }: BenchSetup, messages: number): Promise<boolean> {
  const { database, store, writers, absent } = contest;
  const speeds: AppendSpeed[] = [];
  const rounds = isQuick ? QUICK_ROUNDS : ROUNDS[database];
  for (const turnSize of TURN_SIZES) {
    progress(`${database}: appending turns of ${turnSize}`);
    const options: AppendOptions = { make, messages, rounds, turnSize };
    speeds.push(...(await measureAppends(writers, options)));
    const [raw, ours] = await contest.readBoth(lastSession(options));
    deepStrictEqual(raw, ours, "Plain inserts wrote other rows than the store.");
  }
  for (const writer of writers) await writer.close();
  console.log(`\n${database}, ${SETTINGS[database]}: appends, medians of ${rounds} rounds of ${messages} messages\n`);
  printAppends(speeds, absent);
  return checkAppends(speeds, store);
}

async function openSqlite(setup: BenchSetup): Promise<Contest> {
  const file = (name: string) => path.join(setup.folder, `${name}.db`);
  const store = "throughline sqliteStore";
  const writers = [
    await rawSqlite(file("raw"), file("template")),
    storeWriter(store, sqliteStore(file("store"))),
    storeWriter(`${store}, encrypted`, sqliteStore(file("encrypted"), { encryptionKey: ENCRYPTION_KEY })),
    await sessionWriter("throughline session.append, tokens counted", sqliteStore(file("session"))),
  ];
  if (setup.mastra !== undefined) writers.push(await mastraWriter(setup.mastra, setup.folder));
  const readBoth = async (id: string) => [readSqliteRows(file("raw"), id), readSqliteRows(file("store"), id)] as const;
  return { database: "SQLite", store, writers, absent: absentPeers(setup), readBoth };
}

async function openPostgres(server: PostgresServer): Promise<Contest> {
  const [raw, template] = [await server.createDatabase(), await server.createDatabase()];
  const [ours, whole] = [await server.createDatabase(), await server.createDatabase()];
  const store = "throughline postgresStore";
  const writers = [
    await rawPostgres(raw, template),
    storeWriter(store, postgresStore(ours)),
    await sessionWriter("throughline session.append, tokens counted", postgresStore(whole)),
  ];
  const readBoth = async (id: string) => [await readPostgresRows(raw, id), await readPostgresRows(ours, id)] as const;
  return { database: "PostgreSQL", store, writers, absent: [], readBoth };
}

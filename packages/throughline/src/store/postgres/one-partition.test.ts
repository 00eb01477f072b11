import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { query, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import { createThroughline } from "../../throughline.ts";
import { migrate } from "../sql/migrate.ts";
import { MIGRATIONS } from "../sql/migrations/migrations.ts";
import type { SqlValue } from "../sql/sql-driver.ts";
import type { SqlStore } from "../sql/sql-store.ts";
import { checkPostgresOptions, type PostgresConnection, type PostgresConnections } from "./connections.ts";
import { PostgresPool } from "./pool.ts";
import { createPostgresDriver, noWriteDedup } from "./postgres-driver.ts";
import { postgresStore, storeOver } from "./postgres-store.ts";

/** Tables without partitions; docs/decisions/0025-tables-without-partitions.md has the reason. */
const WITHOUT_PARTITIONS = ["jobs", "throughline_migrations", "tokens", "writers"];

interface Statement {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

interface Recorded {
  readonly statements: Statement[];
  /** Tables that a transaction with writes has read or written, by the database's own counters. */
  readonly written: string[][];
}

/** Counters of the connection, which may contain earlier transactions. */
const COUNTERS = `SELECT relname AS name,
    (coalesce(seq_tup_read, 0) + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del)::int AS count
  FROM pg_stat_xact_user_tables WHERE schemaname = 'throughline'`;

let url: string;
let partitions: ReadonlyMap<string, string>;
let store: SqlStore;
const recorded: Recorded = { statements: [], written: [] };

beforeAll(async () => {
  url = await createStoreDatabase(await sharedPostgres());
  const pool = new PostgresPool(url, checkPostgresOptions({}));
  store = storeOver(recording(pool), checkPostgresOptions({}));
  await store.sessions.list("nobody");
  recorded.statements.length = 0;
  const rows = await query(
    url,
    `SELECT inhrelid::regclass::text AS partition, inhparent::regclass::text AS parent FROM pg_inherits
     JOIN pg_class ON pg_class.oid = inhrelid WHERE relkind = 'r'`,
  );
  partitions = new Map(rows.map(({ partition, parent }) => [plain(partition), plain(parent)]));
}, START_TIME);

afterAll(() => store.close());

function plain(name: unknown): string {
  return String(name).replace("throughline.", "");
}

/** Connections that record the statements, and before each commit the tables of the transaction. */
function recording(connections: PostgresConnections): PostgresConnections {
  const { withLongConnection } = connections;
  return {
    withConnection: (work) => connections.withConnection((connection) => work(recordingConnection(connection))),
    withLongConnection,
    listen: (...args) => connections.listen(...args),
    close: () => connections.close(),
  };
}

function recordingConnection(connection: PostgresConnection): PostgresConnection {
  const counters = async () => {
    const { rows } = await connection.query(COUNTERS);
    return new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
  };
  let before: Promise<ReadonlyMap<string, number>> = Promise.resolve(new Map());
  return {
    query(text, params = []) {
      recorded.statements.push({ text, params });
      return connection.query(text, params);
    },
    async script(text) {
      if (text === "COMMIT") {
        const [first, last] = [await before, await counters()];
        recorded.written.push(
          [...last].filter(([name, count]) => count > (first.get(name) ?? 0)).map(([name]) => name),
        );
      }
      const done = connection.script(text);
      if (text.includes("READ COMMITTED")) before = counters();
      return done;
    },
    together: (send) => connection.together(send),
    finish: (text) => connection.finish(text),
  };
}

/** The partitions of each partitioned table, of those with more than one. */
function several(tables: readonly string[]): Record<string, string[]> {
  const byParent = Map.groupBy(
    [...new Set(tables)].filter((table) => partitions.has(table)),
    (table) => partitions.get(table) ?? "",
  );
  return Object.fromEntries([...byParent].filter(([, some]) => some.length > 1));
}

/** The tables in the plan of a statement. */
async function tablesInPlan(client: pg.Client, { text, params }: Statement): Promise<string[]> {
  const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...params]);
  const names: string[] = [];
  JSON.stringify(rows[0]?.["QUERY PLAN"], (field, value) => {
    if (field === "Relation Name") names.push(value);
    return value;
  });
  return names;
}

/** Everything that a request does for one user. */
const REQUESTS: Readonly<Record<string, () => Promise<unknown>>> = {
  append: () =>
    user().then(({ session }) =>
      store.server.events.appendWith([{ owner: "ada", sessionId: "s", type: "session:appended", data: {} }], () =>
        session("s").append([{ role: "user", content: `Please deploy the shop. ${"It matters. ".repeat(80)}` }]),
      ),
    ),
  prepare: async () => {
    const { session } = await user();
    const long = session("long", { contextLimit: 4_000, outputReserve: 500 });
    for (let i = 0; i < 8; i += 1) {
      await long.append([{ role: "user", content: `Step ${i}. ${"It matters. ".repeat(100)}` }]);
      await long.prepare({ memory: true, message: "How do we deploy?" });
    }
  },
  remember: async () => {
    const { memory } = await user();
    await memory.remember({ text: "User lives in Oslo" });
    await memory.remember({ text: "User lives in Rome" });
    await memory.remember({ text: "We deploy the shop on Fridays", scope: "project-shared" });
  },
  ingest: async () => {
    const { memory } = await user();
    const messages = Array.from({ length: 1_100 }, (_, i) => ({ role: "user", text: `Parcel ${i} went to Town${i}.` }));
    await memory.ingest({ sessionId: "s", messages });
  },
  recall: async () => {
    const { memory } = await user();
    expect(await memory.recall("How do we deploy?", { cut: "none", limit: 400 })).not.toEqual([]);
    await memory.cite((await memory.list())[0]?.id ?? "");
  },
  list: async () => {
    const throughline = await user();
    await throughline.memory.list({ limit: 10 });
    await throughline.sessions({ limit: 10 });
    await throughline.memory.contradictions({ status: "open" });
    await store.server.events.read({ owner: "ada", after: 0, limit: 10 });
  },
  "repeated request": async () => {
    await store.server.answers.claim("ada", "key", "request", 60_000, "holder");
    await store.server.answers.save("ada", "key", { request: "r", status: 200, headers: {}, body: "" }, "holder");
  },
  purge: async () => {
    const { memory, purgeSession } = await user();
    await memory.purge((await memory.list())[0]?.id ?? "");
    await purgeSession("s");
  },
};

function user() {
  const shared = { ...store, close: async () => undefined };
  return createThroughline({ store: shared, userId: "ada", projectId: "shop" });
}

describe("a request of a user on PostgreSQL", () => {
  for (const [name, request] of Object.entries(REQUESTS)) {
    it(`touches one partition of each table per statement and per write: ${name}`, async () => {
      recorded.statements.length = 0;
      recorded.written.length = 0;
      await request();
      const statements = [...recorded.statements];
      const client = new pg.Client({ connectionString: url, options: "-c search_path=throughline" });
      await client.connect();
      let planned = 0;
      for (const statement of new Map(statements.map((one) => [one.text, one])).values()) {
        const tables = await tablesInPlan(client, statement);
        planned += tables.filter((table) => partitions.has(table)).length;
        expect([statement.text, several(tables)]).toEqual([statement.text, {}]);
      }
      await client.end();
      expect(planned).toBeGreaterThan(0);
      for (const tables of recorded.written) expect(several(tables)).toEqual({});
      if (name !== "list") expect(recorded.written.flat().some((table) => partitions.has(table))).toBe(true);
    });
  }
});

describe("the schema on PostgreSQL", () => {
  it("has partitions for every table but a few", async () => {
    const rows = await query(
      url,
      "SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'throughline'::regnamespace",
    );
    const tables = rows.map(({ name }) => String(name)).filter((name) => !partitions.has(name));
    const parents = new Set(partitions.values());
    expect(tables.filter((name) => !parents.has(name)).sort()).toEqual(WITHOUT_PARTITIONS);
  });

  it("keeps events and stored answers of a database from before they had partitions", async () => {
    const old = await (await sharedPostgres()).createDatabase();
    await query(old, "CREATE SCHEMA throughline");
    const settings = checkPostgresOptions({});
    const pool = new PostgresPool(old, settings);
    const driver = createPostgresDriver({ withConnection: pool.withConnection, settings, dedup: noWriteDedup });
    await migrate({ ...driver, close: () => pool.close() }, MIGRATIONS.slice(0, 7));
    await driver.write(async (tx) => {
      await tx.run("INSERT INTO events (sequence, owner, type, at, data) VALUES (7, 'bob', 'turn', 1, '{}')");
      await tx.run("UPDATE event_counter SET last = 9");
      const answer = JSON.stringify({ request: "r", headers: {}, body: "kept" });
      await tx.run(
        "INSERT INTO kept_answers (owner, key, at, is_discarded, status, answer) VALUES ('bob', 'k', 1, 0, 200, ?)",
        [answer],
      );
    });
    await pool.close();
    const migrated = postgresStore(old);
    const { events, answers } = migrated.server;
    expect(await events.read({ owner: "bob", after: 6 })).toMatchObject([{ sequence: 7, type: "turn", data: {} }]);
    await events.append(["bob", "new"].map((owner) => ({ owner, type: "turn", data: {} })));
    expect(await events.last(["bob", "new"])).toEqual(new Map(Object.entries({ bob: 10, new: 1 })));
    expect(await answers.claim("bob", "k", "r", 1_000)).toMatchObject({ status: 200, body: "kept" });
    await migrated.close();
  });

  it("has the user or the space of a row in every primary, unique and foreign key", async () => {
    const rows = await query(
      url,
      `SELECT t.relname AS name, pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
       JOIN pg_class t ON t.oid = c.conrelid WHERE t.relkind = 'p' AND c.contype IN ('p', 'u', 'f')
       UNION ALL SELECT t.relname, pg_get_indexdef(i.indexrelid) FROM pg_index i
       JOIN pg_class t ON t.oid = i.indrelid WHERE t.relkind = 'p' AND i.indisunique`,
    );
    expect(rows.length).toBeGreaterThan(40);
    const keys = rows.map(({ name, definition }) => `${name}: ${definition}`);
    expect(keys.filter((key) => !/\((owner|space)[,)]/.test(key))).toEqual([]);
  });
});

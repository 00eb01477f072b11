import { inspect } from "node:util";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { idsOf } from "../../../test/append-next.ts";
import { type PostgresDatabases, query, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import { StoreError } from "../../errors/store-errors.ts";
import type { SessionKey } from "../../ports/store.ts";
import { noise, said } from "../../test/samples.ts";
import { postgresStore } from "./postgres-store.ts";

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
}, START_TIME);

const key: SessionKey = { userId: "ada", sessionId: "s" };

/** Error of the first call of a store. */
async function failureOf(url: string): Promise<unknown> {
  const store = postgresStore(url);
  const failure = await store.sessions.head(key).catch((error: unknown) => error);
  await store.close();
  return failure;
}

function changed(url: string, change: (url: URL) => void): string {
  const copy = new URL(url);
  change(copy);
  return copy.href;
}

describe("a PostgreSQL server that cannot be used", () => {
  const cases: [what: string, change: (url: URL) => void][] = [
    ["does not run", (url) => (url.port = "1")],
    ["does not exist", (url) => (url.hostname = "no-such-host.invalid")],
    ["does not know the password", (url) => (url.password = "s3cret-and-wrong")],
    ["does not know the user", (url) => (url.username = "stranger")],
    ["does not know the database", (url) => (url.pathname = "/nowhere")],
  ];
  it.each(cases)("throws a typed error without the password if it %s", async (_, change) => {
    const url = changed(server.url(), change);
    const failure = await failureOf(url);
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ problem: "unavailable" });
    expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(new URL(url).password);
  });

  it.each([
    "",
    "postgres://user:s3cret@host:notaport/x",
    "postgres://user:s3cret@[/x",
    "mysql://user:s3cret@host/x",
    "host=localhost user=user password=s3cret",
  ])("is refused without its password if the connection string is invalid (%#)", (wrong) => {
    const open = () => postgresStore(wrong);
    expect(open).toThrow("Invalid connection string: (hidden). Expected postgres://");
    try {
      open();
    } catch (error) {
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("s3cret");
    }
  });

  it("is retried by the next call", async () => {
    const url = changed(await server.createDatabase(), (it) => (it.pathname = "/later"));
    const store = postgresStore(url);
    await expect(store.sessions.head(key)).rejects.toMatchObject({ problem: "unavailable" });
    await server.run("CREATE DATABASE later");
    expect(await store.sessions.head(key)).toMatchObject({ appended: 0 });
    await store.close();
  });
});

describe("a PostgreSQL store", () => {
  it("does not show its connection string", async () => {
    const store = postgresStore(server.url());
    expect(inspect(store, { depth: 20, showHidden: true })).not.toContain(new URL(server.url()).password);
    await store.close();
  });

  it.each([
    { schema: "" },
    { schema: "x".repeat(64) },
    { schema: "$user" },
    { schema: "pg_temp" },
    { maxConnections: 0 },
    { statementTimeout: 1.5 },
  ])("refuses %o", (options) => {
    const refused = expect.objectContaining({ code: "invalid-option" });
    expect(() => postgresStore(server.url(), options)).toThrow(refused);
  });

  it("refuses ids that are too long for an index, and writes nothing", async () => {
    const store = postgresStore(await createStoreDatabase(server));
    const refused = { code: "invalid-option", summary: "Invalid id or part: too long for PostgreSQL." };
    const long = noise(3000);
    for (const [owner, sessionId, id] of [
      [long, "s", "m"],
      ["o", long, "m"],
      ["o", "s", long],
    ] as const) {
      const session = { userId: owner, sessionId };
      await expect(store.messages.append(session, 0, [said(session, id)])).rejects.toMatchObject(refused);
      expect(await store.sessions.list(owner)).toEqual([]);
    }
    await store.close();
  });

  it("throws a typed error if a statement times out, and works afterwards", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url, { statementTimeout: 1000 });
    await store.messages.append(key, 0, [said(key, "m0")]);
    const other = new pg.Client(url);
    await other.connect();
    await other.query("BEGIN; SELECT * FROM throughline.sessions FOR UPDATE");
    await expect(store.messages.append(key, 1, [said(key, "m1")])).rejects.toMatchObject({ problem: "unavailable" });
    await other.end();
    expect(await store.messages.append(key, 1, [said(key, "m1")])).toBe(true);
    expect(await idsOf(store, key)).toEqual(["m0", "m1"]);
    await store.close();
  });

  it("reads from a read-only database, and reports it on a write", async () => {
    const url = await createStoreDatabase(server);
    const first = postgresStore(url);
    await first.messages.append(key, 0, [said(key, "m0")]);
    await first.close();
    await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`);
    const store = postgresStore(url);
    expect(await idsOf(store, key)).toEqual(["m0"]);
    await expect(store.messages.append(key, 1, [said(key, "m1")])).rejects.toMatchObject({ problem: "read-only" });
    await store.close();
  });

  it.each([
    ["53100", "full"],
    ["42501", "read-only"],
    ["XX001", "corrupt"],
    ["55P03", "busy"],
    ["P0001", "unavailable"],
  ])("gives %s the type %s, and keeps nothing of the write", async (code, problem) => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    await query(
      url,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON throughline.message_parts FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await expect(store.messages.append(key, 1, [said(key, "m1")])).rejects.toMatchObject({ problem });
    expect(await store.sessions.head(key)).toMatchObject({ appended: 1 });
    await store.close();
  });

  it.each(["40001", "40P01"])("retries if the database asks for it (%s)", async (code) => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    // Sequences survive a rollback: the third attempt succeeds.
    await query(
      url,
      `CREATE SEQUENCE tries; CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN IF nextval('public.tries') < 3 THEN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON throughline.message_parts FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    expect(await store.messages.append(key, 1, [said(key, "m1")])).toBe(true);
    expect(await query(url, "SELECT last_value::int AS tries FROM tries")).toEqual([{ tries: 3 }]);
    expect(await idsOf(store, key)).toEqual(["m0", "m1"]);
    await store.close();
  });

  it("stops retrying after the maximum time", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url, { retryTimeout: 200 });
    await store.messages.append(key, 0, [said(key, "m0")]);
    await query(
      url,
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40001'; END $$;
       CREATE TRIGGER fail BEFORE INSERT ON throughline.message_parts FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    await expect(store.messages.append(key, 1, [said(key, "m1")])).rejects.toMatchObject({ problem: "busy" });
    await store.close();
  });

  it("finishes running operations when it is closed, and refuses new ones", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url, { maxConnections: 2 });
    const sessions = Array.from({ length: 12 }, (_, i) => ({ userId: "ada", sessionId: `s${i}` }));
    await store.sessions.head(key);
    const appends = sessions.map((one) => store.messages.append(one, 0, [said(one, "m0")]));
    await new Promise(setImmediate);
    const closed = store.close();
    expect(await Promise.all(appends)).toEqual(sessions.map(() => true));
    await closed;
    await expect(store.sessions.head(key)).rejects.toMatchObject({ problem: "closed" });
    await store.close();
  });
});

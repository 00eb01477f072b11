import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../src/store/postgres/postgres-store.ts";
import { backupSqlite, sqliteStore } from "../src/store/sqlite/sqlite.ts";
import { SOAK } from "./cases.ts";
import { liveWith, MarkedWords, wordsIn, writeFields } from "./marked-words.ts";
import { query } from "./postgres-server.ts";
import { sharedPostgres } from "./shared-postgres.ts";

const encryptionKey = Buffer.from("an unusual key of thirty-two b..").toString("base64");

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-words-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Everything in every column of every table. */
function valuesOf(path: string): Uint8Array[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
  database.close();
  return rows.flatMap((row) => Object.values(row).map(toBytes));
}

function toBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}

/** All marked words that are found in a file, beside it, in a copy of it, and in its compressed columns. */
function wordsOnDisk(name: string): ReadonlySet<string> {
  const files = readdirSync(folder).filter((one) => one.startsWith(name));
  const contents = files.map((one) => readFileSync(join(folder, one)));
  return wordsIn([...contents, ...valuesOf(join(folder, `${name}-backup`))]);
}

describe("stored text", () => {
  it("does not occur in an encrypted file, its log or a copy; a plain file contains it", async () => {
    const found: Record<string, ReadonlySet<string>> = {};
    const words = { fields: new MarkedWords(), life: new MarkedWords() };
    for (const [name, options] of Object.entries({ plain: {}, encrypted: { encryptionKey } })) {
      const path = join(folder, name);
      const store = sqliteStore(path, options);
      await writeFields(store, words.fields.next);
      await liveWith(store, words.life.next);
      await backupSqlite(path, `${path}-backup`);
      expect(readdirSync(folder)).toContain(`${name}-wal`);
      found[`${name}, open`] = wordsOnDisk(name);
      await store.close();
      found[`${name}, closed`] = wordsOnDisk(name);
      if (name === "encrypted") continue;
      expect(words.fields.all.length).toBeGreaterThan(70);
      expect(words.fields.all.filter((word) => !found["plain, closed"]?.has(word))).toEqual([]);
      // Some words of the scenario are only queried and not stored.
      expect(words.life.all.filter((word) => found["plain, closed"]?.has(word)).length).toBeGreaterThan(40);
    }
    expect([...(found["encrypted, open"] ?? []), ...(found["encrypted, closed"] ?? [])]).toEqual([]);
  });

  it.runIf(SOAK > 1)("does not occur in encrypted tables in PostgreSQL; plain tables contain it", async () => {
    const url = await (await sharedPostgres()).createDatabase();
    for (const options of [{ schema: "plain" }, { schema: "encrypted", encryptionKey }]) {
      const [fields, life] = [new MarkedWords(), new MarkedWords()];
      const store = postgresStore(url, options);
      await writeFields(store, fields.next);
      // Of plain tables only the fields are looked for.
      if ("encryptionKey" in options) await liveWith(store, life.next);
      await store.close();
      const found = wordsIn(await allValues(url, options.schema));
      if ("encryptionKey" in options) expect([...found]).toEqual([]);
      else expect(fields.all.filter((word) => !found.has(word))).toEqual([]);
    }
  });
});

async function allValues(url: string, schema: string): Promise<Uint8Array[]> {
  const tables = await query(
    url,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}'`,
  );
  const values: Uint8Array[] = [];
  for (const { name } of tables) {
    const rows = await query(url, `SELECT * FROM ${schema}."${name}"`);
    values.push(...rows.flatMap((row) => Object.values(row).map(toBytes)));
  }
  return values;
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sqliteDriver } from "../../sqlite/sqlite-store.ts";
import { migrate } from "../migrate.ts";
import type { SqlRow, StoreTransaction } from "../sql-driver.ts";
import { createContentCipher, newStoreKey } from "./content-cipher.ts";
import { SEALED_TABLES } from "./seal-database.ts";
import { openRows, type SealedTable, sealRow } from "./sealed-rows.ts";

const statements = { all: async () => [], run: async () => 0 };
const plain: StoreTransaction = { ...statements, cipher: undefined };
const sealing: StoreTransaction = { ...statements, cipher: createContentCipher(newStoreKey()) };

const NOTES: SealedTable = {
  name: "notes",
  sealing: {
    key: ["owner", "position"],
    content: { columns: ["title", "slot", "body", "body_packed"], into: "body_packed" },
    digested: ["slot"],
  },
};
const NAMES: SealedTable = {
  name: "names",
  sealing: { key: ["owner", "position"], content: { columns: ["name"], into: { text: "name" } } },
};

const text = fc.option(fc.string({ unit: "grapheme" }));
const note = fc.record({
  owner: fc.constantFrom("ann", "bob"),
  position: fc.nat({ max: 3 }),
  tokens: fc.nat(),
  title: text,
  slot: text,
  body: text,
  body_packed: fc.option(fc.uint8Array()),
});

describe("rows", () => {
  it("come back as they were written, with and without a key", () => {
    fc.assert(
      fc.property(note, (row) => {
        expect(openRows(plain, NOTES, [sealRow(plain, NOTES, row)])).toEqual([row]);
        expect(openRows(sealing, NOTES, [sealRow(sealing, NOTES, row)])).toEqual([row]);
      }),
    );
  });

  it("show no content when they are sealed, and stay null if they were null", () => {
    fc.assert(
      fc.property(note, (row) => {
        const { title, slot, body, body_packed: packed, ...readable } = sealRow(sealing, NOTES, row);
        const { owner, position, tokens } = row;
        expect(readable).toEqual({ owner, position, tokens });
        expect([title, body]).toEqual([row.title, row.body].map((value) => (value === null ? null : "")));
        expect(slot === null).toBe(row.slot === null);
        if (row.slot !== null) expect(slot).toMatch(/^[\w-]{43}$/);
        if (packed !== null) expect((packed as Uint8Array)[0]).toBe(1);
      }),
    );
  });

  it("cannot be opened in the place of another", () => {
    fc.assert(
      fc.property(note, note, (row, other) => {
        fc.pre(row.owner !== other.owner || row.position !== other.position);
        fc.pre(row.title !== null);
        const moved = { ...sealRow(sealing, NOTES, row), owner: other.owner, position: other.position };
        expect(() => openRows(sealing, NOTES, [moved])).toThrow(expect.objectContaining({ problem: "corrupt" }));
        const renamed: SealedTable = { ...NOTES, name: "others" };
        expect(() => openRows(sealing, renamed, [sealRow(sealing, NOTES, row)])).toThrow("was changed or moved");
      }),
    );
  });

  it("that were never sealed are refused if there is a key", () => {
    const row: SqlRow = { owner: "ann", position: 1, title: "words", slot: null, body: null, body_packed: null };
    expect(() => openRows(sealing, NOTES, [row])).toThrow("is not encrypted");
    expect(() => openRows(sealing, NOTES, [{ ...row, title: "", body: "" }])).toThrow("is not encrypted");
    const sealed = sealRow(sealing, NOTES, row);
    expect(() => openRows(sealing, NOTES, [{ ...sealed, title: "other words" }])).toThrow("is not encrypted");
    expect(() => openRows(sealing, NAMES, [{ owner: "ann", position: 1, name: "words" }])).toThrow("was changed");
  });

  it("are text in a text column", () => {
    const row = { owner: "ann", position: 1, name: "Zürich" };
    const sealed = sealRow(sealing, NAMES, row);
    expect(sealed.name).toMatch(/^[\w+/]+=*$/);
    expect(openRows(sealing, NAMES, [sealed])).toEqual([row]);
  });

  it("are known by columns that were not read", () => {
    const row = { owner: "ann", position: 1, name: "Ann" };
    const { owner, ...read } = sealRow(sealing, NAMES, row);
    expect(openRows(sealing, NAMES, [read], { owner: "ann" })).toEqual([{ position: 1, name: "Ann" }]);
    expect(owner).toBe("ann");
    expect(() => openRows(sealing, NAMES, [read], { owner: "bob" })).toThrow("was changed or moved");
  });
});

/** Columns that are never encrypted, by table: names, ids, times, counts and enums. */
const READABLE: Readonly<Record<string, string>> = {
  throughline_migrations: "number name applied_at",
  sessions:
    "owner id created_at updated_at appended revision compaction_count last_compaction_at receipt_count currently_compacting compacting_by",
  session_states: "owner session_id",
  messages: "owner session_id position id role created_at tokens",
  message_parts: "owner session_id position order id type tokens compacted_at",
  compaction_events: "owner session_id position id created_at round tokens_before tokens_after",
  receipts: "owner session_id position id created_at",
  memory_spaces: "space revision epoch",
  memory_leases: "space work holder leased_until",
  memories:
    "space id type category confidence mentions pinned by_hand user_id project_id scope created_at last_seen_at valid_from valid_to archived_at supersedes superseded_by retrieval_count citation_count ignore_count last_accessed session_id links artifact_count",
  episode_artifacts: "space episode_id position artifact_type",
  turns: "space id session_id position message_id at created_at user_id project_id stale_since",
  search_entries: "space id revision embedder",
  memory_journal: "space revision position id at undoes",
  journal_changes: "space entry_id position kind id names_others",
  contradictions: "space id memory_a memory_b detected_at status resolved_at resolution",
  judgements: "space contradicts",
  judgement_memories: "space memory_id",
  documents: "space name revision",
  blobs: "space name",
  // A token's name is a label; only a hash of its secret is stored.
  tokens: "id name hash user_id projects scopes created_at expires_at revoked_at last_used_at",
  // Payloads are ids and numbers.
  jobs: "position kind owner project_id key payload payload_packed state attempts max_attempts run_at due_at created_at finished_at holder",
  // So is the data of events.
  events: "sequence owner project_id session_id type at data data_packed",
  event_counters: "owner last",
  kept_answers: "owner key at claimed_until claimed_by is_discarded status",
};

describe("every column of the database", () => {
  it("is sealed, is a digest, or is known to hold no words: a new one is put into one of the lists", async () => {
    const driver = sqliteDriver(":memory:");
    await migrate(driver);
    const columns = await driver.read((tx) =>
      tx.all(
        `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master AS t, pragma_table_info(t.name) AS c
         WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
      ),
    );
    await driver.close();
    const covered = new Set([
      ...Object.entries(READABLE).flatMap(([table, names]) => names.split(" ").map((name) => `${table}.${name}`)),
      ...SEALED_TABLES.flatMap(({ name, sealing: { content, digested = [] } = { key: [] } }) =>
        [...(content?.columns ?? []), ...digested].map((column) => `${name}.${column}`),
      ),
    ]);
    const there = columns.map((row) => `${row.table}.${row.column}`);
    expect(there.filter((name) => !covered.has(name))).toEqual([]);
    expect([...covered].filter((name) => !there.includes(name))).toEqual([]);
  });

  it("of the key of a sealed table is in that table's primary key, with nothing missing but what names a row alone", async () => {
    const driver = sqliteDriver(":memory:");
    await migrate(driver);
    for (const { name, sealing: { key } = { key: [] } } of SEALED_TABLES) {
      const columns = await driver.read((tx) => tx.all(`SELECT name FROM pragma_table_info('${name}') WHERE pk > 0`));
      expect([name, ...key]).toEqual(expect.arrayContaining(columns.map((row) => row.name)));
    }
    await driver.close();
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import type { Erasure } from "../../ports/memory-store.ts";
import type { Store } from "../../ports/store.ts";
import {
  change,
  compaction,
  contradiction,
  entry,
  fullMemory,
  fullTurn,
  journalEntry,
  memory,
  receipt,
  said,
  storedMemory,
} from "../../test/samples.ts";
import { checkSqlite } from "./check-sqlite.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { userId: "ann", sessionId: "s" };
const space = "user:ann";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-purge-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Counts occurrences of a word in the file and the files beside it. */
function traces(word: string): number {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return texts.join().split(word).length - 1;
}

/** Writes all kinds of session data that contain a word. */
async function write(store: Store, word: string): Promise<void> {
  await store.messages.append(key, 0, [said(key, `${word} id`, word)]);
  for (const [revision, length] of [50_000, 1, 10].entries()) {
    await store.sessions.commit(key, {
      revision,
      state: `${word} `.repeat(length),
      compactions: [{ ...compaction(`${word} ${revision}`, revision), summary: word }],
      receipts: [receipt(`${word} ${revision}`, word)],
    });
  }
  await store.sessions.lease(key, word, 60_000);
}

describe("a purge", () => {
  it("leaves no deleted or overwritten data in the file", async () => {
    const store = sqliteStore(path);
    await write(store, "secret");
    expect(traces("secret")).toBeGreaterThan(0);
    await store.sessions.purge(key);
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("of memories leaves nothing in blobs, which may have been written and replaced before", async () => {
    const store = sqliteStore(path);
    await store.memories.commit(space, { revision: 0, memories: [storedMemory("gone")] });
    for (const n of [1, 500, 20]) {
      const bytes = new TextEncoder().encode("secret ".repeat(n * 10));
      const remove = ["segment 1"];
      await store.blobs.put(space, { epoch: 0, blobs: [{ name: `segment ${n}`, bytes }], remove });
    }
    expect(traces("secret")).toBeGreaterThan(0);
    await store.memories.erase(space, { memories: ["gone"], turns: [] });
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("leaves nothing of blobs that are deleted", async () => {
    const store = sqliteStore(path);
    const blobs = ["a", "b"].map((name) => ({ name, bytes: new TextEncoder().encode("secret ".repeat(9_000)) }));
    await store.blobs.put(space, { epoch: 0, blobs });
    await store.blobs.delete(space, "a");
    expect(traces("secret")).toBeGreaterThan(0);
    await store.blobs.delete(space, { prefix: "" });
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("leaves nothing of sessions among which others were written", async () => {
    // SQLite moves rows if several sessions share a page.
    const writes = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 100 })), { minLength: 300, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const store = sqliteStore(path);
        const sessions = Array.from({ length: 10 }, (_, n) => ({ userId: "ann", sessionId: `s${n}` }));
        const ends = sessions.map(() => 0);
        for (const [n, size] of all) {
          const [session = key, at = 0] = [sessions[n], ends[n]];
          const word = n % 2 === 0 ? "secret" : "public";
          await store.messages.append(session, at, [said(session, `${word} ${at}`, `${word} `.repeat(1 + size))]);
          ends[n] = at + 1;
        }
        await Promise.all(sessions.filter((_, n) => n % 2 === 0).map((session) => store.sessions.purge(session)));
        expect([traces("secret"), traces("public") > 0]).toEqual([0, true]);
        await store.close();
        rmSync(path);
      }),
      { numRuns: cases(15) },
    );
  });

  it("leaves nothing in a file that is so large that another thread rewrites it", async () => {
    const store = sqliteStore(path);
    const other = { userId: "bob", sessionId: "s" };
    const noise = Array.from({ length: 100 }, (_, n) => said(other, `m${n}`, `${n} public `.repeat(6_000)));
    await store.messages.append(other, 0, noise);
    await write(store, "secret");
    const reads: Promise<unknown>[] = [];
    const purge = store.sessions.purge(key);
    for (let n = 0; n < 5; n += 1) reads.push(store.messages.list(other, { from: n, limit: 1 }));
    const appended = store.messages.append(other, 100, [said(other, "last")]);
    await purge;
    expect([traces("secret"), await appended, (await Promise.all(reads)).length]).toEqual([0, true, 5]);
    expect((await store.messages.list(other)).map(({ id }) => id)).toEqual([...noise.map(({ id }) => id), "last"]);
    await store.close();
    expect((await checkSqlite(path)).problems).toEqual([]);
  });

  it("waits for readers of the log", async () => {
    const store = sqliteStore(path);
    await write(store, "secret");
    const reader = readingConnection();
    let isOver = false;
    const purge = store.sessions.purge(key).then(() => {
      isOver = true;
    });
    // Other work continues meanwhile.
    const other = { userId: "bob", sessionId: "s" };
    for (let n = 0; n < 5; n += 1) expect(await store.messages.append(other, n, [said(other, `m${n}`)])).toBe(true);
    expect(isOver).toBe(false);
    reader.close();
    await purge;
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("reports if it had to give up, and is completed by the next one", async () => {
    const store = sqliteStore(path, { busyTimeout: 50 });
    await write(store, "secret");
    const reader = readingConnection();
    await expect(store.sessions.purge(key)).rejects.toMatchObject({
      problem: "busy",
      message: expect.stringContaining("traces may remain"),
    });
    expect((await store.sessions.head(key)).appended).toBe(0);
    reader.close();
    await store.sessions.purge(key);
    expect(traces("secret")).toBe(0);
    await store.close();
  });
});

/** Writes memories with a word in all places, and returns their erasure. */
async function writeMemories({ memories: memoryStore }: Store, word: string): Promise<Erasure> {
  const ids = [0, 1, 2].map((n) => `${word} m${n}`);
  const bytes = Array.from(word, (sign) => sign.charCodeAt(0));
  for (const [revision, length] of [30_000, 1, 10].entries()) {
    const text = `${word} `.repeat(length);
    const memories = ids.map((id) => fullMemory(id, text));
    const conflict = contradiction(`${word} c`, `${word} m0`, "kept", { reason: text, note: text });
    await memoryStore.commit(space, {
      revision,
      memories: [
        ...memories.map((memory) => ({ memory, slot: text, fingerprint: text })),
        storedMemory("kept", { links: ids, supersedes: `${word} m1`, supersededBy: `${word} m2` }),
      ],
      turns: [fullTurn(`${word} t`, text)],
      entries: [...ids, `${word} t`].map((id) => ({ ...entry(id, word, bytes), vector: Uint8Array.from(bytes) })),
      contradictions: [conflict],
      journal: [
        journalEntry(`j${revision}`, [
          ...memories.map((memory) => ({ ...change(memory.id, memory), after: text })),
          { kind: "contradiction", id: conflict.id, before: conflict, after: text },
          change("kept", kept({ links: ids })),
        ]),
      ],
    });
    await memoryStore.record(space, {
      judgements: [{ key: `${text} ${revision}`, memoryIds: ids, contradicts: true }],
    });
  }
  return { memories: ids, turns: [`${word} t`] };
}

describe("memories that are erased", () => {
  it("leave nothing in the file: neither text nor quotes, entries, vectors, journal, contradictions, judgements", async () => {
    const store = sqliteStore(path);
    const erasure = await writeMemories(store, "secret");
    expect(traces("secret")).toBeGreaterThan(0);
    const report = await store.memories.erase(space, erasure);
    expect(report).toEqual({ memories: 3, turns: 1, contradictions: 1, journalChanges: 12, judgements: 3 });
    expect(traces("secret")).toBe(0);
    expect(await store.memories.list(space, "memories")).toEqual([kept()]);
    expect(await store.memories.list(space, "journal", { limit: 9 })).toEqual(
      [2, 1, 0].map((n) => journalEntry(`j${n}`, [change("kept", kept())])),
    );
    await store.close();
    expect((await checkSqlite(path)).problems).toEqual([]);
  });

  it("leave nothing among others that were written between them", async () => {
    const writes = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 100 })), { minLength: 150, maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const store = sqliteStore(path);
        for (const [revision, [n, size]] of all.entries()) {
          const id = `${n % 2 === 0 ? "secret" : "public"} ${n}`;
          const memory = fullMemory(id, `${id} `.repeat(1 + size));
          await store.memories.commit(space, {
            revision,
            memories: [{ memory: { ...memory, links: [], supersedes: id, supersededBy: id }, fingerprint: id }],
            turns: [fullTurn(id, `${id} `.repeat(1 + size))],
            journal: [journalEntry(`j${revision}`, [change(id, memory)])],
          });
        }
        const ids = [0, 2, 4, 6, 8].map((n) => `secret ${n}`);
        await Promise.all(ids.map((id) => store.memories.erase(space, { memories: [id], turns: [id] })));
        expect([traces("secret"), traces("public") > 0]).toEqual([0, true]);
        await store.close();
        rmSync(path);
      }),
      { numRuns: cases(8) },
    );
  });
});

function kept(fields: Parameters<typeof memory>[1] = {}) {
  return memory("kept", fields);
}

/** A connection with an unfinished read. */
function readingConnection(): DatabaseSync {
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM messages").get();
  return reader;
}

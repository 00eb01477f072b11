import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../ports/store.ts";
import { compaction, receipt, said } from "../../test/samples.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { owner: "ann", sessionId: "s" };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-purge-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** How often a word stands in the file or beside it. */
function traces(word: string): number {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return texts.join().split(word).length - 1;
}

/** Writes of all kinds to a session, with a word in each. */
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
  await store.sessions.acquire(key, word, 60_000);
}

describe("a purge", () => {
  it("leaves nothing in the file of what was written and overwritten", async () => {
    const store = sqliteStore(path);
    await write(store, "secret");
    expect(traces("secret")).toBeGreaterThan(0);
    await store.sessions.purge(key);
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("leaves nothing of sessions among which others were written", async () => {
    // Where rows of several sessions stand in one page, SQLite moves them about.
    const writes = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 100 })), { minLength: 300, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(writes, async (all) => {
        const store = sqliteStore(path);
        const sessions = Array.from({ length: 10 }, (_, n) => ({ owner: "ann", sessionId: `s${n}` }));
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
      { numRuns: 15 },
    );
  });

  it("waits for who reads from the log", async () => {
    const store = sqliteStore(path);
    await write(store, "secret");
    const reader = readingConnection();
    let isOver = false;
    const purge = store.sessions.purge(key).then(() => {
      isOver = true;
    });
    // Other work goes on meanwhile.
    const other = { owner: "bob", sessionId: "s" };
    for (let n = 0; n < 5; n += 1) expect(await store.messages.append(other, n, [said(other, `m${n}`)])).toBe(true);
    expect(isOver).toBe(false);
    reader.close();
    await purge;
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("says so where it had to give up, and is done by the next", async () => {
    const store = sqliteStore(path, { busyTimeout: 50 });
    await write(store, "secret");
    const reader = readingConnection();
    await expect(store.sessions.purge(key)).rejects.toMatchObject({
      problem: "busy",
      message: expect.stringContaining("traces of them are left"),
    });
    expect((await store.sessions.head(key)).appended).toBe(0);
    reader.close();
    await store.sessions.purge(key);
    expect(traces("secret")).toBe(0);
    await store.close();
  });
});

/** Somebody who reads, and has not come to an end. */
function readingConnection(): DatabaseSync {
  const reader = new DatabaseSync(path);
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM messages").get();
  return reader;
}

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionKey, Store } from "../../ports/store.ts";
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

/** Writes of all kinds to a session, of several sizes, with a word in each. */
async function write(store: Store, session: SessionKey, word: string, sizes: readonly number[]): Promise<void> {
  for (const [n, size] of sizes.entries()) {
    const text = `${word} `.repeat(1 + size);
    expect(await store.messages.append(session, n, [said(session, `${word}-${n}`, text)])).toBe(true);
    const written = {
      state: { text },
      compactions: [{ ...compaction(`${word}-${n}`, n), summary: text }],
      receipts: [receipt(`${word}-${n}`, text)],
      marks: new Map([[`${word}-${n}.0`, 1]]),
    };
    expect(await store.sessions.commit(session, { revision: n, ...written })).toBe(true);
  }
}

describe("a purge", () => {
  it("leaves nothing of a session in the file, among sessions of others that were written at the same time", async () => {
    const sizes = fc.array(fc.nat({ max: 300 }), { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { minLength: 4, maxLength: 8 }), async (sessions) => {
        const store = sqliteStore(path);
        const words = sessions.map((_, n) => (n % 2 === 0 ? "secret" : "public"));
        const keys = sessions.map((_, n) => ({ owner: "ann", sessionId: `s${n}` }));
        await Promise.all(keys.map((one, n) => write(store, one, words[n] ?? "", sessions[n] ?? [])));
        expect(traces("secret")).toBeGreaterThan(0);
        await Promise.all(keys.filter((_, n) => n % 2 === 0).map((one) => store.sessions.purge(one)));
        expect(traces("secret")).toBe(0);
        expect(traces("public")).toBeGreaterThan(0);
        for (const one of keys) await store.sessions.purge(one);
        await store.close();
      }),
      { numRuns: 15 },
    );
  });

  it("waits for who reads from the log", async () => {
    const store = sqliteStore(path);
    await write(store, key, "secret", [1, 2]);
    const reader = readingConnection();
    const purge = store.sessions.purge(key);
    // Others go on meanwhile.
    expect(await store.sessions.list("bob")).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    reader.close();
    await purge;
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("says so where it had to give up, and is done by the next", async () => {
    const store = sqliteStore(path, { busyTimeout: 50 });
    await write(store, key, "secret", [1, 2]);
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

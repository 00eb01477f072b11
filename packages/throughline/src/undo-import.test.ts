import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordImport } from "./memory/undo/import-record.ts";
import { SYSTEM_CLOCK } from "./ports/clock.ts";
import { sqliteStore } from "./store/sqlite/sqlite-store.ts";
import { said } from "./test/samples.ts";
import { createThroughline } from "./throughline.ts";
import { undoImport } from "./undo-import.ts";

const userId = "local";
const clock = SYSTEM_CLOCK;
const SESSIONS = 12;

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-undo-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Counts occurrences of a word in the file and the files beside it. */
function traces(word: string): number {
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return texts.join().split(word).length - 1;
}

/** Reads a number that SQLite raises with each rewrite of the file. */
function rewrites(): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const { schema_version } = database.prepare("PRAGMA schema_version").get() ?? {};
  database.close();
  return Number(schema_version);
}

/** A store with imported sessions and memories that contain a word, and the undo of that import. */
async function imported(word: string) {
  const store = sqliteStore(path, { busyTimeout: 50 });
  const recorded = recordImport(store, { userId, clock, sources: ["sessions"] });
  const tl = await createThroughline({ store: recorded.store, userId });
  for (let n = 0; n < SESSIONS; n += 1) {
    const key = { userId, sessionId: `s${n}` };
    await recorded.store.messages.append(key, 0, [said(key, `m${n}`, `${word} ${n}`)]);
    await tl.memory.ingest({
      sessionId: key.sessionId,
      messages: [{ role: "user", text: `We never ship ${word} ${n}.` }],
    });
  }
  await recorded.save();
  const deps = {
    store,
    userId,
    clock,
    open: async () => tl,
    eraseAnswers: () => store.server.answers.erase({ owner: userId }),
  };
  return { store, undo: () => undoImport(deps, recorded.id) };
}

describe("undoing an import in SQLite", () => {
  it("rewrites the file once for all sessions, and once for all memories", async () => {
    const { store, undo } = await imported("secret");
    const before = rewrites();
    expect(await undo()).toMatchObject({ sessions: SESSIONS, turns: SESSIONS, memories: SESSIONS });
    expect(rewrites() - before).toBe(2);
    expect(traces("secret")).toBe(0);
    await store.close();
  });

  it("is completed by the next one if traces of erased text could not be removed", async () => {
    const { store, undo } = await imported("secret");
    const reader = new DatabaseSync(path);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM messages").get();
    await expect(undo()).rejects.toMatchObject({ problem: "busy" });
    expect(await store.sessions.list(userId)).toEqual([]);
    expect(traces("secret")).toBeGreaterThan(0);
    reader.close();
    expect(await undo()).toMatchObject({ wasUndone: false, memories: SESSIONS });
    expect(traces("secret")).toBe(0);
    expect(await undo()).toMatchObject({ wasUndone: true });
    await store.close();
  });
});

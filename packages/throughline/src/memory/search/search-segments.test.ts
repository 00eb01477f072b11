import { describe, expect, it } from "vitest";
import { wordEmbedder } from "../../embed/word-embedder.ts";
import { QUIET } from "../../ports/logger.ts";
import type { Store } from "../../ports/store.ts";
import { inProcessStore } from "../../store/in-process.ts";
import { sqliteStore } from "../../store/sqlite/sqlite.ts";
import { packVector } from "./packed-vector.ts";
import { memoryOf, NOW, turnOf } from "./search.arbitrary.ts";
import { searchIndexes } from "./search.ts";
import { packEntry, type Searchable } from "./search-entry.ts";
import { SearchSpaces } from "./search-spaces.ts";

const SPACE = "user:u1";
const embedder = { ...wordEmbedder(), name: "test" };

/** Commits entries, `from` to `to`. */
async function write(store: Store, from: number, to: number, text = (at: number) => `thing${at} boat`): Promise<void> {
  const { revision } = await store.memories.head(SPACE);
  const searchables = Array.from({ length: to - from }, (_, at): Searchable => {
    const number = from + at;
    return number % 4 === 0
      ? memoryOf(text(number), { id: `m${number}` })
      : turnOf(number % 50, text(number), { id: `m${number}`, sessionId: `s${Math.floor(number / 50)}` });
  });
  const entries = searchables.map((one) => {
    const vector = packVector(Float32Array.of(one.id.length, Number(one.id.slice(1)) % 7, 1));
    return { id: one.id, entry: packEntry(one), embedder: "test", vector };
  });
  await store.memories.commit(SPACE, { revision, entries });
}

/** A separate process with this store; `entriesRead` counts the log entries that it reads. */
function process(store: Store) {
  const counted = { entriesRead: 0, warnings: 0 };
  const { memories } = store;
  const memoryStore: Store["memories"] = {
    head: (space) => memories.head(space),
    get: (space, collection, ids) => memories.get(space, collection, ids),
    async list(space, collection, filter) {
      const found = await memories.list(space, collection, filter);
      counted.entriesRead += found.length;
      return found;
    },
    commit: (space, commit) => memories.commit(space, commit),
    record: (space, record) => memories.record(space, record),
    erase: (space, erasure) => memories.erase(space, erasure),
    lease: (...given) => memories.lease(...given),
    spaces: (page) => memories.spaces(page),
  };
  const warn = () => {
    counted.warnings += 1;
  };
  const logger = { ...QUIET, warn };
  const clock = { now: () => NOW };
  const context = { userId: "u1", projectId: undefined, model: undefined, memoryStore, embedder, clock, logger };
  const spaces = new SearchSpaces({ ...context, blobs: store.blobs });
  const find = async (text: string) => {
    const vector = Float32Array.of(4, 3, 1);
    const { candidates } = searchIndexes([await spaces.open(SPACE)], { text, now: NOW, vector }, 20);
    return candidates.map(({ id, score }) => `${id} ${score}`);
  };
  return { counted, spaces, find };
}

describe.each([
  ["in the process", () => inProcessStore({ now: () => NOW })],
  ["SQLite", () => sqliteStore(":memory:")],
])("search segments: %s", (_, open) => {
  it("give another process the same hits without reading the entries again", async () => {
    const store = open();
    await write(store, 0, 1_500);
    const first = process(store);
    await first.find("boat");
    await write(store, 1_400, 2_600, (at) => `later${at} boat`);
    const found = [await first.find("thing7 boat"), await first.find("later1450")];
    const second = process(store);
    expect([await second.find("thing7 boat"), await second.find("later1450")]).toEqual(found);
    expect(second.counted).toEqual({ entriesRead: 0, warnings: 0 });
    await write(store, 2_600, 2_610);
    expect(await second.find("thing2605")).toEqual(await first.find("thing2605"));
    expect(second.counted.entriesRead).toBe(10);
    await store.close();
  });

  it("keep nothing of what is erased, and are made again", async () => {
    const store = open();
    await write(store, 0, 1_200, (at) => (at === 8 ? "secret harbor" : `thing${at}`));
    await process(store).find("harbor");
    await store.memories.erase(SPACE, { memories: ["m8"], turns: [] });
    expect(await store.blobs.list(SPACE)).toEqual([]);
    const after = process(store);
    expect((await after.find("secret harbor")).some((hit) => hit.startsWith("m8 "))).toBe(false);
    const blobs = await store.blobs.get(SPACE, await store.blobs.list(SPACE));
    expect(blobs.length).toBeGreaterThan(0);
    await store.close();
  });

  it("are ignored if they are damaged or incomplete", async () => {
    const store = open();
    await write(store, 0, 1_100);
    const found = await process(store).find("thing7");
    const [name = ""] = await store.blobs.list(SPACE);
    await store.blobs.put(SPACE, { epoch: 0, blobs: [{ name, bytes: new Uint8Array(100) }] });
    const damaged = process(store);
    expect(await damaged.find("thing7")).toEqual(found);
    expect(damaged.counted.warnings).toBe(1);
    await store.blobs.put(SPACE, {
      epoch: 0,
      blobs: [{ name: name.replace("/0-1", "/0-2"), bytes: new Uint8Array() }],
    });
    await store.blobs.delete(SPACE, name);
    expect(await process(store).find("thing7")).toEqual(found);
    await store.close();
  });

  it("become one when the space is consolidated", async () => {
    const store = open();
    await write(store, 0, 1_000);
    const { spaces } = process(store);
    await spaces.open(SPACE);
    await write(store, 1_000, 1_010);
    await spaces.pack(SPACE);
    expect(await store.blobs.list(SPACE)).toEqual(["search/2/test/0-2/0-1"]);
    await store.close();
  });
});

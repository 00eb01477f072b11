import type { DocumentStore, Store, StoredBlob } from "../../ports/store.ts";
import { assert, assertRefused, assertSame, type DocumentFact, type StoreFact } from "../conformance.ts";
import { HARD_TEXT, journalEntry, noise, storedMemory } from "../samples.ts";

/** JSON values of every kind, and some that a store may confuse with its own encoding. */
const VALUES: Readonly<Record<string, unknown>> = {
  nothing: null,
  yes: true,
  no: false,
  zero: 0,
  fraction: 0.1 + 0.2,
  huge: -1.797e308,
  "empty text": "",
  "hard text": HARD_TEXT,
  "text like JSON": '{"a":1}',
  "empty list": [],
  list: [null, [[]], { a: [1, "2", false] }],
  "empty record": {},
  record: { a: { b: { c: null } }, "": 1, [HARD_TEXT]: HARD_TEXT, ["__proto__"]: { x: 1 }, constructor: 2 },
  "like bytes": { $bytes: "AAEC", deep: [{ $$bytes: "x" }] },
  bytes: { data: Uint8Array.of(0, 128, 255) },
};

/** Names that a store may confuse with each other or with a pattern. */
const HARD_NAMES = [
  ...["", "%", "_", "*", "a%", "a_", "A", "a", "ä", "a\u0308", "__proto__", "a/b", "a/b/c"],
  ...["\0", "\0\0", "\\", "\\u0000", "\\u00", "\ud7ff", "\ud7ff!", "\ud83d", "\ud83d\ude00", "\udc00", "\ufffd"],
  ...["\ue000", "\uffff", "\uffff\uffff", "\u{10ffff}"],
];

export const DOCUMENT_FACTS: readonly DocumentFact[] = [
  [
    "an unknown document is undefined",
    async (store, space) => {
      assertSame(await store.get(space, "d"), undefined, "the document");
      assertSame(await store.list(space), [], "the names");
      await store.delete(space, "d");
      await store.delete(space, { prefix: "" });
    },
  ],
  [
    "a write replaces a document and increments its revision",
    async (store, space) => {
      for (const revision of [0, 1, 2]) {
        assert(await store.put(space, "d", { revision, value: { written: revision } }), "it is written");
        const read = { revision: revision + 1, value: { written: revision } };
        assertSame(await store.get(space, "d"), read, "the document");
      }
      assertSame(await store.list(space), ["d"], "the names");
    },
  ],
  [
    "a write on an outdated revision is refused",
    async (store, space) => {
      for (const revision of [1, -1, 0.5, Number.NaN]) {
        assertSame(await store.put(space, "d", { revision, value: 1 }), false, `a first one on revision ${revision}`);
      }
      assertSame(await store.list(space), [], "the names");
      await store.put(space, "d", { revision: 0, value: "first" });
      await store.put(space, "d", { revision: 1, value: "second" });
      for (const revision of [0, 1, 3, -1, 1.5, Number.NaN]) {
        assertSame(await store.put(space, "d", { revision, value: 1 }), false, `one on revision ${revision}`);
      }
      assertSame(await store.get(space, "d"), { revision: 2, value: "second" }, "the document");
    },
  ],
  [
    "one of several concurrent writes on a revision succeeds, and retries lose no update",
    async (store, space) => {
      const writers = ["a", "b", "c", "d", "e", "f"];
      const first = writers.map((writer) => store.put(space, "one", { revision: 0, value: [writer] }));
      assertSame((await Promise.all(first)).filter(Boolean).length, 1, "the number of successful writes");
      const added = writers.map(async (writer) => {
        for (const n of [0, 1, 2, 3, 4]) await addTo(store, space, `${writer}${n}`);
      });
      await Promise.all(added);
      const { revision, value } = (await store.get(space, "all")) ?? {};
      const expected = writers.flatMap((writer) => [0, 1, 2, 3, 4].map((n) => `${writer}${n}`));
      assertSame([...(value as string[])].sort(), expected, "the added words");
      assertSame(revision, expected.length, "the revision");
    },
  ],
  [
    "names of documents are listed in order, all of them or by prefix",
    async (store, space) => {
      for (const name of HARD_NAMES) assert(await store.put(space, name, { revision: 0, value: name }), "it is new");
      assertSame(await store.list(space), HARD_NAMES.toSorted(), "all names");
      for (const prefix of [...HARD_NAMES, "a/", "\\u", "\\u0", "none"]) {
        const expected = HARD_NAMES.filter((name) => name.startsWith(prefix)).sort();
        assertSame(await store.list(space, prefix), expected, `names that start with ${JSON.stringify(prefix)}`);
      }
      for (const name of HARD_NAMES) assertSame((await store.get(space, name))?.value, name, "the document");
    },
  ],
  [
    "documents are deleted by name or by prefix, and can be written again",
    async (store, space) => {
      for (const prefix of ["\\u00", "a", "\ud83d", "\uffff", "%", "\0"]) {
        const at = `${space} ${prefix}`;
        for (const name of HARD_NAMES) await store.put(at, name, { revision: 0, value: name });
        await store.delete(at, "_");
        await store.delete(at, { prefix });
        const left = HARD_NAMES.filter((name) => name !== "_" && !name.startsWith(prefix));
        assertSame(await store.list(at), left.sort(), `the names without ${JSON.stringify(prefix)}`);
        assertSame(await store.get(at, "_"), undefined, "the document that was deleted by name");
        assertSame(await store.put(at, "_", { revision: 1, value: 1 }), false, "a write on the old revision");
        assert(await store.put(at, "_", { revision: 0, value: "new" }), "a new document is written");
        await store.delete(at, { prefix: "" });
        assertSame(await store.list(at), [], "the names after all were deleted");
      }
    },
  ],
  [
    "documents are invisible and unchanged from other spaces",
    async (store, space) => {
      await store.put(space, "d", { revision: 0, value: "mine" });
      for (const stranger of [`${space}2`, space.toUpperCase(), `${space}%`, `${space}\0`, `${space}d`, ""]) {
        assertSame(await store.get(stranger, "d"), undefined, "another space's document");
        assert(!(await store.list(stranger)).includes("d"), "another space does not list it");
        assertSame(await store.put(stranger, "d", { revision: 1, value: "theirs" }), false, "a write on its revision");
        assert(
          await store.put(stranger, "d", { revision: 0, value: "theirs" }),
          "a document with the same name is written",
        );
        await store.delete(stranger, { prefix: "" });
      }
      assertSame(await store.get(space, "d"), { revision: 1, value: "mine" }, "the document");
    },
  ],
  [
    "values of every kind round-trip",
    async (store, space) => {
      for (const [name, value] of Object.entries(VALUES)) {
        await store.put(space, name, { revision: 0, value: "another" });
        assert(await store.put(space, name, { revision: 1, value }), `${name} is written`);
        assertSame(await store.get(space, name), { revision: 2, value }, name);
      }
    },
  ],
  [
    "large values round-trip, compressible or not, and small ones after them",
    async (store, space) => {
      const files = Array.from({ length: 6_000 }, (_, n) => ({ path: `src/${n}.ts`, edits: [n, n / 7], with: null }));
      const values = [{ files }, noise(1_000_000), "東京 \0 \ud83d".repeat(20_000), "small", { files }, 1];
      for (const [revision, value] of values.entries()) {
        assert(await store.put(space, "large", { revision, value }), "it is written");
        assertSame(await store.get(space, "large"), { revision: revision + 1, value }, "the document");
      }
    },
  ],
  [
    "changing a given or returned value does not change the stored document",
    async (store, space) => {
      const value = { list: [1], bytes: Uint8Array.of(1) };
      await store.put(space, "d", { revision: 0, value });
      value.list.push(2);
      value.bytes[0] = 9;
      const kept = { revision: 1, value: { list: [1], bytes: Uint8Array.of(1) } };
      const read = await store.get(space, "d");
      assertSame(read, kept, "the document");
      await store.put(space, "d", { revision: 1, value: "later" });
      assertSame(read, kept, "the value that was read before");
    },
  ],
];

/** Appends a word to the document, and retries until no concurrent write interferes. */
async function addTo(store: DocumentStore, space: string, word: string): Promise<void> {
  for (let isWritten = false; !isWritten; ) {
    const { revision = 0, value = [] } = (await store.get(space, "all")) ?? {};
    isWritten = await store.put(space, "all", { revision, value: [...(value as string[]), word] });
  }
}

/** A named check of blobs. It gets a new, unused space. */
type BlobFact = readonly [name: string, prove: (store: Store, space: string) => Promise<void>];

const EVERY_BYTE = Uint8Array.from({ length: 512 }, (_, i) => i % 256);
const LARGE = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251);

const FACTS: readonly BlobFact[] = [
  [
    "blobs round-trip, in the order of the requested names",
    async ({ blobs }, space) => {
      const written = [
        blob("every byte", EVERY_BYTE),
        blob("empty", new Uint8Array()),
        blob("large", LARGE),
        blob("part of a buffer", LARGE.subarray(5, 9)),
      ];
      assert(await blobs.put(space, { epoch: 0, blobs: written }), "they are written");
      const names = written.map(({ name }) => name);
      assertSame(await blobs.get(space, names), written, "the blobs");
      const some = await blobs.get(space, ["large", "none", "empty", "large"]);
      assertSame(
        some.map(({ name }) => name),
        ["large", "empty", "large"],
        "some of them",
      );
      assertSame(await blobs.get(space, []), [], "none");
    },
  ],
  [
    "many blobs are written and read at once",
    async ({ blobs }, space) => {
      const many = Array.from({ length: 300 }, (_, i) => blob(`b${i}`, Uint8Array.of(i % 256, 7)));
      assert(await blobs.put(space, { epoch: 0, blobs: many }), "they are written");
      assertSame(
        await blobs.get(
          space,
          many.map(({ name }) => name),
        ),
        many,
        "the blobs",
      );
      assertSame(await blobs.list(space), many.map(({ name }) => name).sort(), "the names");
    },
  ],
  [
    "names of blobs are listed in order, all of them or by prefix",
    async ({ blobs }, space) => {
      assertSame(await blobs.list(space), [], "the names at first");
      const all = HARD_NAMES.map((name, i) => blob(name, Uint8Array.of(i)));
      assert(await blobs.put(space, { epoch: 0, blobs: all }), "they are written");
      assertSame(await blobs.list(space), HARD_NAMES.toSorted(), "all names");
      for (const prefix of [...HARD_NAMES, "a/", "none"]) {
        const expected = HARD_NAMES.filter((name) => name.startsWith(prefix)).sort();
        assertSame(await blobs.list(space, prefix), expected, `names that start with ${JSON.stringify(prefix)}`);
        const found = await blobs.get(space, { prefix });
        assertSame(found, await blobs.get(space, expected), `blobs that start with ${JSON.stringify(prefix)}`);
      }
      assertSame(await blobs.get(space, HARD_NAMES), all, "the blobs");
    },
  ],
  [
    "a blob replaces the one with its name, and removes others in the same write",
    async ({ blobs }, space) => {
      await blobs.put(space, { epoch: 0, blobs: [blob("a", [1]), blob("b", [2]), blob("c", [3])] });
      const merged = [blob("c", [4]), blob("ab", [1, 2]), blob("ab", [1, 2, 3])];
      assert(await blobs.put(space, { epoch: 0, blobs: merged, remove: ["a", "b", "c", "none"] }), "it is written");
      assertSame(await blobs.list(space), ["ab", "c"], "the names");
      assertSame(await blobs.get(space, ["ab", "c"]), [blob("ab", [1, 2, 3]), blob("c", [4])], "the blobs");
      assert(await blobs.put(space, { epoch: 0, blobs: [], remove: ["ab"] }), "one is only removed");
      assertSame(await blobs.list(space), ["c"], "the names after that");
    },
  ],
  [
    "blobs are deleted by name or by prefix, only in their space",
    async ({ blobs }, space) => {
      const all = ["a", "a/1", "a/2", "A/3", "%", "b"].map((name) => blob(name, [1]));
      for (const at of [space, `${space}2`]) await blobs.put(at, { epoch: 0, blobs: all });
      await blobs.delete(space, "%");
      await blobs.delete(space, "none");
      await blobs.delete(space, { prefix: "a/" });
      assertSame(await blobs.list(space), ["A/3", "a", "b"], "the names");
      await blobs.delete(space, { prefix: "" });
      assertSame(await blobs.list(space), [], "the names after all were deleted");
      assertSame((await blobs.list(`${space}2`)).length, all.length, "the number of blobs of the other space");
    },
  ],
  [
    "changing a given or returned array does not change the stored blob",
    async ({ blobs }, space) => {
      const bytes = Uint8Array.of(1, 2);
      await blobs.put(space, { epoch: 0, blobs: [blob("a", bytes)] });
      bytes[0] = 9;
      const [read] = await blobs.get(space, ["a"]);
      assertSame(read, blob("a", [1, 2]), "the blob");
      if (read !== undefined) read.bytes[0] = 9;
      assertSame(await blobs.get(space, ["a"]), [blob("a", [1, 2])], "the blob after a change of the returned array");
    },
  ],
  [
    "blobs are invisible in other spaces and do not change the head of memories",
    async ({ blobs, memories }, space) => {
      await blobs.put(space, { epoch: 0, blobs: [blob("a", [1])] });
      for (const other of [`${space}2`, space.toUpperCase(), space.slice(0, -1), `${space}\0`]) {
        assertSame(await blobs.get(other, ["a"]), [], "the blob from another space");
        assertSame(await blobs.list(other), [], "the names from another space");
        await blobs.put(other, { epoch: 0, blobs: [blob("a", [2])], remove: ["a"] });
        await blobs.delete(other, { prefix: "" });
      }
      assertSame(await blobs.get(space, ["a"]), [blob("a", [1])], "the blob");
      assertSame(await memories.head(space), { revision: 0, epoch: 0 }, "the head of the space");
    },
  ],
  [
    "an erasure of memories deletes all blobs of the space, and blobs with the old epoch are refused",
    async ({ blobs, memories }, space) => {
      await memories.commit(space, { revision: 0, memories: [storedMemory("gone"), storedMemory("kept")] });
      for (const at of [space, `${space}2`]) await blobs.put(at, { epoch: 0, blobs: [blob("a", [1]), blob("b", [2])] });
      await memories.erase(space, { memories: ["gone"], turns: [] });
      assertSame(await blobs.list(space), [], "the names after the erasure");
      assertSame(await blobs.get(space, ["a", "b"]), [], "the blobs after the erasure");
      assertSame((await blobs.list(`${space}2`)).length, 2, "the blobs of the other space");
      assertSame(await blobs.put(space, { epoch: 0, blobs: [blob("a", [1])] }), false, "a blob with the old epoch");
      assertSame(await blobs.list(space), [], "the names after it was refused");
      const { epoch } = await memories.head(space);
      assert(await blobs.put(space, { epoch, blobs: [blob("new", [3])] }), "a new blob is written");
      assertSame(
        await blobs.put(space, { epoch: 0, blobs: [], remove: ["new"] }),
        false,
        "a removal with the old epoch",
      );
      assertSame(await blobs.list(space), ["new"], "the names");
    },
  ],
  [
    "blobs written with an erasure are kept",
    async ({ blobs, memories }, space) => {
      await memories.commit(space, { revision: 0, memories: [storedMemory("gone")] });
      await blobs.put(space, { epoch: 0, blobs: [blob("a", [1]), blob("b", [2])] });
      const write = { revision: 1, blobs: [blob("b", [3])] };
      const late = await memories.erase(space, { memories: ["gone"], turns: [], write: { ...write, revision: 0 } });
      assertSame([late, await blobs.list(space)], [undefined, ["a", "b"]], "an erasure on another revision");
      await memories.erase(space, { memories: ["gone"], turns: [], write });
      assertSame(await blobs.list(space), ["b"], "the names");
      assertSame(await blobs.get(space, ["a", "b"]), [blob("b", [3])], "the blobs");
    },
  ],
  [
    "blobs of a commit are written with it or not at all",
    async ({ blobs, memories }, space) => {
      const commit = { memories: [storedMemory("m")], journal: [journalEntry("j")], blobs: [blob("a", [1])] };
      assertSame(await memories.commit(space, { ...commit, revision: 1 }), false, "a commit on another revision");
      assertSame(await blobs.list(space), [], "the names after it");
      assert(await memories.commit(space, { ...commit, revision: 0 }), "the commit");
      assertSame(await blobs.get(space, ["a"]), [blob("a", [1])], "the blob");
      const taken = memories.commit(space, { revision: 1, journal: commit.journal, blobs: [blob("a", [2])] });
      await assertRefused(taken, "duplicate-id", "a commit with an existing journal entry");
      assertSame(await blobs.get(space, ["a"]), [blob("a", [1])], "the blob after it was refused");
    },
  ],
  [
    "blobs that are written while memories are erased do not survive the erasure",
    async ({ blobs, memories }, space) => {
      await memories.commit(space, { revision: 0, memories: [storedMemory("gone")] });
      const put = (i: number) => blobs.put(space, { epoch: 0, blobs: [blob(`b${i}`, [i])] });
      const before = [0, 1, 2, 3].map(put);
      const erased = memories.erase(space, { memories: ["gone"], turns: [] });
      const after = [4, 5, 6, 7].map(put);
      await Promise.all([...before, erased, ...after]);
      assertSame(await blobs.list(space), [], "the names");
    },
  ],
];

export const BLOB_FACTS: readonly StoreFact[] = FACTS.map(([name, prove]) => [
  name,
  (store, { userId }) => prove(store, `user:${userId}`),
]);

function blob(name: string, bytes: ArrayLike<number>): StoredBlob {
  return { name, bytes: Uint8Array.from(bytes) };
}

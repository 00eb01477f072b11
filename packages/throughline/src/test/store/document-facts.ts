import type { DocumentStore } from "../../ports/document-store.ts";
import { assert, assertSame } from "../assert.ts";
import { HARD_TEXT, noise } from "../samples.ts";
import type { DocumentFact } from "../store-check.ts";

/** Values of every kind that JSON has, and some that are easily taken for others. */
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

/** Names that are easily taken for each other, or for a pattern. */
export const HARD_NAMES = [
  ...["", "%", "_", "*", "a%", "a_", "A", "a", "ä", "a\u0308", "__proto__", "a/b", "a/b/c"],
  ...["\0", "\0\0", "\\", "\\u0000", "\\u00", "\ud7ff", "\ud7ff!", "\ud83d", "\ud83d\ude00", "\udc00", "\ufffd"],
  ...["\ue000", "\uffff", "\uffff\uffff", "\u{10ffff}"],
];

export const DOCUMENT_FACTS: readonly DocumentFact[] = [
  [
    "a document that was never written is not there",
    async (store, space) => {
      assertSame(await store.get(space, "d"), undefined, "the document");
      assertSame(await store.list(space), [], "the names");
      await store.delete(space, "d");
      await store.delete(space, { prefix: "" });
    },
  ],
  [
    "a document is as it was written last, and counts how often that was",
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
    "a document that was written since is not written",
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
    "of many who write on one revision one does, and who tries again loses nothing",
    async (store, space) => {
      const writers = ["a", "b", "c", "d", "e", "f"];
      const first = writers.map((writer) => store.put(space, "one", { revision: 0, value: [writer] }));
      assertSame((await Promise.all(first)).filter(Boolean).length, 1, "the number of those who made it");
      const added = writers.map(async (writer) => {
        for (const n of [0, 1, 2, 3, 4]) await addTo(store, space, `${writer}${n}`);
      });
      await Promise.all(added);
      const { revision, value } = (await store.get(space, "all")) ?? {};
      const expected = writers.flatMap((writer) => [0, 1, 2, 3, 4].map((n) => `${writer}${n}`));
      assertSame([...(value as string[])].sort(), expected, "what was added");
      assertSame(revision, expected.length, "the revision");
    },
  ],
  [
    "names are given in order, all of them or those that begin so",
    async (store, space) => {
      for (const name of HARD_NAMES) assert(await store.put(space, name, { revision: 0, value: name }), "it is new");
      assertSame(await store.list(space), HARD_NAMES.toSorted(), "all names");
      for (const prefix of [...HARD_NAMES, "a/", "\\u", "\\u0", "none"]) {
        const expected = HARD_NAMES.filter((name) => name.startsWith(prefix)).sort();
        assertSame(await store.list(space, prefix), expected, `those that begin with ${JSON.stringify(prefix)}`);
      }
      for (const name of HARD_NAMES) assertSame((await store.get(space, name))?.value, name, "the document");
    },
  ],
  [
    "what is erased is gone, one or all that begin so, and may be written anew",
    async (store, space) => {
      for (const prefix of ["\\u00", "a", "\ud83d", "\uffff", "%", "\0"]) {
        const at = `${space} ${prefix}`;
        for (const name of HARD_NAMES) await store.put(at, name, { revision: 0, value: name });
        await store.delete(at, "_");
        await store.delete(at, { prefix });
        const left = HARD_NAMES.filter((name) => name !== "_" && !name.startsWith(prefix));
        assertSame(await store.list(at), left.sort(), `what is left without ${JSON.stringify(prefix)}`);
        assertSame(await store.get(at, "_"), undefined, "what was erased by its name");
        assertSame(await store.put(at, "_", { revision: 1, value: 1 }), false, "a write on what was there");
        assert(await store.put(at, "_", { revision: 0, value: "new" }), "a new one is written");
        await store.delete(at, { prefix: "" });
        assertSame(await store.list(at), [], "what is left in the end");
      }
    },
  ],
  [
    "what is in one space is not seen from another, nor changed",
    async (store, space) => {
      await store.put(space, "d", { revision: 0, value: "mine" });
      for (const stranger of [`${space}2`, space.toUpperCase(), `${space}%`, `${space}\0`, `${space}d`, ""]) {
        assertSame(await store.get(stranger, "d"), undefined, "another space's document");
        assert(!(await store.list(stranger)).includes("d"), "another space does not name it");
        assertSame(await store.put(stranger, "d", { revision: 1, value: "theirs" }), false, "a write on its revision");
        assert(await store.put(stranger, "d", { revision: 0, value: "theirs" }), "one of the same name");
        await store.delete(stranger, { prefix: "" });
      }
      assertSame(await store.get(space, "d"), { revision: 1, value: "mine" }, "the document");
    },
  ],
  [
    "values of every kind come back",
    async (store, space) => {
      for (const [name, value] of Object.entries(VALUES)) {
        await store.put(space, name, { revision: 0, value: "another" });
        assert(await store.put(space, name, { revision: 1, value }), `${name} is written`);
        assertSame(await store.get(space, name), { revision: 2, value }, name);
      }
    },
  ],
  [
    "large values come back, whether they compress or not, and small ones after them",
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
    "what is done to a document after it was given or read changes nothing in the store",
    async (store, space) => {
      const value = { list: [1], bytes: Uint8Array.of(1) };
      await store.put(space, "d", { revision: 0, value });
      value.list.push(2);
      value.bytes[0] = 9;
      const kept = { revision: 1, value: { list: [1], bytes: Uint8Array.of(1) } };
      const read = await store.get(space, "d");
      assertSame(read, kept, "the document");
      await store.put(space, "d", { revision: 1, value: "later" });
      assertSame(read, kept, "what was read before");
    },
  ],
];

/** Adds a word to what is there, however often others are quicker. */
async function addTo(store: DocumentStore, space: string, word: string): Promise<void> {
  for (let isWritten = false; !isWritten; ) {
    const { revision = 0, value = [] } = (await store.get(space, "all")) ?? {};
    isWritten = await store.put(space, "all", { revision, value: [...(value as string[]), word] });
  }
}

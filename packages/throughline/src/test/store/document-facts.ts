import type { DocumentStore } from "../../ports/store.ts";
import { assert, assertSame } from "../assert.ts";
import { HARD_TEXT, noise } from "../samples.ts";
import type { DocumentFact } from "../store-check.ts";

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
export const HARD_NAMES = [
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

import type { MemoryStore, StoredSearchEntry } from "../../../ports/memory-store.ts";
import { assertSame } from "../../assert.ts";
import { entry } from "../../memory-samples.ts";
import type { MemoryFact } from "../../store-check.ts";

export const MEMORY_ENTRY_FACTS: readonly MemoryFact[] = [
  [
    "entries are listed in the order of their revisions, after a revision",
    async (store, space) => {
      await commitEntries(store, space, 0, ["b", "a", "c"]);
      await commitEntries(store, space, 1, ["A"]);
      await commitEntries(store, space, 2, ["d", "b"]);
      const after = async (revision: number, id?: string, limit = 100) =>
        placesOf(
          await store.list(space, "entries", { after: id === undefined ? { revision } : { revision, id }, limit }),
        );
      assertSame(await after(0), ["1 a", "1 c", "2 A", "3 b", "3 d"], "the newest version of each entry");
      assertSame(await after(1), ["2 A", "3 b", "3 d"], "entries of later revisions");
      assertSame(await after(1, "a"), ["1 c", "2 A", "3 b", "3 d"], "entries after an id");
      assertSame(await after(1, "b"), ["1 c", "2 A", "3 b", "3 d"], "entries after an id that was written again");
      assertSame(await after(3), [], "entries after the last revision");
      assertSame(await after(3, "b"), ["3 d"], "the last");
      assertSame(await after(0, undefined, 2), ["1 a", "1 c"], "the first two");
      assertSame(await after(0, undefined, 0), [], "none");
    },
  ],
  [
    "pages of entries miss none while others are written",
    async (store, space) => {
      const ids = Array.from({ length: 250 }, (_, i) => `e${(i * 7) % 250}`);
      await commitEntries(store, space, 0, ids);
      const read = new Set<string>();
      let after: { readonly revision: number; readonly id?: string } = { revision: 0 };
      for (let revision = 1; ; revision += 1) {
        const page = await store.list(space, "entries", { after, limit: 40 });
        for (const { id } of page) read.add(id);
        const last = page.at(-1);
        if (last === undefined) break;
        after = { revision: last.revision, id: last.id };
        if (revision < 4) await commitEntries(store, space, revision, [`new ${revision}`, "e0", "e249"]);
      }
      assertSame(read.size, 253, "the number of entries that were read");
      const all = await store.list(space, "entries", { limit: 1000 });
      assertSame(after, { revision: all.at(-1)?.revision, id: all.at(-1)?.id }, "the last");
    },
  ],
  [
    "entries are read by id, in their last version",
    async (store, space) => {
      await commitEntries(store, space, 0, ["b", "a", "c"]);
      await store.commit(space, { revision: 1, entries: [entry("b", undefined, [9])] });
      const found = await store.get(space, "entries", ["c", "none", "b", "c"]);
      const c = { ...entry("c", "words"), revision: 1 };
      const wanted = [c, { ...entry("b", undefined, [9]), revision: 2 }, c];
      assertSame(found, wanted, "existing entries, in the order of the ids");
      assertSame(await store.get(space, "entries", []), [], "entries of no ids");
    },
  ],
  [
    "entries without a vector of an embedder are listed page by page",
    async (store, space) => {
      const entries = [entry("a"), entry("b", "old"), entry("c", "new"), entry("d", "New"), entry("", "old")];
      await store.commit(space, { revision: 0, entries });
      const without = async (embedder: string, afterId = "", limit = 10) =>
        (await store.list(space, "entries", { withoutVectorOf: embedder, afterId, limit })).map(({ id }) => id);
      const all = await store.list(space, "entries", { withoutVectorOf: "new" });
      assertSame(
        all.map(({ id }) => id),
        ["", "a", "b", "d"],
        "all without a vector",
      );
      assertSame(await without("new"), ["a", "b", "d"], "entries without a vector, after an id");
      assertSame(await without("new", "a", 1), ["b"], "the next");
      assertSame(await without("new", "d"), [], "entries after the last one");
      assertSame(await without("none"), ["a", "b", "c", "d"], "entries without a vector of an unknown embedder");
      assertSame(await without("new", "", 0), [], "none");
      const again = await store.list(space, "entries", { withoutVectorOf: "new", afterId: "", limit: 2 });
      const stored = [entry("a"), entry("b", "old")].map((one) => ({ ...one, revision: 1 }));
      assertSame(again, stored, "the entries without a vector");
      await store.commit(space, { revision: 1, entries: again.map(({ id }) => entry(id, "new")) });
      assertSame(await without("new"), ["d"], "entries without a vector after two got one");
    },
  ],
];

async function commitEntries(store: MemoryStore, space: string, revision: number, ids: string[]): Promise<void> {
  await store.commit(space, { revision, entries: ids.map((id) => entry(id, "words")) });
}

function placesOf(entries: readonly StoredSearchEntry[]): string[] {
  return entries.map(({ revision, id }) => `${revision} ${id}`);
}

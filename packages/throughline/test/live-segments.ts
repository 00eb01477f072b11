import type { Store } from "../src/ports/store.ts";
import { createThroughline } from "../src/throughline.ts";

const TIME = 1_700_000_000_000;
const SPACE = "user:ada";
const QUESTIONS = ["Where is the Xanadu parcel?", "parcel 77", "Which parcels went to harbour 5?"];
const PURGED = "The Xanadu parcel is in the old lighthouse.";

/**
 * Uses search segments as several processes would: writes them, reads them, adds to them, purges a text, and
 * consolidates. Returns what was seen, which is the same for every store.
 *
 * @param open Opens the same database again.
 */
export async function liveSegments(open: () => Store): Promise<unknown[]> {
  const seen: unknown[] = [];
  const first = await openCounted(open());
  const messages = Array.from({ length: 1_100 }, (_, n) =>
    said(n, n === 40 ? PURGED : `Parcel ${n} went to harbour ${n % 9}.`),
  );
  await first.memory.ingest({ sessionId: "s", messages });
  seen.push(await first.ask(), await first.segments());
  await first.close();
  const second = await openCounted(open());
  seen.push(await second.ask(), second.entriesRead());
  await second.memory.ingest({ sessionId: "s", messages: [said(2_000, "Parcel 77 came back.")] });
  seen.push(await second.ask(), second.entriesRead());
  await second.memory.purge("purged id");
  seen.push(await second.segments());
  seen.push(
    await second.ask(),
    await second.segments(),
    await second.hasBytes("purged id"),
    await second.hasBytes("kept id"),
  );
  await second.close();
  const third = await openCounted(open());
  seen.push(await third.ask(), third.entriesRead());
  await third.memory.ingest({ sessionId: "t", messages: [said(3_000, "Parcel 3000 went to harbour 5.")] });
  await third.memory.consolidate();
  seen.push((await third.segments()).length, await third.ask());
  await third.close();
  return seen;
}

function said(n: number, text: string) {
  const id = n === 40 ? "purged id" : n === 41 ? "kept id" : `m${n}`;
  return { id, role: "user", text, at: TIME + n };
}

/** A process that counts the search entries that it reads besides segments. */
async function openCounted(store: Store) {
  let entriesRead = 0;
  const { memories, blobs } = store;
  const list: Store["memories"]["list"] = async (space, collection, filter) => {
    const found = await memories.list(space, collection, filter);
    if (collection === "entries") entriesRead += found.length;
    return found;
  };
  const counted = { ...store, memories: { ...memories, list } };
  const throughline = await createThroughline({ store: counted, userId: "ada", clock: { now: () => TIME } });
  const { memory } = throughline;
  return {
    memory,
    ask: () =>
      Promise.all(
        QUESTIONS.map(async (question) =>
          (await memory.recall(question)).map(({ id, score }) => [id, score.toFixed(9)]),
        ),
      ),
    entriesRead: () => entriesRead,
    segments: () => blobs.list(SPACE, "search/"),
    /** True if a segment contains the text. */
    async hasBytes(text: string) {
      const contents = await blobs.get(SPACE, { prefix: "search/" });
      return contents.some(({ bytes }) => new TextDecoder("latin1").decode(bytes).includes(text));
    },
    close: () => throughline.close(),
  };
}

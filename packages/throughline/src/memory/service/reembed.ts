import type { MemoryStore, SearchEntry } from "../../ports/memory-store.ts";
import { packVector } from "../recall/search-entry.ts";
import type { MemoryContext } from "./memory-context.ts";
import { writableSpaces } from "./spaces.ts";

const BATCH = 256;

export interface ReembedOptions {
  /** Told after every batch. */
  readonly onProgress?: (progress: ReembedProgress) => void;
  /** Stops after the batch that is being written; the next call goes on from there. */
  readonly signal?: AbortSignal;
}

export interface ReembedProgress {
  readonly embedded: number;
  /** Nothing is left to do. */
  readonly isDone: boolean;
}

/**
 * Makes vectors with the present embedder for everything that has none of it. What is done is done: stopped or killed,
 * the next call goes on with the rest.
 */
export async function reembed(
  context: MemoryContext,
  { onProgress, signal }: ReembedOptions = {},
): Promise<ReembedProgress> {
  let embedded = 0;
  for (const space of writableSpaces(context)) {
    for (let after: string | undefined = ""; after !== undefined; ) {
      if (signal?.aborted) return { embedded, isDone: false };
      const page = await embedPage(context, space, after);
      embedded += page.embedded;
      after = page.last;
      if (after !== undefined) onProgress?.({ embedded, isDone: false });
    }
  }
  onProgress?.({ embedded, isDone: true });
  return { embedded, isDone: true };
}

interface Page {
  readonly embedded: number;
  /** The id behind which to go on; nothing at the end. */
  readonly last: string | undefined;
}

async function embedPage({ shelf, embedder }: MemoryContext, space: string, after: string): Promise<Page> {
  for (;;) {
    const { revision } = await shelf.head(space);
    const page = await shelf.list(space, "entries", { withoutVectorOf: embedder.name, afterId: after, limit: BATCH });
    const texts = await textsOf(shelf, space, page);
    const known = page.filter(({ id }) => texts.has(id));
    const vectors = await embedder.embed(
      known.map(({ id }) => texts.get(id) ?? ""),
      "passage",
    );
    const entries = known.flatMap(({ id, entry }, at): SearchEntry[] => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ id, entry, embedder: embedder.name, vector: packVector(vector) }];
    });
    // Where somebody else wrote meanwhile, it is done again with what is there now.
    const isWritten = entries.length === 0 || (await shelf.commit(space, { revision, entries }));
    if (isWritten) return { embedded: entries.length, last: page.at(-1)?.id };
  }
}

async function textsOf(
  shelf: MemoryStore,
  space: string,
  page: readonly SearchEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = page.map(({ id }) => id);
  const [memories, turns] = [await shelf.get(space, "memories", ids), await shelf.get(space, "turns", ids)];
  return new Map([
    ...memories.map(({ id, levels }) => [id, levels.full] as const),
    // What nobody said is not found by its meaning either.
    ...turns.flatMap(({ id, text, synthetic }) => (synthetic ? [] : [[id, text] as const])),
  ]);
}

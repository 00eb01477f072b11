import { checkOptions, FUNCTION, OBJECT } from "../../errors/check-options.ts";
import type { MemoryStore, SearchEntry } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { embedded } from "./embed-texts.ts";
import { writableSpaces } from "./spaces.ts";

const BATCH = 256;

/** Options of `tl.memory.reembed`. */
export interface ReembedOptions {
  /** Called after every batch, and at the end. */
  readonly onProgress?: (progress: ReembedProgress) => void;
  /** Stops after the current batch. The next call continues with the rest. */
  readonly signal?: AbortSignal;
}

/** Progress of `tl.memory.reembed`, and its result. */
export interface ReembedProgress {
  /** Number of new vectors so far. */
  readonly embedded: number;
  /** True if all entries have vectors of the current embedder. */
  readonly isDone: boolean;
}

/**
 * Creates vectors for all memories and turns that have none of the current embedder. Written in batches: after an
 * interruption, the next call continues with the rest.
 */
export async function reembed(context: MemoryContext, options: ReembedOptions = {}): Promise<ReembedProgress> {
  checkOptions("memory.reembed", options, { onProgress: FUNCTION, signal: OBJECT });
  const { onProgress, signal } = options;
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
  /** Last id of the page; `undefined` at the end. */
  readonly last: string | undefined;
}

async function embedPage({ memoryStore, embedder }: MemoryContext, space: string, after: string): Promise<Page> {
  for (;;) {
    const { revision } = await memoryStore.head(space);
    const page = await memoryStore.list(space, "entries", {
      withoutVectorOf: embedder.name,
      afterId: after,
      limit: BATCH,
    });
    const texts = await textsOf(memoryStore, space, page);
    const known = page.filter(({ id }) => texts.has(id));
    const vectors = await embedder.embed(
      known.map(({ id }) => texts.get(id) ?? ""),
      "passage",
    );
    const entries = known.flatMap(({ id, entry }, at): SearchEntry[] => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ id, entry, ...embedded(vector, embedder) }];
    });
    // After a concurrent write, read the page again and retry.
    const isWritten = entries.length === 0 || (await memoryStore.commit(space, { revision, entries }));
    if (isWritten) return { embedded: entries.length, last: page.at(-1)?.id };
  }
}

async function textsOf(
  memoryStore: MemoryStore,
  space: string,
  page: readonly SearchEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ids = page.map(({ id }) => id);
  const [memories, turns] = [await memoryStore.get(space, "memories", ids), await memoryStore.get(space, "turns", ids)];
  return new Map([
    ...memories.map(({ id, levels }) => [id, levels.full] as const),
    // Synthetic turns are never recalled, so they get no vector.
    ...turns.flatMap(({ id, text, synthetic }) => (synthetic ? [] : [[id, text] as const])),
  ]);
}

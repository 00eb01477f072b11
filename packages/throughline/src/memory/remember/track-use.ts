import { redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { readTerms, type Term } from "../../language/terms.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryUse } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import type { SearchIndex } from "../search/search-index.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { requireMemory } from "../space/find-memory.ts";
import { changeOne } from "./change-memory.ts";

/** Number of useful queries with a word after which the word becomes an alias of the memory. */
const MIN_TIMES = 2;
/** Maximum number of words per memory that are counted as possible aliases. */
const MAX_HEARD = 20;

/** Counts that a memory was cited or ignored. */
export async function trackUse(context: MemoryContext, id: string, use: MemoryUse): Promise<void> {
  const { space } = await requireMemory(context, id);
  await context.memoryStore.record(space, { uses: { ids: [id], use, at: context.clock.now() } });
}

/**
 * Learns aliases from use: query words that no document in the space contains, if the memory was useful for the query.
 * On its second occurrence such a word becomes an alias.
 */
export async function learnNames(
  context: MemoryContext,
  search: SearchSpaces,
  id: string,
  question: string,
): Promise<Memory> {
  const found = await requireMemory(context, id);
  const index = await search.open(found.space);
  const unknown = [
    ...new Set(
      readTerms(redactSecrets(question))
        .filter((term) => !isKnown(index, term))
        .map(({ word }) => word),
    ),
  ];
  if (unknown.length === 0) return found.memory;
  return changeOne(context, found, "learn", async (memory) => countWords(memory, unknown));
}

/** True if a document in the space contains the word. */
function isKnown({ postings }: SearchIndex, { hash }: Term): boolean {
  return postings.find(hash).some(({ documents }) => documents.length > 0);
}

function countWords(memory: Memory, words: readonly string[]): Memory {
  const counts = new Map(Object.entries(memory.heard ?? {}));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const learned = [...counts].filter(([, times]) => times >= MIN_TIMES).map(([word]) => word);
  for (const word of learned) counts.delete(word);
  const left = [...counts].slice(-MAX_HEARD);
  return omitUndefined({
    ...memory,
    aliases: [...new Set([...memory.aliases, ...learned])],
    heard: left.length === 0 ? undefined : Object.fromEntries(left),
  });
}

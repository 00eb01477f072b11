import { redactSecrets } from "../../internal/find-secrets.ts";
import { omitUndefined } from "../../internal/json.ts";
import { readTerms, type Term } from "../../language/terms.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryUse } from "../../ports/memory-store.ts";
import type { SearchIndex } from "../recall/search-index.ts";
import { changeOne } from "./change-memory.ts";
import { requireMemory } from "./find-memory.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { SearchSpaces } from "./search-spaces.ts";

/** A word by which a memory was asked for this often, and found useful, is a name of it. */
const ENOUGH = 2;
/** Words that are kept in mind for a memory. */
const MAX_HEARD = 20;

/** Counts that a memory was used, or was given out for nothing. */
export async function trackUse(context: MemoryContext, id: string, use: MemoryUse): Promise<void> {
  const { space } = await requireMemory(context, id);
  await context.memoryStore.record(space, { uses: { ids: [id], use, at: context.clock.now() } });
}

/**
 * Learns other names from use: words of a question that nothing in the space has, and after which a memory was found
 * useful all the same. Said twice, such a word finds the memory by itself.
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
  return changeOne(context, found, "learn", async (memory) => hear(memory, unknown));
}

/** Whether anything in the space has the word. */
function isKnown({ postings }: SearchIndex, { hash }: Term): boolean {
  return postings.find(hash).documents.length > 0;
}

function hear(memory: Memory, words: readonly string[]): Memory {
  const heard = new Map(Object.entries(memory.heard ?? {}));
  for (const word of words) heard.set(word, (heard.get(word) ?? 0) + 1);
  const learned = [...heard].filter(([, times]) => times >= ENOUGH).map(([word]) => word);
  for (const word of learned) heard.delete(word);
  const left = [...heard].slice(-MAX_HEARD);
  return omitUndefined({
    ...memory,
    aliases: [...new Set([...memory.aliases, ...learned])],
    heard: left.length === 0 ? undefined : Object.fromEntries(left),
  });
}

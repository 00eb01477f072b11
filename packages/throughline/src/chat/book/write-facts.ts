import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { NotFoundError } from "../../errors/not-found-error.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Remembered } from "../../memory/service/memory-api.ts";
import type { MemoryService } from "../../memory/service/memory-service.ts";
import type { FactCategory, Memory } from "../../ports/memory.ts";
import type { NewFact } from "./fact-book.ts";

/** What a book needs of a memory service. */
export type FactBookMemory = Pick<MemoryService, "list" | "remember" | "update" | "forget" | "purge">;

/** Remembers a note in the words of who wrote it. */
export async function rememberByHand(
  memory: FactBookMemory,
  { text, source, category }: NewFact & { readonly category: FactCategory },
): Promise<Remembered> {
  const place = source && { sessionId: source.conversationId, messageId: source.messageId, quote: text };
  // Highlighted words are told by hand, although it is known where they stand.
  const remembered = await memory.remember(omitUndefined({ text, category, source: place, byHand: true }));
  const { id, category: known } = remembered.memory;
  // What was known without a category becomes a fact of the chat.
  return known === undefined ? { ...remembered, memory: await memory.update(id, { category }) } : remembered;
}

/** Has a fact there, put away or not before: without a pin, or with one where there is one left. */
export async function bringBackFact(memory: FactBookMemory, id: string, pinned: boolean): Promise<Memory> {
  if (!pinned) return memory.update(id, { archived: false, pinned });
  const back = await memory.update(id, { archived: false });
  try {
    return await memory.update(id, { pinned });
  } catch (error) {
    if (error instanceof InvalidOptionError) return back;
    throw error;
  }
}

/** Erases facts for good and together; what somebody else erased meanwhile is gone already. */
export async function eraseFacts(memory: FactBookMemory, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || (await isErased(memory, ids))) return;
  for (const id of ids) await isErased(memory, [id]);
}

/** `false` where one of them is not there any more: then nothing is erased. */
async function isErased(memory: FactBookMemory, ids: readonly string[]): Promise<boolean> {
  try {
    await memory.purge(ids);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

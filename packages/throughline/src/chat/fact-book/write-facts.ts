import { InvalidOptionError } from "../../errors/input-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Remembered } from "../../memory/memory-api.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import type { FactCategory, Memory } from "../../ports/memory.ts";
import type { NewFact } from "./fact-book.ts";

/** Methods of the memory service that a fact book uses. */
export type FactBookMemory = Pick<MemoryService, "list" | "remember" | "update" | "forget" | "purge">;

/** Saves a note with the user's own text. */
export async function rememberByHand(
  memory: FactBookMemory,
  { text, source, category, keepSecrets }: NewFact & { readonly category: FactCategory },
): Promise<Remembered> {
  const place = source && { sessionId: source.conversationId, messageId: source.messageId, quote: text };
  // Selected text counts as saved by hand, although its source is known.
  const remembered = await memory.remember(omitUndefined({ text, category, source: place, byHand: true, keepSecrets }));
  const { id, category: known } = remembered.memory;
  // A known memory without a category becomes a chat fact.
  return known === undefined ? { ...remembered, memory: await memory.update(id, { category }) } : remembered;
}

/** Restores a fact, without a pin, or with one if a pin is left. */
export async function restoreFact(memory: FactBookMemory, id: string, pinned: boolean): Promise<Memory> {
  if (!pinned) return memory.update(id, { archived: false, pinned });
  const back = await memory.update(id, { archived: false });
  try {
    return await memory.update(id, { pinned });
  } catch (error) {
    if (error instanceof InvalidOptionError) return back;
    throw error;
  }
}

/** Erases facts together. Facts that were erased meanwhile are skipped. */
export async function eraseFacts(memory: FactBookMemory, ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || (await isErased(memory, ids))) return;
  for (const id of ids) await isErased(memory, [id]);
}

/** Returns `false` if one of them does not exist; nothing is erased then. */
async function isErased(memory: FactBookMemory, ids: readonly string[]): Promise<boolean> {
  try {
    await memory.purge(ids);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

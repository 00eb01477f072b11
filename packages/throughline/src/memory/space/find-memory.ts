import { NotFoundError } from "../../errors/store-errors.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, visibleSpaces } from "./spaces.ts";

/** A memory and its space. */
export interface PlacedMemory {
  readonly memory: Memory;
  readonly space: string;
}

/** The memory with an id; `undefined` if the caller may not see it. */
export async function findMemory(context: MemoryContext, id: string): Promise<PlacedMemory | undefined> {
  for (const space of visibleSpaces(context)) {
    const [memory] = await context.memoryStore.get(space, "memories", [id]);
    if (memory !== undefined && isVisible(memory, context)) return { memory, space };
  }
  return undefined;
}

/** The memories with the given ids that the caller may see, in the order of the ids. */
export async function findMemories(context: MemoryContext, ids: readonly string[]): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>();
  for (const space of visibleSpaces(context)) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    for (const memory of await context.memoryStore.get(space, "memories", missing)) {
      if (isVisible(memory, context)) found.set(memory.id, memory);
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** @throws NotFoundError if the caller can see no memory with this id. */
export async function requireMemory(context: MemoryContext, id: string): Promise<PlacedMemory> {
  const found = await findMemory(context, id);
  if (found === undefined) throw new NotFoundError(`Memory ${id}`, "here");
  return found;
}

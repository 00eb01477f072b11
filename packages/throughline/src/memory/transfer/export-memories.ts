import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, readEntries, readMemories, visibleSpaces } from "../space/spaces.ts";
import { mergeEntries } from "../undo/journal-entry.ts";
import { type MemoryExport, writeExport } from "./memory-export.ts";

const WHOLE_JOURNAL = Number.MAX_SAFE_INTEGER;

/** Exports all visible memories, ended and archived ones included, with their turns, contradictions and journal. */
export async function exportMemories(context: MemoryContext): Promise<MemoryExport> {
  const spaces = await Promise.all(visibleSpaces(context).map((space) => exportSpace(context, space)));
  const { userId, projectId, clock } = context;
  return writeExport(
    omitUndefined({
      exportedAt: clock.now(),
      owner: userId,
      projectId,
      memories: spaces.flatMap(({ memories }) => memories),
      turns: spaces.flatMap(({ turns }) => turns),
      contradictions: spaces.flatMap(({ contradictions }) => contradictions),
      journal: mergeEntries(spaces.flatMap(({ journal }) => journal)),
    }),
  );
}

interface SpaceContent {
  readonly memories: readonly Memory[];
  readonly turns: readonly Utterance[];
  readonly contradictions: readonly Contradiction[];
  readonly journal: readonly JournalEntry[];
}

async function exportSpace(context: MemoryContext, space: string): Promise<SpaceContent> {
  const { memoryStore } = context;
  const [memories, turns] = [await allMemories(context, space), await allTurns(context, space)];
  const ids = new Set(memories.map(({ id }) => id));
  const contradictions = (await memoryStore.list(space, "contradictions")).filter(
    ({ memoryA, memoryB }) => ids.has(memoryA) && ids.has(memoryB),
  );
  for (const { id } of [...contradictions, ...turns]) ids.add(id);
  const journal = await memoryStore.list(space, "journal", { limit: WHOLE_JOURNAL });
  return {
    memories,
    turns,
    contradictions,
    // Oldest first, without entries that change items outside of the export.
    journal: journal.filter(({ changes }) => changes.every(({ id }) => ids.has(id))).toReversed(),
  };
}

/** All memories of a space that the caller may see. */
export async function allMemories(context: MemoryContext, space: string): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  for await (const page of readMemories(context.memoryStore, space)) {
    memories.push(...page.filter((memory) => isVisible(memory, context)));
  }
  return memories;
}

/** All turns of a space that the caller may see, sorted by session and position. */
async function allTurns(context: MemoryContext, space: string): Promise<readonly Utterance[]> {
  const { memoryStore } = context;
  // An entry that is rewritten while reading appears twice, so turns are collected by id.
  const turns = new Map<string, Utterance>();
  for await (const page of readEntries(memoryStore, space)) {
    const found = await memoryStore.get(
      space,
      "turns",
      page.map(({ id }) => id),
    );
    for (const turn of found.filter((one) => isVisible(one, context))) turns.set(turn.id, turn);
  }
  return [...turns.values()].sort((a, b) => compare(a.sessionId, b.sessionId) || a.position - b.position);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import { NotFoundError } from "../../errors/not-found-error.ts";
import { omitUndefined } from "../../message/read-json.ts";
import type { Memory, MemorySource, Turn } from "../../ports/memory.ts";
import type { ErasureReport } from "../../ports/memory-shelf.ts";
import { findMemory } from "./find-memory.ts";
import type { MemoryContext } from "./memory-context.ts";
import { readMemories } from "./read-pages.ts";
import { isVisible, spaceOf, visibleSpaces } from "./spaces.ts";
import { changeSpace } from "./write-changes.ts";

/**
 * Erases a memory or a turn for good: text, search entry, vector, journal, contradictions, judgements. With a memory go
 * the turns that it rests on, because they say the same; with a turn go the memories that rest on it.
 */
export async function purgeMemory(context: MemoryContext, id: string): Promise<ErasureReport> {
  const found = await findMemory(context, id);
  if (found === undefined) return purgeTurn(context, id);
  const { memory, space } = found;
  const turns = await turnsSaying(context, memory);
  const evidence = spaceOf("user-private", context);
  if (evidence === space) return context.shelf.erase(space, { memories: [id], turns });
  if (turns.length > 0) await context.shelf.erase(evidence, { memories: [], turns });
  const report = await context.shelf.erase(space, { memories: [id], turns: [] });
  return { ...report, turns: report.turns + turns.length };
}

/** Erases what a session left: its turns, and what was extracted from them. */
export async function purgeSessionMemories(context: MemoryContext, sessionId: string): Promise<void> {
  const turns = await context.shelf.turnsOf(spaceOf("user-private", context), sessionId);
  await eraseTurns(context, turns, (source) => source.sessionId === sessionId);
}

async function purgeTurn(context: MemoryContext, id: string): Promise<ErasureReport> {
  const [turn] = await context.shelf.turns(spaceOf("user-private", context), [id]);
  if (turn === undefined || !isVisible(turn, context)) throw new NotFoundError(`Memory ${id}`, "here");
  return eraseTurns(context, [turn], (source) => isPlaceOf(source, turn));
}

/** Erases turns, and the owner's memories that rest on them. What was told by hand as well stays, without their words. */
async function eraseTurns(
  context: MemoryContext,
  turns: readonly Turn[],
  isErased: (source: MemorySource) => boolean,
): Promise<ErasureReport> {
  const report = { memories: 0, turns: 0, contradictions: 0, journalChanges: 0, judgements: 0 };
  for (const space of visibleSpaces(context)) {
    const memories = await restingOn(context, space, isErased);
    const said = space === spaceOf("user-private", context) ? turns.map(({ id }) => id) : [];
    if (memories.length + said.length === 0) continue;
    const erased = await context.shelf.erase(space, { memories: memories.map(({ id }) => id), turns: said });
    const kept = memories.filter(({ byHand }) => byHand).map((memory) => withoutSources(memory, isErased));
    await changeSpace(context, space, "purge", async () => ({ memories: kept, result: undefined }));
    for (const count of Object.keys(report) as (keyof ErasureReport)[]) report[count] += erased[count];
    report.memories -= kept.length;
  }
  return report;
}

/** The owner's memories that rest on what is erased, wherever they are seen from. */
async function restingOn(
  { shelf, owner }: MemoryContext,
  space: string,
  isErased: (source: MemorySource) => boolean,
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  for await (const page of readMemories(shelf, space)) {
    found.push(...page.filter((memory) => memory.owner === owner && sourcesOf(memory).some(isErased)));
  }
  return found;
}

function withoutSources(memory: Memory, isErased: (source: MemorySource) => boolean): Memory {
  const [source = {}, ...earlier] = sourcesOf(memory).filter((one) => !isErased(one));
  return omitUndefined({ ...memory, source, earlierSources: earlier.length === 0 ? undefined : earlier });
}

function sourcesOf({ source, earlierSources = [] }: Memory): readonly MemorySource[] {
  return [source, ...earlierSources];
}

/** The visitor's turns that a memory of theirs rests on. */
async function turnsSaying(context: MemoryContext, memory: Memory): Promise<readonly string[]> {
  if (memory.owner !== context.owner) return [];
  const places = sourcesOf(memory);
  const ids = places.flatMap(({ sessionId, messageId }) =>
    sessionId === undefined || messageId === undefined ? [] : [messageId, `${sessionId}/${messageId}`],
  );
  const turns = ids.length === 0 ? [] : await context.shelf.turns(spaceOf("user-private", context), ids);
  return turns.filter((turn) => places.some((place) => isPlaceOf(place, turn))).map(({ id }) => id);
}

function isPlaceOf({ sessionId, messageId }: MemorySource, turn: Turn): boolean {
  return sessionId === turn.sessionId && messageId === (turn.messageId ?? turn.id);
}

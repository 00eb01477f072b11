import type { Utterance } from "../../ports/memory.ts";
import type { Ingested, Remembered } from "../memory-api.ts";
import type { MemoryContext } from "../memory-context.ts";
import { readExtractedFacts, stageRememberAll } from "../remember/remember.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { readLastTurn } from "../space/read-pages.ts";
import { isVisible, spaceOf } from "../space/spaces.ts";
import { writeSpace } from "../space/write-changes.ts";

/**
 * Saves the facts that version 0.1 extracted from a session but had not saved when it was stopped: it wrote turns first
 * and left the facts on the last turn. They belong to the project of that turn. Returns those that the caller can see.
 */
export async function savePendingFacts(
  context: MemoryContext,
  search: SearchSpaces,
  sessionId: string,
): Promise<readonly Remembered[]> {
  const space = spaceOf("user-private", context);
  const last = await readLastTurn(context.memoryStore, space, sessionId);
  if (last?.pending === undefined) return [];
  const own = { ...context, projectId: last.projectId };
  const requests = readExtractedFacts(own, last.pending, last);
  const { memories } = await writeSpace(own, space, async (draft): Promise<Ingested> => {
    const [turn] = await context.memoryStore.get(space, "turns", [last.id]);
    // Another process saved them, or erased the turn.
    if (turn?.pending === undefined) return { turns: [], memories: [] };
    await draft.stage("ingest", { marked: [withoutPending(turn)] });
    return { turns: [], memories: await stageRememberAll(draft, search, requests) };
  });
  return memories.filter(({ memory }) => isVisible(memory, context));
}

function withoutPending({ pending: _, ...turn }: Utterance): Utterance {
  return turn;
}

import type { Memory } from "../../ports/memory.ts";
import type { MemoryStore, SpaceHead } from "../../ports/memory-store.ts";

/** With more commits, reading the whole space again is simpler and not much slower. */
const MAX_COMMITS = 1_000;

/** A state of a space that was read. */
export interface SpaceState extends SpaceHead {
  /** Id of the newest journal entry of that state. */
  readonly journalId: string | undefined;
}

/** Changes of a space since a known state. */
export interface SpaceChanges {
  readonly state: SpaceState;
  /** Ids of the changed memories. */
  readonly ids: readonly string[];
  /** The changed memories as they are now, ended and archived ones included. */
  readonly memories: readonly Memory[];
  /** True if a memory or a contradiction changed. */
  readonly hasChanges: boolean;
}

/** The current state of a space. Writes after it have later journal entries, so `readChanges` includes them. */
export async function readState(memoryStore: MemoryStore, space: string, head: SpaceHead): Promise<SpaceState> {
  const [last] = head.revision === 0 ? [] : await memoryStore.list(space, "journal", { limit: 1 });
  return { ...head, journalId: last?.id };
}

/**
 * Reads the changes of a space since a known state from its journal, which lists every change of a memory. Undefined if
 * the journal does not reach back to that state.
 */
export async function readChanges(
  memoryStore: MemoryStore,
  space: string,
  head: SpaceHead,
  known: SpaceState,
): Promise<SpaceChanges | undefined> {
  const behind = head.revision - known.revision;
  if (known.epoch !== head.epoch || behind < 0 || behind > MAX_COMMITS) return undefined;
  const entries = await memoryStore.list(space, "journal", { limit: behind + 1 });
  const seen = entries.findIndex(({ id }) => id === known.journalId);
  const reachesBack = seen >= 0 || (known.journalId === undefined && entries.length <= behind);
  if (!reachesBack) return undefined;
  const changes = entries.slice(0, seen < 0 ? undefined : seen).flatMap((entry) => entry.changes);
  const ids = [...new Set(changes.filter(({ kind }) => kind === "memory").map(({ id }) => id))];
  const memories = ids.length === 0 ? [] : await memoryStore.get(space, "memories", ids);
  const state = { revision: head.revision, epoch: head.epoch, journalId: entries[0]?.id ?? known.journalId };
  return { state, ids, memories, hasChanges: changes.some(({ kind }) => kind !== "turn") };
}

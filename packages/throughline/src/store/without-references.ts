import { omitUndefined } from "../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../ports/memory.ts";
import type { JournalChange } from "../ports/memory-store.ts";

/** Ids that are being erased. */
export interface ErasedIds {
  readonly memories: ReadonlySet<string>;
  readonly contradictions: ReadonlySet<string>;
  readonly turns: ReadonlySet<string>;
}

/** The memory without references to erased ones; the same object if it has none. */
export function withoutReferences(memory: Memory, erased: ReadonlySet<string>): Memory {
  const { links, supersedes, supersededBy } = memory;
  const kept = (id: string | undefined) => (id !== undefined && erased.has(id) ? undefined : id);
  if (!links.some((id) => erased.has(id)) && kept(supersedes) === supersedes && kept(supersededBy) === supersededBy) {
    return memory;
  }
  return omitUndefined({
    ...memory,
    links: links.filter((id) => !erased.has(id)),
    supersedes: kept(supersedes),
    supersededBy: kept(supersededBy),
  });
}

/** The change without references to erased items: unchanged if it has none, `undefined` if it is only about them. */
export function withoutErased(change: JournalChange, erased: ErasedIds): JournalChange | undefined {
  const { kind, id, before } = change;
  if (kind === "turn")
    return erased.turns.has(id) || isMarkedBy(before as Utterance | undefined, erased) ? undefined : change;
  if (kind === "memory") {
    if (erased.memories.has(id)) return undefined;
    const memory = before && withoutReferences(before as Memory, erased.memories);
    return memory === before ? change : omitUndefined({ ...change, before: memory });
  }
  return erased.contradictions.has(id) || isAbout(before as Contradiction | undefined, erased) ? undefined : change;
}

/** True if `before` refers to other memories or turns. */
export function namesOthers({ kind, before }: JournalChange): boolean {
  if (before === undefined) return false;
  if (kind === "turn") return (before as Utterance).marks !== undefined;
  const { links, supersedes, supersededBy } = before as Memory;
  return kind === "contradiction" || links.length > 0 || supersedes !== undefined || supersededBy !== undefined;
}

function isMarkedBy(turn: Utterance | undefined, { memories, turns }: ErasedIds): boolean {
  return turn?.marks?.some(({ by }) => by !== undefined && (memories.has(by) || turns.has(by))) ?? false;
}

function isAbout(contradiction: Contradiction | undefined, { memories }: ErasedIds): boolean {
  return contradiction !== undefined && [contradiction.memoryA, contradiction.memoryB].some((id) => memories.has(id));
}

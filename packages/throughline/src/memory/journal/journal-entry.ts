import { omitUndefined, sameJson } from "../../message/read-json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-shelf.ts";
import { digestContradiction, digestMemory, digestTurn } from "./digest.ts";

/** Memories, contradictions and turns as they stand at one time. */
export interface Holdings {
  readonly memories?: Iterable<Memory>;
  readonly contradictions?: Iterable<Contradiction>;
  readonly turns?: Iterable<Turn>;
}

export interface JournalInput {
  readonly id: string;
  readonly at: number;
  /** What was done: `remember`, `consolidate`, `undo`, … */
  readonly action: string;
  /** Those that were there before, as they were; others may be among them. */
  readonly before: Holdings;
  /** Those that were written, as they are now. */
  readonly after: Holdings;
  /** The entry that this one undoes. */
  readonly undoes?: string;
}

/**
 * What was done, so that it can be undone: everything that was written and differs from what was there before. How often
 * memories were used is no change, and a turn that is new is none either: what was said was said.
 *
 * @example
 * writeJournalEntry({ id: "jrn_1", at: now, action: "forget", before: { memories: [old] }, after: { memories: [archived] } });
 */
export function writeJournalEntry({ id, at, action, before, after, undoes }: JournalInput): JournalEntry {
  const changes = [
    ...compare("memory", digestMemory, before.memories, after.memories),
    ...compare("contradiction", digestContradiction, before.contradictions, after.contradictions),
    ...compare("turn", digestTurn, before.turns, after.turns).filter((change) => change.before !== undefined),
  ];
  return omitUndefined({ id, at, action, changes, undoes });
}

function compare<T extends Memory | Contradiction | Turn>(
  kind: JournalChange["kind"],
  digest: (item: T) => string,
  before: Iterable<T> = [],
  after: Iterable<T> = [],
): JournalChange[] {
  const known = new Map(Array.from(before, (item) => [item.id, item]));
  return Array.from(after).flatMap((item): JournalChange[] => {
    const old = known.get(item.id);
    const now = digest(item);
    if (old === undefined) return [{ kind, id: item.id, after: now }];
    return sameJson(lasting(old), lasting(item)) ? [] : [{ kind, id: item.id, before: old, after: now }];
  });
}

/** Without what is counted, and what is still to be done. */
function lasting(item: Memory | Contradiction | Turn): object {
  if ("usage" in item) {
    const { usage: _, ...rest } = item;
    return rest;
  }
  if (!("sessionId" in item)) return item;
  const { pending: _, ...rest } = item;
  return rest;
}

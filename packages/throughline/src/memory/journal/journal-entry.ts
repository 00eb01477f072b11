import { omitUndefined, sameJson } from "../../message/read-json.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-shelf.ts";
import { digestContradiction, digestMemory } from "./digest.ts";

/** Memories and contradictions as they stand at one time. */
interface Holdings {
  readonly memories?: Iterable<Memory>;
  readonly contradictions?: Iterable<Contradiction>;
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
 * memories were used is no change.
 *
 * @example
 * writeJournalEntry({ id: "jrn_1", at: now, action: "forget", before: { memories: [old] }, after: { memories: [archived] } });
 */
export function writeJournalEntry({ id, at, action, before, after, undoes }: JournalInput): JournalEntry {
  const changes = [
    ...compare("memory", digestMemory, before.memories, after.memories),
    ...compare("contradiction", digestContradiction, before.contradictions, after.contradictions),
  ];
  return omitUndefined({ id, at, action, changes, undoes });
}

function compare<T extends Memory | Contradiction>(
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
    return sameJson(withoutUsage(old), withoutUsage(item)) ? [] : [{ kind, id: item.id, before: old, after: now }];
  });
}

function withoutUsage(item: Memory | Contradiction): object {
  if (!("usage" in item)) return item;
  const { usage: _, ...rest } = item;
  return rest;
}

import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-store.ts";
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
 * memories were used is no change, and a turn that is new is none either: what was said was said. Written in steps,
 * between which other tasks may run.
 *
 * @example
 * runSteps(writeJournalEntry({ id: "jrn_1", at: now, action: "forget", before: { memories: [old] }, after: { memories: [archived] } }));
 */
export function* writeJournalEntry({
  id,
  at,
  action,
  before,
  after,
  undoes,
}: JournalInput): Generator<undefined, JournalEntry> {
  const turns = yield* compare("turn", digestTurn, before.turns, after.turns);
  const changes = [
    ...(yield* compare("memory", digestMemory, before.memories, after.memories)),
    ...(yield* compare("contradiction", digestContradiction, before.contradictions, after.contradictions)),
    ...turns.filter((change) => change.before !== undefined),
  ];
  return omitUndefined({ id, at, action, changes, undoes });
}

function* compare<T extends Memory | Contradiction | Turn>(
  kind: JournalChange["kind"],
  digest: (item: T) => string,
  before: Iterable<T> = [],
  after: Iterable<T> = [],
): Generator<undefined, JournalChange[]> {
  const known = new Map(Array.from(before, (item) => [item.id, item]));
  const changes: JournalChange[] = [];
  for (const item of after) {
    const old = known.get(item.id);
    if (old === undefined) changes.push({ kind, id: item.id, after: digest(item) });
    else if (!sameJson(lasting(old), lasting(item))) {
      changes.push({ kind, id: item.id, before: old, after: digest(item) });
    }
    yield;
  }
  return changes;
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

import fc from "fast-check";
import { omitUndefined } from "../../internal/json.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, Resolution } from "../../ports/memory.ts";
import { anyMemory } from "../reconcile/memory.arbitrary.ts";
import { writeJournalEntry } from "./journal-entry.ts";

/** Stored memories and contradictions by id. */
export interface StoredItems {
  readonly memories: ReadonlyMap<string, Memory>;
  readonly contradictions: ReadonlyMap<string, Contradiction>;
}

export interface Writing {
  readonly memories: readonly Memory[];
  readonly contradictions: readonly Contradiction[];
}

const MEMORY_IDS = ["m1", "m2", "m3", "m4", "m5"];
const CONTRADICTION_IDS = ["c1", "c2"];
const time = fc.integer({ min: 0, max: 1_000 });

function versionOf(id: string): fc.Arbitrary<Memory> {
  return fc
    .tuple(anyMemory(id), fc.option(time, { nil: undefined }), fc.option(time, { nil: undefined }))
    .map(([memory, archivedAt, supersededAt]) =>
      omitUndefined({
        ...memory,
        archivedAt,
        supersededBy: supersededAt === undefined ? undefined : "m1",
      }),
    );
}

function disputeOf(id: string): fc.Arbitrary<Contradiction> {
  return fc
    .record({
      reason: fc.string(),
      detectedAt: time,
      resolution: fc.option(fc.constantFrom<Resolution[]>("a_wins", "b_wins", "both_valid", "merged"), {
        nil: undefined,
      }),
    })
    .map(({ resolution, ...fields }) => {
      const open = { id, memoryA: "m1", memoryB: "m2", status: "open" as const, ...fields };
      return resolution === undefined ? open : { ...open, status: "resolved" as const, resolution, resolvedAt: 7 };
    });
}

/** New versions of some memories and contradictions. */
export const anyWriting: fc.Arbitrary<Writing> = fc
  .tuple(fc.subarray(MEMORY_IDS), fc.subarray(CONTRADICTION_IDS))
  .chain(([memories, contradictions]) =>
    fc.record({
      memories: fc.tuple(...memories.map(versionOf)),
      contradictions: fc.tuple(...contradictions.map(disputeOf)),
    }),
  );

export const anyStoredItems: fc.Arbitrary<StoredItems> = anyWriting.map((writing) =>
  written({ memories: new Map(), contradictions: new Map() }, writing),
);

/** Stored items after a write. */
export function written(stored: StoredItems, { memories, contradictions }: Writing): StoredItems {
  return {
    memories: new Map([...stored.memories, ...memories.map((memory) => [memory.id, memory] as const)]),
    contradictions: new Map([...stored.contradictions, ...contradictions.map((item) => [item.id, item] as const)]),
  };
}

/** Journal entry of a write, or of the undo of the entry `undoes`. */
export function entryOf(id: string, stored: StoredItems, writing: Writing, undoes?: string) {
  const before = { memories: stored.memories.values(), contradictions: stored.contradictions.values() };
  const action = undoes === undefined ? "update" : "undo";
  return runSteps(writeJournalEntry(omitUndefined({ id, at: 1, action, before, after: writing, undoes })));
}

/** The same items with usage counts as after `times` retrievals. */
export function used(stored: StoredItems, times: number): StoredItems {
  const usage = { retrieved: times, cited: 1, ignored: 0, lastAccessedAt: times };
  return {
    ...stored,
    memories: new Map([...stored.memories].map(([id, memory]) => [id, { ...memory, usage }])),
  };
}

import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { findMemory, requireMemory } from "../space/find-memory.ts";
import type { MemoryRow } from "./memory-row.ts";

/** Memories of a history. A longer chain of replacements is cut. */
const MAX_MEMORIES = 50;
const MAX_CHANGES = 200;

/** A text that a memory has, or had before it was edited or replaced. */
export interface MemoryVersion {
  readonly memoryId: string;
  readonly text: string;
  /** Time from which the text applied, and until which; without `until` it applies now. */
  readonly from: number;
  readonly until?: number;
  /** True if the text applied at the time that was asked for. */
  readonly isValid: boolean;
  readonly isArchived: boolean;
}

/** A journalled change of a memory. */
export interface MemoryChange {
  readonly journalId: string;
  readonly memoryId: string;
  readonly at: number;
  readonly action: string;
}

/** History of a memory: its texts and those of the memories that it replaced or was replaced by. */
export interface MemoryHistory {
  /** Latest first. */
  readonly versions: readonly MemoryVersion[];
  /** Latest first. */
  readonly changes: readonly MemoryChange[];
}

/**
 * Reads the history of a memory.
 *
 * @param asOf Time at which versions count as valid.
 * @throws NotFoundError if the caller can see no memory with this id.
 */
export async function readHistory(
  context: MemoryContext,
  rows: readonly MemoryRow[],
  id: string,
  asOf: number,
): Promise<MemoryHistory> {
  const chain = await readChain(context, rows, id);
  const read = await Promise.all([...chain.values()].map((one) => readOne(context, one, asOf)));
  const versions = read.flatMap((one) => one.versions).sort((a, b) => b.from - a.from);
  const changes = read.flatMap((one) => one.changes).sort((a, b) => b.at - a.at || (a.memoryId < b.memoryId ? 1 : -1));
  return { versions, changes: changes.slice(0, MAX_CHANGES) };
}

interface Placed {
  readonly memory: Memory;
  readonly space: string;
}

/** The memory with those that it replaced, directly and indirectly, and those that replaced it. */
async function readChain(
  context: MemoryContext,
  rows: readonly MemoryRow[],
  id: string,
): Promise<ReadonlyMap<string, Placed>> {
  const chain = new Map<string, Placed>([[id, await requireMemory(context, id)]]);
  for (const { memory } of chain.values()) {
    const replaced = rows.filter(({ supersededBy }) => supersededBy === memory.id).map((row) => row.id);
    for (const next of [memory.supersedes, memory.supersededBy, ...replaced]) {
      if (next === undefined || chain.has(next) || chain.size >= MAX_MEMORIES) continue;
      const found = await findMemory(context, next);
      if (found !== undefined) chain.set(next, found);
    }
  }
  return chain;
}

async function readOne(context: MemoryContext, { memory, space }: Placed, asOf: number): Promise<MemoryHistory> {
  const entries = await context.memoryStore.list(space, "journal", { of: memory.id, limit: MAX_CHANGES });
  const changes = entries.map(({ id, at, action }) => ({ journalId: id, memoryId: memory.id, at, action }));
  const states = entries.map(({ at, changes: made }) => {
    const before = made.find((change) => change.id === memory.id)?.before as Memory | undefined;
    return { at, before };
  });
  const end = memory.validTo ?? memory.archivedAt;
  const versions: MemoryVersion[] = [];
  const add = (text: string, from: number, until: number | undefined) => {
    const isValid = from <= asOf && (until === undefined || asOf < until);
    const isArchived = memory.archivedAt !== undefined;
    versions.push(omitUndefined({ memoryId: memory.id, text, from, until, isValid, isArchived }));
  };
  let [text, until] = [memory.levels.full, end];
  for (const { at, before } of states) {
    if (before === undefined || before.levels.full === text) continue;
    add(text, at, until);
    [text, until] = [before.levels.full, at];
  }
  add(text, Math.min(memory.validFrom, until ?? memory.validFrom), until);
  return { versions, changes };
}

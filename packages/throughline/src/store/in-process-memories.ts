import { omitUndefined } from "../internal/json.ts";
import type { Clock } from "../ports/clock.ts";
import type { Erasure, ErasureReport, MemoryCollections, MemoryFilters, MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore } from "../ports/store.ts";
import { frozenCopy } from "./frozen-copy.ts";
import {
  countByProject,
  type ErasedIds,
  hasChange,
  isSelected,
  memoryOrder,
  selectContradictions,
  withoutErased,
  withoutReferences,
} from "./memory-rules.ts";
import { MemorySpace, type OrderedMap } from "./memory-space.ts";

const GETTERS: Getters = {
  memories: (space, ids) => space.byId(ids),
  turns: ({ turns }, ids) => found(turns, ids),
  entries: ({ entries }, ids) => entries.byId(ids),
  contradictions: ({ contradictions }, ids) => found(contradictions, ids),
  journal: ({ journal }, ids) => found(journal, ids),
  judgements: ({ judgements }, keys) => found(judgements, keys).map(({ key, contradicts }) => ({ key, contradicts })),
};
const LISTERS: Listers = {
  memories(space, filter = {}) {
    const { lastSeenFirst = false, limit } = filter;
    const selected = first(space.candidates(filter), lastSeenFirst ? undefined : limit, (one) =>
      isSelected(one, filter),
    );
    return lastSeenFirst ? first(selected.sort(memoryOrder(filter)), limit) : selected;
  },
  turns(space, filter = {}) {
    if (!("sessionId" in filter)) return first(space.turns.behind(filter.after), filter.limit);
    const { sessionId, from = 0, newestFirst = false, limit } = filter;
    const turns = space.turnsOf(sessionId);
    return first(newestFirst ? turns.reverse() : turns, limit, ({ position }) => position >= from);
  },
  entries({ entries }, filter = {}) {
    const { limit = Number.POSITIVE_INFINITY } = filter;
    if ("withoutVectorOf" in filter) return entries.without(filter.withoutVectorOf, filter.afterId, limit);
    const { revision = 0, id } = filter.after ?? {};
    return entries.after(revision, id, limit);
  },
  contradictions: ({ contradictions }, filter = {}) => selectContradictions(contradictions.values(), filter),
  journal: ({ journal }, { of, limit } = {}) =>
    first([...journal.values()].reverse(), limit, (entry) => of === undefined || hasChange(entry, of)),
  projects: ({ memories, turns }) =>
    countByProject(
      Array.from(memories.behind(undefined), ({ memory }) => memory),
      turns.behind(undefined),
    ),
};

/** Memories in the process. `spaces` gives the stored spaces, and throws if the store is closed. */
export function inProcessMemories(clock: Clock, spaces: () => OrderedMap<MemorySpace>): MemoryStore {
  // A space that was never written to is empty.
  const find = (name: string) => spaces().get(name) ?? new MemorySpace(name);
  const open = (name: string) => {
    const space = find(name);
    spaces().set(name, space);
    return space;
  };
  return {
    async head(name) {
      const { revision, epoch } = find(name);
      return { revision, epoch };
    },
    async get(name, collection, ids) {
      return GETTERS[collection](find(name), ids);
    },
    async list(name, collection, filter) {
      return LISTERS[collection](find(name), filter);
    },
    async commit(name, commit) {
      const space = find(name);
      if (space.revision !== commit.revision) return false;
      space.write(commit);
      spaces().set(name, space);
      return true;
    },
    async record(name, { uses, judgements = [] }) {
      if (uses !== undefined) find(name).countUse(uses);
      if (judgements.length > 0) open(name).putJudgements(judgements);
    },
    async erase(name, erasure) {
      const { write } = erasure;
      const space = find(name);
      if (write !== undefined && write.revision !== space.revision) return undefined;
      space.refuseTaken(write?.journal);
      const report = eraseFromSpace(space, erasure);
      if (write !== undefined) {
        space.write(write);
        spaces().set(name, space);
      } else if (space.revision > 0) space.revision += 1;
      if (space.revision > 0) space.epoch += 1;
      return report;
    },
    async lease(name, work, holder, milliseconds) {
      const known = find(name).leases.get(work);
      if (!(milliseconds > 0)) {
        if (known?.holder === holder) find(name).leases.delete(work);
        return false;
      }
      const now = clock.now();
      if (known !== undefined && known.holder !== holder && known.until > now) return false;
      open(name).leases.set(work, { holder, until: now + milliseconds });
      return true;
    },
    async spaces({ after, limit = Number.POSITIVE_INFINITY } = {}) {
      const committed = [...spaces().behind(after)].filter(({ revision }) => revision > 0);
      return committed.slice(0, limit).map(({ name }) => name);
    },
  };
}

type Getters = {
  readonly [C in Exclude<keyof MemoryCollections, "projects">]: (
    space: MemorySpace,
    ids: readonly string[],
  ) => MemoryCollections[C][];
};

function found<T>(items: { readonly get: (id: string) => T | undefined }, ids: readonly string[]): T[] {
  return ids.flatMap((id) => items.get(id) ?? []);
}

type Listers = {
  readonly [C in keyof MemoryFilters]: (
    space: MemorySpace,
    filter: MemoryFilters[C] | undefined,
  ) => MemoryCollections[C][];
};

/** At most `limit` items that are wanted. */
function first<T>(
  items: Iterable<T>,
  limit = Number.POSITIVE_INFINITY,
  isWanted: (item: T) => boolean = () => true,
): T[] {
  const wanted: T[] = [];
  for (const item of items) {
    if (wanted.length >= limit) break;
    if (isWanted(item)) wanted.push(item);
  }
  return wanted;
}

/** Removes memories and turns from a space, and all references to them. */
function eraseFromSpace(space: MemorySpace, { memories, turns, write }: Erasure): ErasureReport {
  const erasedIds = new Set(memories);
  // Their use counts stay.
  const rewritten = new Set(write?.memories?.map(({ memory }) => memory.id));
  const contradictions = [...space.contradictions.values()].filter(
    ({ memoryA, memoryB }) => erasedIds.has(memoryA) || erasedIds.has(memoryB),
  );
  const judgements = [...space.judgements.values()].filter(({ memoryIds }) =>
    memoryIds.some((id) => erasedIds.has(id)),
  );
  for (const { id } of contradictions) space.contradictions.delete(id);
  for (const { key } of judgements) space.judgements.delete(key);
  space.entries.erase([...memories, ...turns]);
  space.blobs.clear();
  const report = {
    memories: memories.filter((id) => !rewritten.has(id) && space.removeMemory(id)).length,
    turns: turns.filter((id) => space.removeTurn(id)).length,
    contradictions: contradictions.length,
    journalChanges: eraseFromJournal(space, {
      memories: erasedIds,
      contradictions: new Set(contradictions.map(({ id }) => id)),
      turns: new Set(turns),
    }),
    judgements: judgements.length,
  };
  for (const stored of [...space.memories.behind()]) {
    const memory = withoutReferences(stored.memory, erasedIds);
    if (memory !== stored.memory) space.put(frozenCopy({ ...stored, memory }));
  }
  return report;
}

/** Deletes empty entries too. */
function eraseFromJournal(space: MemorySpace, erased: ErasedIds): number {
  let count = 0;
  for (const entry of [...space.journal.values()]) {
    const changes = entry.changes.flatMap((change) => withoutErased(change, erased) ?? []);
    count += entry.changes.length - changes.length;
    if (changes.length === 0 && entry.changes.length > 0) space.journal.delete(entry.id);
    else space.journal.set(entry.id, frozenCopy(omitUndefined({ ...entry, changes })));
  }
  return count;
}

/** Blobs in the process, beside the memories of their spaces. `spaces` throws if the store is closed. */
export function inProcessBlobs(spaces: () => OrderedMap<MemorySpace>): BlobStore {
  const find = (space: string) => spaces().get(space) ?? new MemorySpace(space);
  const namesIn = (space: string, prefix: string) =>
    [...find(space).blobs.keys()].filter((name) => name.startsWith(prefix)).sort();
  return {
    async get(space, names) {
      const { blobs } = find(space);
      const wanted = "prefix" in names ? namesIn(space, names.prefix) : names;
      return wanted.flatMap((name) => {
        const bytes = blobs.get(name);
        return bytes === undefined ? [] : [{ name, bytes: new Uint8Array(bytes) }];
      });
    },
    async list(space, prefix = "") {
      return namesIn(space, prefix);
    },
    async put(name, { epoch, blobs, remove = [] }) {
      const space = find(name);
      if (space.epoch !== epoch) return false;
      for (const old of remove) space.blobs.delete(old);
      space.putBlobs(blobs);
      spaces().set(name, space);
      return true;
    },
    async delete(space, name) {
      const deleted = typeof name === "string" ? [name] : namesIn(space, name.prefix);
      for (const one of deleted) find(space).blobs.delete(one);
    },
  };
}

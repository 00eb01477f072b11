import type { Contradiction, Memory } from "throughline";
import type { Utterance } from "throughline/memory";
import type {
  Erasure,
  JournalChange,
  MemoryCollections,
  MemoryCommit,
  MemoryFilter,
  MemoryFilters,
  MemoryStore,
  StoredMemory,
  StoredSearchEntry,
} from "throughline/store";
import { type Database, lease, openSpace, page, pick, refuseTwice, type SpaceData, spaceOf } from "./database.ts";

export function memoryStore(database: Database): MemoryStore {
  return {
    head: (name) =>
      database.read((data) => {
        const { revision, epoch } = spaceOf(data, name);
        return { revision, epoch };
      }),
    get: (name, collection, ids) => database.read((data) => GET[collection](spaceOf(data, name), ids)),
    list: (name, collection, filter) => database.read((data) => LIST[collection](spaceOf(data, name), filter)),
    commit: (name, commit) =>
      database.write((data) => {
        if (spaceOf(data, name).revision !== commit.revision) return false;
        writeCommit(openSpace(data, name), commit);
        return true;
      }),
    record: async (name, { uses, judgements = [] }) => {
      await database.write((data) => {
        const space = openSpace(data, name);
        for (const id of uses?.ids ?? []) {
          const stored = space.memories.get(id);
          if (stored === undefined || uses === undefined) continue;
          const { usage } = stored.memory;
          const lastAccessedAt = Math.max(uses.at, usage.lastAccessedAt ?? uses.at);
          const counted = { ...usage, [uses.use]: usage[uses.use] + 1, lastAccessedAt };
          space.memories.set(id, { ...stored, memory: { ...stored.memory, usage: counted } });
        }
        for (const judgement of judgements) space.judgements.set(judgement.key, structuredClone(judgement));
      });
    },
    erase: async (name, erasure) => {
      const report = await database.write((data) => {
        const { write } = erasure;
        const space = openSpace(data, name);
        if (write !== undefined && write.revision !== space.revision) return false;
        refuseTwice("journal entry", [...space.journal.values(), ...(write?.journal ?? [])]);
        const erased = eraseFrom(space, erasure);
        if (write !== undefined) writeCommit(space, write);
        else if (space.revision > 0) space.revision += 1;
        if (space.revision > 0) space.epoch += 1;
        return erased;
      });
      return report === false ? undefined : report;
    },
    lease: async (name, work, holder, milliseconds) => {
      const { isHeld } = await database.write((data) => {
        return { isHeld: lease(openSpace(data, name).leases, work, holder, milliseconds) };
      });
      return isHeld;
    },
    spaces: ({ after, limit } = {}) =>
      database.read((data) => {
        const names = [...data.spaces].filter(([, { revision }]) => revision > 0).map(([name]) => name);
        return page(names, (name) => name, after, limit);
      }),
  };
}

type ReadById = Exclude<keyof MemoryCollections, "projects">;

const GET: { [C in ReadById]: (space: SpaceData, ids: readonly string[]) => MemoryCollections[C][] } = {
  memories: (space, ids) => pick(space.memories, ids).map(({ memory }) => memory),
  turns: (space, ids) => pick(space.turns, ids),
  entries: (space, ids) => pick(space.entries, ids),
  contradictions: (space, ids) => pick(space.contradictions, ids),
  journal: (space, ids) => pick(space.journal, ids),
  judgements: (space, keys) => pick(space.judgements, keys).map(({ key, contradicts }) => ({ key, contradicts })),
};

const LIST: { [C in keyof MemoryFilters]: (space: SpaceData, filter?: MemoryFilters[C]) => MemoryCollections[C][] } = {
  memories: (space, filter = {}) => {
    const selected = [...space.memories.values()].filter((stored) => isSelected(stored, filter));
    const memories = selected.map(({ memory }) => memory);
    const { after, limit, lastSeenFirst = false } = filter;
    if (!lastSeenFirst) return page(memories, ({ id }) => id, after, limit);
    const sorted = page(memories, ({ id }) => id, after).reverse();
    return sorted.sort((a, b) => b.lastSeenAt - a.lastSeenAt).slice(0, limit);
  },
  turns: (space, filter = {}) => {
    const all = [...space.turns.values()];
    if (!("sessionId" in filter)) return page(all, ({ id }) => id, filter.after, filter.limit);
    const { sessionId, from = 0, newestFirst = false, limit } = filter;
    const turns = all.filter((turn) => turn.sessionId === sessionId && turn.position >= from);
    turns.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    return (newestFirst ? turns.reverse() : turns).slice(0, limit);
  },
  entries: (space, filter = {}) => {
    const all = [...space.entries.values()];
    if ("withoutVectorOf" in filter) {
      const without = all.filter(({ embedder }) => embedder !== filter.withoutVectorOf);
      return page(without, ({ id }) => id, filter.afterId, filter.limit);
    }
    const { revision = 0, id } = filter.after ?? {};
    const isAfter = (one: StoredSearchEntry) =>
      one.revision > revision || (one.revision === revision && id !== undefined && one.id > id);
    const entries = all.filter(isAfter).sort((a, b) => a.revision - b.revision || (a.id < b.id ? -1 : 1));
    return entries.slice(0, filter.limit);
  },
  contradictions: (space, { status, of } = {}) => {
    const isWanted = (one: Contradiction) =>
      (status === undefined || one.status === status) &&
      (of === undefined || of.includes(one.memoryA) || of.includes(one.memoryB));
    const found = [...space.contradictions.values()].filter(isWanted);
    return found.sort((a, b) => a.detectedAt - b.detectedAt || (a.id < b.id ? -1 : 1));
  },
  journal: (space, { of, limit } = {}) =>
    [...space.journal.values()]
      .filter(({ changes }) => of === undefined || changes.some(({ id }) => id === of))
      .reverse()
      .slice(0, limit),
  projects: (space) => {
    const memories = [...space.memories.values()].map(({ memory }) => memory);
    const turns = [...space.turns.values()];
    const ids = new Set([...memories, ...turns].map(({ projectId }) => projectId));
    const sorted = [...ids].map((id) => ({ id })).sort((a, b) => ((a.id ?? "") < (b.id ?? "") ? -1 : 1));
    return sorted.map(({ id }) => {
      const own = memories.filter(({ projectId }) => projectId === id);
      const said = turns.filter(({ projectId }) => projectId === id);
      const used = own.flatMap(({ lastSeenAt, usage }) => [lastSeenAt, usage.lastAccessedAt ?? lastSeenAt]);
      return {
        ...(id !== undefined && { projectId: id }),
        memories: own.length,
        current: own.filter(({ validTo, archivedAt }) => validTo === undefined && archivedAt === undefined).length,
        sessions: new Set(said.map(({ sessionId }) => sessionId)).size,
        lastUsedAt: Math.max(...used, ...said.map(({ at, createdAt }) => at ?? createdAt)),
      };
    });
  },
};

function isSelected({ memory, slot, fingerprint }: StoredMemory, filter: MemoryFilter): boolean {
  const { current = false, categorized = false, sessionId, matchAny } = filter;
  const { slots = [], fingerprints = [] } = matchAny ?? {};
  return (
    (!current || (memory.validTo === undefined && memory.archivedAt === undefined)) &&
    (!categorized || memory.category !== undefined) &&
    (sessionId === undefined || memory.source.sessionId === sessionId) &&
    (matchAny === undefined || (slot !== undefined && slots.includes(slot)) || fingerprints.includes(fingerprint))
  );
}

function writeCommit(space: SpaceData, commit: MemoryCommit): void {
  const { memories, turns, entries, contradictions, journal = [], blobs } = structuredClone({ ...commit, result: 0 });
  refuseTwice("journal entry", [...space.journal.values(), ...journal]);
  space.revision += 1;
  const known = new Map(space.memories);
  for (const stored of memories ?? []) {
    const usage = known.get(stored.memory.id)?.memory.usage ?? stored.memory.usage;
    space.memories.set(stored.memory.id, { ...stored, memory: { ...stored.memory, usage } });
  }
  for (const turn of turns ?? []) space.turns.set(turn.id, turn);
  for (const entry of entries ?? []) space.entries.set(entry.id, { ...entry, revision: space.revision });
  for (const contradiction of contradictions ?? []) space.contradictions.set(contradiction.id, contradiction);
  for (const entry of journal) space.journal.set(entry.id, entry);
  for (const { name, bytes } of blobs ?? []) space.blobs.set(name, bytes);
}

function eraseFrom(space: SpaceData, { memories, turns, write }: Erasure) {
  const rewritten = new Set(write?.memories?.map(({ memory }) => memory.id));
  const gone = { memories: new Set(memories), turns: new Set(turns), contradictions: new Set<string>() };
  for (const { id, memoryA, memoryB } of space.contradictions.values()) {
    if (gone.memories.has(memoryA) || gone.memories.has(memoryB)) gone.contradictions.add(id);
  }
  const judged = [...space.judgements.values()].filter(({ memoryIds }) =>
    memoryIds.some((id) => gone.memories.has(id)),
  );
  const report = {
    memories: memories.filter((id) => !rewritten.has(id) && space.memories.delete(id)).length,
    turns: turns.filter((id) => space.turns.delete(id)).length,
    contradictions: [...gone.contradictions].filter((id) => space.contradictions.delete(id)).length,
    judgements: judged.filter(({ key }) => space.judgements.delete(key)).length,
    journalChanges: eraseFromJournal(space, gone),
  };
  for (const id of [...memories, ...turns]) space.entries.delete(id);
  for (const [id, stored] of space.memories) {
    space.memories.set(id, { ...stored, memory: withoutReferences(stored.memory, gone) });
  }
  space.blobs.clear();
  return report;
}

type Gone = Readonly<Record<"memories" | "turns" | "contradictions", ReadonlySet<string>>>;

function eraseFromJournal(space: SpaceData, gone: Gone): number {
  let count = 0;
  for (const [id, entry] of [...space.journal]) {
    const changes = entry.changes.filter((change) => !isAbout(change, gone));
    count += entry.changes.length - changes.length;
    if (changes.length === 0 && entry.changes.length > 0) space.journal.delete(id);
    else space.journal.set(id, { ...entry, changes: changes.map((change) => withoutGone(change, gone)) });
  }
  return count;
}

function isAbout({ kind, id, before }: JournalChange, gone: Gone): boolean {
  if (kind === "memory") return gone.memories.has(id);
  const { memoryA = "", memoryB = "", marks = [] }: Partial<Contradiction & Utterance> = before ?? {};
  if (kind === "contradiction")
    return gone.contradictions.has(id) || [memoryA, memoryB].some((one) => gone.memories.has(one));
  return gone.turns.has(id) || marks.some(({ by = "" }) => gone.memories.has(by) || gone.turns.has(by));
}

function withoutGone(change: JournalChange, gone: Gone): JournalChange {
  if (change.kind !== "memory" || change.before === undefined) return change;
  return { ...change, before: withoutReferences(change.before as Memory, gone) };
}

function withoutReferences(memory: Memory, { memories }: Gone): Memory {
  const { supersedes, supersededBy, ...rest } = memory;
  return {
    ...rest,
    links: memory.links.filter((id) => !memories.has(id)),
    ...(supersedes !== undefined && !memories.has(supersedes) && { supersedes }),
    ...(supersededBy !== undefined && !memories.has(supersededBy) && { supersededBy }),
  };
}

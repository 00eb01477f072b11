import type { Clock } from "../../ports/clock.ts";
import type { Memory } from "../../ports/memory.ts";
import type { MemoryFilter, MemoryStore } from "../../ports/memory-store.ts";
import { chooseContradictions } from "../contradiction-filter.ts";
import { eraseFromSpace } from "./erase-from-space.ts";
import { frozenCopy } from "./frozen-copy.ts";
import { isCurrent, MemorySpace } from "./memory-space.ts";
import type { OrderedMap } from "./ordered-map.ts";

/** Memories in the process. `spaces` gives where they stand, and throws where the store is closed. */
export function inProcessMemories(clock: Clock, spaces: () => OrderedMap<MemorySpace>): MemoryStore {
  // One that was never written to is empty.
  const find = (name: string) => spaces().get(name) ?? new MemorySpace(name);
  const open = (name: string) => {
    const space = find(name);
    spaces().set(name, space);
    return space;
  };
  return {
    ...reads(find),
    async commit(name, commit) {
      const space = find(name);
      if (space.revision !== commit.revision) return false;
      space.write(commit);
      spaces().set(name, space);
      return true;
    },
    async countUse(name, ids, use, at) {
      find(name).countUse(ids, use, at);
    },
    async keepJudgement(name, judgement) {
      open(name).judgements.set(judgement.key, frozenCopy(judgement));
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
    async acquire(name, work, holder, milliseconds) {
      const { leases } = open(name);
      const [lease, now] = [leases.get(work), clock.now()];
      if (lease !== undefined && lease.holder !== holder && lease.until > now) return false;
      // No time at all, where it is no number: a lease without an end would never be given to anybody else.
      leases.set(work, { holder, until: now + Math.max(0, milliseconds || 0) });
      return true;
    },
    async release(name, work, holder) {
      const { leases } = find(name);
      if (leases.get(work)?.holder === holder) leases.delete(work);
    },
    async spaces({ after, limit = Number.POSITIVE_INFINITY } = {}) {
      const committed = [...spaces().behind(after)].filter(({ revision }) => revision > 0);
      return committed.slice(0, limit).map(({ name }) => name);
    },
  };
}

type Reads = Omit<MemoryStore, "commit" | "countUse" | "keepJudgement" | "erase" | "acquire" | "release" | "spaces">;

function reads(find: (name: string) => MemorySpace): Reads {
  return {
    async head(name) {
      const { revision, epoch } = find(name);
      return { revision, epoch };
    },
    async memories(name, ids) {
      return find(name).byId(ids);
    },
    async list(name, filter = {}) {
      return listed(find(name), filter);
    },
    async related(name, slots, fingerprint) {
      return find(name).related(slots, fingerprint);
    },
    async turns(name, ids) {
      const { turns } = find(name);
      return ids.flatMap((id) => turns.get(id) ?? []);
    },
    async turnsOf(name, sessionId, from = 0, limit = Number.POSITIVE_INFINITY) {
      return find(name)
        .turnsOf(sessionId)
        .filter(({ position }) => position >= from)
        .slice(0, limit);
    },
    async countTurns(name, sessionId) {
      return find(name).countTurns(sessionId);
    },
    async entries(name, { revision, id }, limit) {
      return find(name).entries.after(revision, id, limit);
    },
    async entriesOf(name, ids) {
      return find(name).entries.byId(ids);
    },
    async entriesWithout(name, embedder, after, limit) {
      return find(name).entries.without(embedder, after, limit);
    },
    async contradictions(name, filter = {}) {
      const { contradictions } = find(name);
      const named = filter.ids?.flatMap((id) => contradictions.get(id) ?? []);
      return chooseContradictions(new Set(named ?? contradictions.values()), filter);
    },
    async journal(name, filter) {
      const newest = [...find(name).journal.values()].reverse();
      if (!("ids" in filter)) return newest.slice(0, filter.limit);
      const wanted = new Set(filter.ids);
      return newest.filter(({ id }) => wanted.has(id));
    },
    async judgement(name, key) {
      return find(name).judgements.get(key)?.contradicts;
    },
  };
}

function listed(space: MemorySpace, filter: MemoryFilter): Memory[] {
  const { current = false, categorised = false, sessionId, limit = Number.POSITIVE_INFINITY } = filter;
  const found: Memory[] = [];
  for (const memory of space.candidates(filter)) {
    if (found.length >= limit) break;
    const isWanted =
      (!current || isCurrent(memory)) &&
      (!categorised || memory.category !== undefined) &&
      (sessionId === undefined || memory.source.sessionId === sessionId);
    if (isWanted) found.push(memory);
  }
  return found;
}

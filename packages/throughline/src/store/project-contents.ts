import { omitUndefined } from "../internal/json.ts";
import type { Memory, Utterance } from "../ports/memory.ts";
import type { ProjectContents } from "../ports/memory-store.ts";
import { isCurrent } from "./memory-filters.ts";

/** Counts memories and sessions by project. */
export function countByProject(memories: Iterable<Memory>, turns: Iterable<Utterance>): ProjectContents[] {
  const counts = new Map<string | undefined, { memories: number; current: number; lastUsedAt: number }>();
  const sessions = new Map<string | undefined, Set<string>>();
  const use = (projectId: string | undefined, ...times: readonly (number | undefined)[]) => {
    const count = counts.get(projectId) ?? { memories: 0, current: 0, lastUsedAt: Number.NEGATIVE_INFINITY };
    count.lastUsedAt = Math.max(count.lastUsedAt, ...times.filter((time) => time !== undefined));
    counts.set(projectId, count);
    return count;
  };
  for (const memory of memories) {
    const count = use(memory.projectId, memory.lastSeenAt, memory.usage.lastAccessedAt);
    count.memories += 1;
    if (isCurrent(memory)) count.current += 1;
  }
  for (const { projectId, sessionId, at, createdAt } of turns) {
    use(projectId, at ?? createdAt);
    sessions.set(projectId, (sessions.get(projectId) ?? new Set()).add(sessionId));
  }
  const found = [...counts].map(([projectId, count]) =>
    omitUndefined({ projectId, ...count, sessions: sessions.get(projectId)?.size ?? 0 }),
  );
  return sortContents(found);
}

/** By project id; the contents outside of projects first. */
export function sortContents(contents: readonly ProjectContents[]): ProjectContents[] {
  const isBefore = (a: ProjectContents, b: ProjectContents) =>
    a.projectId === undefined || (b.projectId !== undefined && a.projectId < b.projectId);
  return contents.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

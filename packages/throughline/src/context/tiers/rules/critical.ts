import { HOUR } from "../../../internal/time.ts";
import type { Contradiction } from "../../../ports/memory.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import { AROUND, findEntry, type Relevance } from "../score-candidates.ts";
import { type Candidate, candidateOf, rank, related, relatedAndNewest } from "./candidate.ts";

/** Age up to which an error is recent. */
const RECENT = 24 * HOUR;
const MAX_PINNED = 200;

/** Pinned memories, which are included in every context. */
export function pinnedMemories(relevance: Relevance): readonly Candidate[] {
  const pinned = relevance.memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("pinned"));
  return rank(
    pinned.map((entry) => candidateOf(entry, relevance.close.get(entry.id)?.weight ?? 0, ["pinned"])),
    MAX_PINNED,
  );
}

/** Open contradictions with a pinned memory. */
export function pinnedContradictions(relevance: Relevance): readonly Candidate[] {
  return rank(openPairs(relevance).filter(({ members }) => members.some(({ entry }) => entry?.pinned)));
}

/** Open contradictions without a pinned memory. */
export function openContradictions(relevance: Relevance): readonly Candidate[] {
  return rank(openPairs(relevance).filter(({ members }) => !members.some(({ entry }) => entry?.pinned)));
}

function openPairs(relevance: Relevance): readonly Candidate[] {
  return relevance.memoryIndexes.flatMap(({ contradictions }) =>
    contradictions.flatMap((one) => pairOf(relevance, one) ?? []),
  );
}

function pairOf(relevance: Relevance, { memoryA, memoryB, reason, detectedAt }: Contradiction): Candidate | undefined {
  const [a, b] = [findEntry(relevance, memoryA), findEntry(relevance, memoryB)];
  if (a === undefined || b === undefined) return undefined;
  const weight = Math.max(...[a, b].map(({ id }) => relevance.close.get(id)?.weight ?? 0));
  const reasons = [`contradiction: ${reason}`];
  return { members: [a, b].map((entry) => ({ id: entry.id, entry, reasons })), weight, at: detectedAt };
}

/** Decisions about the current work. */
export function activeDecisions(relevance: Relevance): readonly Candidate[] {
  return related(relevance, "decision");
}

/** Related decisions, then the newest of the whole project. */
export function recentDecisions(relevance: Relevance): readonly Candidate[] {
  return relatedAndNewest(relevance, "decision", "decided lately");
}

/** Errors and fixes of the last day, and fixes that are linked to them. */
export function recentErrors(relevance: Relevance): readonly Candidate[] {
  const { at } = relevance.signals;
  const isRecent = ({ lastSeenAt }: MemoryIndexEntry): boolean => lastSeenAt <= at && lastSeenAt > at - RECENT;
  // Episodes and workflows mention errors among other things.
  const isTold = ({ kind }: MemoryIndexEntry): boolean => kind === "fact";
  const troubles = relevance.memoryIndexes.flatMap((memoryIndex) => [
    ...memoryIndex.latest("error"),
    ...memoryIndex.latest("fix"),
  ]);
  const recent = [...new Set(troubles)].filter((entry) => isTold(entry) && isRecent(entry));
  const fixes = recent
    .flatMap(({ links }) => links.flatMap((id) => findEntry(relevance, id) ?? []))
    .filter((entry) => entry.roles.includes("fix") && !isRecent(entry));
  const weigh = (entry: MemoryIndexEntry, reason: string): Candidate => {
    const relation = relevance.close.get(entry.id);
    return candidateOf(entry, relation?.weight ?? 0, [reason, ...(relation?.reasons ?? [])]);
  };
  return rank([
    ...recent.map((entry) => weigh(entry, "in the last 24 hours")),
    ...[...new Set(fixes)].map((entry) => weigh(entry, "fixed what came up in the last 24 hours")),
  ]);
}

/** Earlier fixes in the current files, or in their part of the project. */
export function fixesInFiles(relevance: Relevance): readonly Candidate[] {
  return related(relevance, "fix", AROUND);
}

/** Known errors in the current files, or in their part of the project. */
export function knownIssues(relevance: Relevance): readonly Candidate[] {
  return related(relevance, "error", AROUND);
}

/** Open questions about the current work. */
export function openQuestions(relevance: Relevance): readonly Candidate[] {
  return related(relevance, "open-question");
}

/** Related open questions, then the newest of the whole project. */
export function allOpenQuestions(relevance: Relevance): readonly Candidate[] {
  return relatedAndNewest(relevance, "open-question", "still open");
}

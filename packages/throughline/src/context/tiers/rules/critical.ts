import type { Contradiction } from "../../../ports/memory.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import { AROUND, findEntry, type Scene } from "../scene.ts";
import { type Candidate, candidateOf, rank, related, relatedAndNewest } from "./candidate.ts";

const HOUR = 3_600_000;
/** Age up to which an error is recent. */
const RECENT = 24 * HOUR;
const MAX_PINNED = 200;

/** Pinned memories, which are included in every context. */
export function pinnedMemories(scene: Scene): readonly Candidate[] {
  const pinned = scene.memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("pinned"));
  return rank(
    pinned.map((entry) => candidateOf(entry, scene.close.get(entry.id)?.weight ?? 0, ["pinned"])),
    MAX_PINNED,
  );
}

/** Open contradictions with a pinned memory. */
export function pinnedContradictions(scene: Scene): readonly Candidate[] {
  return rank(openPairs(scene).filter(({ members }) => members.some(({ entry }) => entry?.pinned)));
}

/** Open contradictions without a pinned memory. */
export function openContradictions(scene: Scene): readonly Candidate[] {
  return rank(openPairs(scene).filter(({ members }) => !members.some(({ entry }) => entry?.pinned)));
}

function openPairs(scene: Scene): readonly Candidate[] {
  return scene.memoryIndexes.flatMap(({ contradictions }) => contradictions.flatMap((one) => pairOf(scene, one) ?? []));
}

function pairOf(scene: Scene, { memoryA, memoryB, reason, detectedAt }: Contradiction): Candidate | undefined {
  const [a, b] = [findEntry(scene, memoryA), findEntry(scene, memoryB)];
  if (a === undefined || b === undefined) return undefined;
  const weight = Math.max(...[a, b].map(({ id }) => scene.close.get(id)?.weight ?? 0));
  const reasons = [`contradiction: ${reason}`];
  return { members: [a, b].map((entry) => ({ id: entry.id, entry, reasons })), weight, at: detectedAt };
}

/** Decisions about the current work. */
export function activeDecisions(scene: Scene): readonly Candidate[] {
  return related(scene, "decision");
}

/** Related decisions, then the newest of the whole project. */
export function recentDecisions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "decision", "decided lately");
}

/** Errors and fixes of the last day, and fixes that are linked to them. */
export function recentErrors(scene: Scene): readonly Candidate[] {
  const { at } = scene.situation;
  const isRecent = ({ lastSeenAt }: MemoryIndexEntry): boolean => lastSeenAt <= at && lastSeenAt > at - RECENT;
  // Episodes and workflows mention errors among other things.
  const isTold = ({ kind }: MemoryIndexEntry): boolean => kind === "fact";
  const troubles = scene.memoryIndexes.flatMap((memoryIndex) => [
    ...memoryIndex.latest("error"),
    ...memoryIndex.latest("fix"),
  ]);
  const recent = [...new Set(troubles)].filter((entry) => isTold(entry) && isRecent(entry));
  const fixes = recent
    .flatMap(({ links }) => links.flatMap((id) => findEntry(scene, id) ?? []))
    .filter((entry) => entry.roles.includes("fix") && !isRecent(entry));
  const weigh = (entry: MemoryIndexEntry, reason: string): Candidate => {
    const relation = scene.close.get(entry.id);
    return candidateOf(entry, relation?.weight ?? 0, [reason, ...(relation?.reasons ?? [])]);
  };
  return rank([
    ...recent.map((entry) => weigh(entry, "in the last 24 hours")),
    ...[...new Set(fixes)].map((entry) => weigh(entry, "fixed what came up in the last 24 hours")),
  ]);
}

/** Earlier fixes in the current files, or in their part of the project. */
export function fixesHere(scene: Scene): readonly Candidate[] {
  return related(scene, "fix", AROUND);
}

/** Known errors in the current files, or in their part of the project. */
export function knownIssues(scene: Scene): readonly Candidate[] {
  return related(scene, "error", AROUND);
}

/** Open questions about the current work. */
export function openQuestions(scene: Scene): readonly Candidate[] {
  return related(scene, "open-question");
}

/** Related open questions, then the newest of the whole project. */
export function allOpenQuestions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "open-question", "still open");
}

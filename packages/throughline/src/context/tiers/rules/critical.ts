import type { Contradiction } from "../../../ports/memory.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import { AROUND, findEntry, type Scene } from "../scene.ts";
import { type Candidate, candidateOf, rank, related, relatedAndNewest } from "./candidate.ts";

const HOUR = 3_600_000;
/** Errors of the last day are recent. */
const RECENT = 24 * HOUR;
const MAX_PINNED = 200;

/** What somebody pinned: it is told whatever is worked on. */
export function pinnedMemories(scene: Scene): readonly Candidate[] {
  const pinned = scene.memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("pinned"));
  return rank(
    pinned.map((entry) => candidateOf(entry, scene.close.get(entry.id)?.weight ?? 0, ["pinned"])),
    MAX_PINNED,
  );
}

/** Two memories that cannot both be true, one of which is pinned. */
export function pinnedContradictions(scene: Scene): readonly Candidate[] {
  return rank(openPairs(scene).filter(({ members }) => members.some(({ entry }) => entry?.pinned)));
}

/** Two memories that cannot both be true, as a pair. */
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

/** What was decided about what is worked on. */
export function activeDecisions(scene: Scene): readonly Candidate[] {
  return related(scene, "decision");
}

/** What was decided last, wherever. */
export function recentDecisions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "decision", "decided lately");
}

/** What went wrong in the last day, what fixed it, and fixes that are linked to it. */
export function recentErrors(scene: Scene): readonly Candidate[] {
  const { at } = scene.situation;
  const isRecent = ({ lastSeenAt }: MemoryIndexEntry): boolean => lastSeenAt <= at && lastSeenAt > at - RECENT;
  // A story that only says "fix" tells of no error; a workflow tells of how things go.
  const isTold = ({ kind, roles }: MemoryIndexEntry): boolean => kind === "fact" || roles.includes("error");
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

/** What was put right before in the files at hand, or in their part of the project. */
export function fixesHere(scene: Scene): readonly Candidate[] {
  return related(scene, "fix", AROUND);
}

/** What is known to be wrong with what is worked on. */
export function knownIssues(scene: Scene): readonly Candidate[] {
  return related(scene, "error", AROUND);
}

/** What nobody has answered yet about what is worked on. */
export function openQuestions(scene: Scene): readonly Candidate[] {
  return related(scene, "open-question");
}

/** What nobody has answered yet, wherever. */
export function allOpenQuestions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "open-question", "still open");
}

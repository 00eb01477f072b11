import { readTerms } from "../../../language/terms.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import type { Scene } from "../scene.ts";
import { type Candidate, rank, relatedAndNewest } from "./candidate.ts";

/** Words of workflows and rules that are about what went wrong. */
const TROUBLE = stems("error exception debug debugging failure bug incident logs rollback");
/** So many episodes are history enough. */
const FEW = 5;
/** Facts that are neither rules nor decisions. */
const MAX_NOTES = 40;

/** How things are done in the whole project. */
export function conventions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "convention", "holds in the whole project");
}

/** How things are done, what is said of errors first. */
export function errorConventions(scene: Scene): readonly Candidate[] {
  return troubleFirst(conventions(scene));
}

/** What the people of the project want. */
export function preferences(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "preference", "wanted by somebody of the project");
}

/** How things go, step by step: what has to do with the task first. */
export function workflows(scene: Scene): readonly Candidate[] {
  const { taskWords } = scene.situation;
  return wordsFirst(relatedAndNewest(scene, "workflow", "how it goes here"), new Set(taskWords), "named in the task");
}

/** How things go, what is about errors first. */
export function debuggingWorkflows(scene: Scene): readonly Candidate[] {
  return troubleFirst(workflows(scene));
}

/** What was done before: around here first, then lately. */
export function history(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "episode", "done lately").slice(0, FEW);
}

/** What else is known of the project: around here first, then what was said last. */
export function notes(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "note", "known of the project").slice(0, MAX_NOTES);
}

/** Who the user is. */
export function aboutUser(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "person", "about the user").slice(0, FEW);
}

function troubleFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  return wordsFirst(candidates, TROUBLE, "about errors");
}

/** Those with one of these words before the others. */
function wordsFirst(
  candidates: readonly Candidate[],
  words: ReadonlySet<number>,
  reason: string,
): readonly Candidate[] {
  return rank(
    candidates.map((candidate) => {
      const entries = candidate.members.flatMap(({ entry }) => entry ?? []);
      if (!entries.some((entry) => hasWord(entry, words))) return candidate;
      const members = candidate.members.map((member) => ({ ...member, reasons: [...member.reasons, reason] }));
      return { ...candidate, members, weight: candidate.weight + 1 };
    }),
  );
}

function hasWord({ words }: MemoryIndexEntry, wanted: ReadonlySet<number>): boolean {
  return words.some((word) => wanted.has(word));
}

function stems(text: string): ReadonlySet<number> {
  return new Set(readTerms(text).map(({ hash }) => hash));
}

import { readTerms } from "../../../language/terms.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import type { Scene } from "../scene.ts";
import { type Candidate, type Member, rank, relatedAndNewest } from "./candidate.ts";

/** Words of workflows and rules about errors. */
const TROUBLE = stems("error exception debug debugging failure bug incident logs rollback");
const MAX_EPISODES = 2;
/** Maximum number of facts about the user. */
const MAX_ABOUT_USER = 5;
/** Maximum number of facts without another role. */
const MAX_NOTES = 40;

/** Conventions of the whole project. */
export function conventions(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "convention", "holds in the whole project");
}

/** Conventions, those about errors first. */
export function errorConventions(scene: Scene): readonly Candidate[] {
  return troubleFirst(conventions(scene));
}

/** Preferences of the project's members. */
export function preferences(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "preference", "wanted by somebody of the project");
}

/** Workflows, those that the task names first. */
export function workflows(scene: Scene): readonly Candidate[] {
  const { taskWords } = scene.situation;
  return wordsFirst(relatedAndNewest(scene, "workflow", "how it goes here"), new Set(taskWords), "named in the task");
}

/** Workflows, those about errors first. */
export function debuggingWorkflows(scene: Scene): readonly Candidate[] {
  return troubleFirst(workflows(scene));
}

/** Earlier episodes: related ones first, then the newest. */
export function history(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "episode", "done lately").slice(0, MAX_EPISODES);
}

/** Other facts about the project: related ones first, then the newest that were saved on purpose. */
export function notes(scene: Scene): readonly Candidate[] {
  const isOfUse = ({ id, entry }: Member): boolean => scene.close.has(id) || entry?.messageId === undefined;
  return relatedAndNewest(scene, "note", "saved for the project")
    .filter(({ members }) => members.every(isOfUse))
    .slice(0, MAX_NOTES);
}

/** Facts about the user. */
export function aboutUser(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "person", "about the user").slice(0, MAX_ABOUT_USER);
}

function troubleFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  return wordsFirst(candidates, TROUBLE, "about errors");
}

/** Moves candidates with one of these words to the front. */
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

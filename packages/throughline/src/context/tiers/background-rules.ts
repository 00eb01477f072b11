import { termHashes } from "../../language/terms.ts";
import { isSameFile } from "../file-paths.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import { shareAtHour } from "../predict/read-signal.ts";
import {
  type Candidate,
  type Member,
  type NamedRule,
  type Relevance,
  rank,
  relatedAndNewest,
} from "./score-candidates.ts";

/** Words of workflows and rules about errors. */
const TROUBLE = stems("error exception debug debugging failure bug incident logs rollback");
/** Maximum number of episodes, of which the newest are included even if they have nothing to do with the work. */
const MAX_EPISODES = 6;
const MAX_NEWEST = 2;
/** Number of likely files, of which an episode has to share some. */
const MAX_LIKELY = 12;
const MIN_SHARED = 2;
const MAX_SHARED = 4;
/** Weight of a workflow that is usual at this hour, below that of a related one. */
const AT_HOUR = 0.5;
/** Maximum number of facts about the user. */
const MAX_ABOUT_USER = 5;
/** Maximum number of facts without another role, and of those that have nothing to do with the work. */
const MAX_NOTES = 40;
const MAX_OTHER_NOTES = 10;

/** Conventions of the whole project. */
function conventions(relevance: Relevance): readonly Candidate[] {
  return relatedAndNewest(relevance, "convention", "holds in the whole project");
}

/** Workflows, those that the task names first, then those that are usual at this hour. */
function workflows(relevance: Relevance): readonly Candidate[] {
  const { taskWords, at } = relevance.signals;
  const candidates = relatedAndNewest(relevance, "workflow", "how it goes here").map((candidate) => {
    const isUsual = candidate.members.some(({ entry }) => entry !== undefined && shareAtHour(entry.doneAt, at) > 0);
    if (!isUsual) return candidate;
    const members = candidate.members.map((member) => ({
      ...member,
      reasons: [...member.reasons, "done at this hour"],
    }));
    return { ...candidate, members, weight: candidate.weight + AT_HOUR };
  });
  return wordsFirst(candidates, new Set(taskWords), "named in the task");
}

/** Earlier episodes: related ones, the newest, and those that changed several of the files that are likely next. */
function history(relevance: Relevance): readonly Candidate[] {
  const likely = relevance.wantedFiles.slice(0, MAX_LIKELY);
  const sharedBy = ({ files }: MemoryIndexEntry): number =>
    likely.filter((path) => files.some((file) => isSameFile(file, path))).length;
  const episodes = relatedAndNewest(relevance, "episode", "done lately");
  const newest = new Set(episodes.toSorted((a, b) => b.at - a.at).slice(0, MAX_NEWEST));
  const weighed = episodes.flatMap((candidate) => {
    const shared = Math.max(...candidate.members.map(({ entry }) => (entry === undefined ? 0 : sharedBy(entry))));
    const isOfUse = candidate.weight >= 1 || newest.has(candidate) || shared >= MIN_SHARED;
    return isOfUse ? [{ ...candidate, weight: candidate.weight + Math.min(shared, MAX_SHARED) }] : [];
  });
  // Files or a message define the work, so other episodes matter less.
  const { file, recentFiles, isAsked } = relevance.signals;
  const isKnown = file !== undefined || recentFiles.length > 0 || isAsked;
  return rank(weighed, isKnown ? MAX_NEWEST : MAX_EPISODES);
}

/** Other facts about the project: related ones first, then the newest that were saved on purpose. */
function notes(relevance: Relevance): readonly Candidate[] {
  const isOfUse = ({ id, entry }: Member): boolean => relevance.close.has(id) || entry?.messageId === undefined;
  const found = relatedAndNewest(relevance, "note", "saved for the project").filter(({ members }) =>
    members.every(isOfUse),
  );
  const ofWork = found.filter(({ weight }) => weight >= 1);
  return [...ofWork, ...found.filter(({ weight }) => weight < 1).slice(0, MAX_OTHER_NOTES)].slice(0, MAX_NOTES);
}

function problemsFirst(candidates: readonly Candidate[]): readonly Candidate[] {
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
  return termHashes(text);
}

export const BACKGROUND_RULES = {
  convention: { find: conventions },
  "error-convention": { find: (relevance) => problemsFirst(conventions(relevance)) },
  preference: {
    find: (relevance) => relatedAndNewest(relevance, "preference", "wanted by somebody of the project"),
  },
  workflow: { find: workflows },
  "debugging-workflow": { find: (relevance) => problemsFirst(workflows(relevance)) },
  history: { find: history },
  note: { find: notes },
  person: {
    find: (relevance) => relatedAndNewest(relevance, "person", "about the user").slice(0, MAX_ABOUT_USER),
  },
} satisfies Readonly<Record<string, NamedRule>>;

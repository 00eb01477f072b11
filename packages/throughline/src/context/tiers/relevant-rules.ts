import { readTerms } from "../../language/terms.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import type { RecallHit } from "../../memory/memory-api.ts";
import { FILE_ID } from "../context-api.ts";
import { cleanPath, folderOf, isSameFile } from "../file-paths.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import { filesAtHand, type NormalizedSignals } from "../normalize-signals.ts";
import { isOf } from "./read-roles.ts";
import {
  AROUND,
  aboutWork,
  type Candidate,
  candidateOf,
  findEntry,
  type NamedRule,
  type Relevance,
  rank,
  related,
  relatedAndNewest,
} from "./score-candidates.ts";

/** Minimum confidence of predictions that are used. */
const MIN_CONFIDENCE = 0.6;
const CONFIDENCE_STEPS = 10;
const MAX_FILES = 10;
const MIN_FILE_CONFIDENCE = 0.3;
const MAX_LIKELY_FILES = 12;
/** Maximum number of stored utterances that match a message, and that match the name of a branch. */
const MAX_TURNS = { asked: 8, ofBranch: 4 } as const;
const TEST = readTerms("test")[0]?.hash ?? 0;

/**
 * Memories that the predictor expects to be used. Confidence changes with every use, so it decides which memories are
 * selected, but not their order.
 */
function predicted({ prediction, close, ...relevance }: Relevance): readonly Candidate[] {
  return rank(
    prediction.memories.flatMap(({ memory, confidence, reasons }) => {
      const entry = findEntry(relevance, memory.id);
      if (entry === undefined || entry.roles.length === 0 || confidence < MIN_CONFIDENCE) return [];
      return [candidateOf(entry, close.get(memory.id)?.weight ?? 0, reasons)];
    }),
  );
}

/**
 * Memories and utterances that match the question. For file work, episodes have to be close to the work and utterances
 * have to name a part of it: others only sound similar, or say little ("yes", "now let me look at the tests"). The same
 * holds for utterances if the name of the branch is all that is known of the task.
 */
function relevantToTask(relevance: Relevance): readonly Candidate[] {
  const { relevant, signals, near } = relevance;
  const { isFileWork, isAsked } = signals;
  const found: Candidate[] = [];
  const maxTurns = isAsked ? MAX_TURNS.asked : MAX_TURNS.ofBranch;
  let turns = 0;
  for (const [place, hit] of relevant.entries()) {
    const weight = relevant.length - place;
    const entry = findEntry(relevance, hit.id);
    if (entry !== undefined) {
      const isOfUse = !isFileWork || entry.kind !== "episode" || (near.get(hit.id)?.strength ?? 0) >= AROUND;
      if (isOfUse) found.push({ ...candidateOf(entry, weight, hit.reasons), weight });
    } else if (hit.type === "turn" && turns < maxTurns && ((isAsked && !isFileWork) || namesWork(hit, signals))) {
      turns += 1;
      found.push({ members: [{ id: hit.id, utterance: hit, reasons: hit.reasons }], weight, at: hit.source.at ?? 0 });
    }
  }
  return rank(found);
}

/**
 * True if an utterance names a current file or a name of the question. In the same session, any identifier suffices.
 */
function namesWork({ text, source }: RecallHit, signals: NormalizedSignals): boolean {
  const named = [...findIdentifiers(text).keys()];
  if (signals.sessionId !== undefined && source.sessionId === signals.sessionId) return named.length > 0;
  const files = filesAtHand(signals);
  return named.some((name) => signals.names.has(name) || files.some((path) => isSameFile(path, cleanPath(name))));
}

/** Decisions that are linked to the current work, or about files that are likely next. */
function relatedDecisions(relevance: Relevance): readonly Candidate[] {
  const linked = [...relevance.near.values()].flatMap(({ entry }) =>
    entry.links.flatMap((id) => findEntry(relevance, id) ?? []),
  );
  const ofFiles = dependencies(relevance).flatMap(({ members }) => members.flatMap(({ entry }) => entry ?? []));
  const isDecision = ({ roles }: MemoryIndexEntry): boolean => roles.includes("decision");
  const close = new Map([
    ...ofFiles
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 1, ["about files that are likely next"])] as const),
    ...linked
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 2, ["linked to what is worked on"])] as const),
  ]);
  const parent = folderOf(relevance.signals.folder ?? "");
  const inFolder = parent === "" ? [] : relevance.memoryIndexes.flatMap((memoryIndex) => memoryIndex.within(parent));
  for (const entry of inFolder.filter(isDecision)) {
    if (!close.has(entry.id)) close.set(entry.id, candidateOf(entry, 1, [`names files of ${parent}`]));
  }
  return rank(close.values());
}

function collaboratorPreferences({ signals, memoryIndexes }: Relevance): readonly Candidate[] {
  const { collaborator } = signals;
  if (collaborator === undefined) return [];
  const preferences = memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("preference"));
  return rank(
    preferences
      .filter((entry) => isOf(entry, collaborator))
      .map((entry) => candidateOf(entry, 0, [`what ${collaborator} wants`])),
  );
}

/** Memories about the current files and their part of the project. */
function moduleMemories({ near }: Relevance): readonly Candidate[] {
  const close = [...near.values()].filter(({ strength }) => strength >= AROUND);
  return rank(close.map(({ entry, strength, reason }) => candidateOf(entry, strength, [reason])));
}

/** Memories about files that are likely next: imported, changed together, or opened afterwards. */
function dependencies({ prediction, memoryIndexes }: Relevance): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { path, confidence } of prediction.files.slice(0, MAX_FILES)) {
    if (confidence < MIN_CONFIDENCE) continue;
    for (const entry of memoryIndexes.flatMap((memoryIndex) => memoryIndex.naming(path))) {
      const weight = Math.round(confidence * CONFIDENCE_STEPS);
      if (weight > (found.get(entry.id)?.weight ?? -1)) {
        found.set(entry.id, candidateOf(entry, weight, [`names ${path}, which is likely next`]));
      }
    }
  }
  return rank(found.values());
}

/**
 * Files that are likely next. If the signals name a file or an error, only confident predictions count. Otherwise the
 * best ones share a line, because each of them is uncertain.
 */
function likelyFiles({ prediction, signals }: Relevance): readonly Candidate[] {
  const { file, recentFiles, errors, isAsked } = signals;
  const isKnown = file !== undefined || recentFiles.length + errors.length > 0;
  if (!isKnown && isAsked) return [];
  const likely = prediction.files
    .filter(({ confidence }) => !isKnown || confidence >= MIN_FILE_CONFIDENCE)
    .slice(0, MAX_LIKELY_FILES)
    .map(({ path, reasons }) => ({ id: `${FILE_ID}${path}`, file: path, reasons }));
  if (!isKnown) return likely.length === 0 ? [] : [{ members: likely, weight: 1, at: 0 }];
  return likely.map((member, place) => ({ members: [member], weight: likely.length - place, at: 0 }));
}

/** Tests that failed here before. */
function testFailures(relevance: Relevance): readonly Candidate[] {
  const isTest = (id: string): boolean => relevance.memoryIndexes.some((memoryIndex) => memoryIndex.hasWord(TEST, id));
  return related(relevance, "error", AROUND).filter(({ members }) => members.every(({ id }) => isTest(id)));
}

export const RELEVANT_RULES = {
  predicted: { find: predicted },
  "fits-task": { find: relevantToTask },
  "related-decision": { find: relatedDecisions },
  "collaborator-preference": { find: collaboratorPreferences },
  "pattern-here": { find: (relevance) => related(relevance, "pattern") },
  pattern: { find: (relevance) => relatedAndNewest(relevance, "pattern", "a pattern of the project") },
  "past-work": { find: (relevance) => aboutWork(relevance, "episode") },
  "similar-work": { find: (relevance) => related(relevance, "episode", AROUND) },
  module: { find: moduleMemories },
  dependency: { find: dependencies },
  "likely-file": { find: likelyFiles },
  "test-failure": { find: testFailures },
} satisfies Readonly<Record<string, NamedRule>>;

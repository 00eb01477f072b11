import { readTerms } from "../../../language/terms.ts";
import { findIdentifiers } from "../../../ledger/find-identifiers.ts";
import type { RecallHit } from "../../../memory/service/memory-api.ts";
import { cleanPath, folderOf, isSameFile } from "../../file-paths.ts";
import type { MemoryIndexEntry } from "../../memory-index-entry.ts";
import { filesAtHand, type Situation } from "../../read-situation.ts";
import { isOf } from "../roles/is-preference.ts";
import { AROUND, findEntry, type Scene } from "../scene.ts";
import { aboutWork, type Candidate, candidateOf, rank, related, relatedAndNewest } from "./candidate.ts";

/** What is less likely to be of use is left out. */
const MIN_CONFIDENCE = 0.6;
const CONFIDENCE_STEPS = 10;
const MAX_FILES = 10;
/** Things that were said. */
const MAX_TURNS = 8;
const TEST = readTerms("test")[0]?.hash ?? 0;

/**
 * Memories that the predictor expects to be of use. How likely each is changes with every use: that decides which of them
 * are wanted, and not in which order they stand.
 */
export function predicted({ prediction, close, ...scene }: Scene): readonly Candidate[] {
  return rank(
    prediction.memories.flatMap(({ memory, confidence, reasons }) => {
      const entry = findEntry(scene, memory.id);
      if (entry === undefined || confidence < MIN_CONFIDENCE) return [];
      return [candidateOf(entry, close.get(memory.id)?.weight ?? 0, reasons)];
    }),
  );
}

/**
 * What fits what is asked for: memories, and what was said. Who works on files needs what names something of the work:
 * stories that only sound alike, and most of what is said beside it ("yes", "now let me look at the tests"), are of no use.
 */
export function relevantToTask(scene: Scene): readonly Candidate[] {
  const { relevant, situation, near } = scene;
  const { isFileWork } = situation;
  const found: Candidate[] = [];
  let turns = 0;
  for (const [place, hit] of relevant.entries()) {
    const weight = relevant.length - place;
    const entry = findEntry(scene, hit.id);
    if (entry !== undefined) {
      const isOfUse = !isFileWork || entry.kind !== "episode" || (near.get(hit.id)?.strength ?? 0) >= AROUND;
      if (isOfUse) found.push({ ...candidateOf(entry, weight, hit.reasons), weight });
    } else if (hit.type === "turn" && turns < MAX_TURNS && (!isFileWork || namesWork(hit, situation))) {
      turns += 1;
      found.push({ members: [{ id: hit.id, said: hit, reasons: hit.reasons }], weight, at: hit.source.at ?? 0 });
    }
  }
  return rank(found);
}

/** Whether something that was said names a file at hand, or what is asked for; in the same session, whether it names anything. */
function namesWork({ text, source }: RecallHit, situation: Situation): boolean {
  const named = [...findIdentifiers(text).keys()];
  if (situation.sessionId !== undefined && source.sessionId === situation.sessionId) return named.length > 0;
  const files = filesAtHand(situation);
  return named.some((name) => situation.names.has(name) || files.some((path) => isSameFile(path, cleanPath(name))));
}

/** Decisions about what is near: linked to what is worked on, or about files that are likely next. */
export function relatedDecisions(scene: Scene): readonly Candidate[] {
  const linked = [...scene.near.values()].flatMap(({ entry }) =>
    entry.links.flatMap((id) => findEntry(scene, id) ?? []),
  );
  const ofFiles = dependencies(scene).flatMap(({ members }) => members.flatMap(({ entry }) => entry ?? []));
  const isDecision = ({ roles }: MemoryIndexEntry): boolean => roles.includes("decision");
  const close = new Map([
    ...ofFiles
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 1, ["about files that are likely next"])] as const),
    ...linked
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 2, ["linked to what is worked on"])] as const),
  ]);
  const parent = folderOf(scene.situation.folder ?? "");
  const around = parent === "" ? [] : scene.memoryIndexes.flatMap((memoryIndex) => memoryIndex.within(parent));
  for (const entry of around.filter(isDecision)) {
    if (!close.has(entry.id)) close.set(entry.id, candidateOf(entry, 1, [`names files of ${parent}`]));
  }
  return rank(close.values());
}

/** What somebody who works along wants. */
export function collaboratorPreferences({ situation, memoryIndexes }: Scene): readonly Candidate[] {
  const { collaborator } = situation;
  if (collaborator === undefined) return [];
  const preferences = memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofRole("preference"));
  return rank(
    preferences
      .filter((entry) => isOf(entry, collaborator))
      .map((entry) => candidateOf(entry, 0, [`what ${collaborator} wants`])),
  );
}

/** How things like this are built here. */
export function patternsHere(scene: Scene): readonly Candidate[] {
  return related(scene, "pattern");
}

/** How things are built here, those like this first. */
export function allPatterns(scene: Scene): readonly Candidate[] {
  return relatedAndNewest(scene, "pattern", "a pattern of the project");
}

/** What was done before to what is worked on. */
export function pastWork(scene: Scene): readonly Candidate[] {
  return aboutWork(scene, "episode");
}

/** What was done before to it, or for something like it. */
export function similarWork(scene: Scene): readonly Candidate[] {
  return related(scene, "episode", AROUND);
}

/** What is known of the files that are at hand, and of their part of the project. */
export function moduleMemories({ near }: Scene): readonly Candidate[] {
  const close = [...near.values()].filter(({ strength }) => strength >= AROUND);
  return rank(close.map(({ entry, strength, reason }) => candidateOf(entry, strength, [reason])));
}

/** What is known of files that are likely next: those that it imports, that change with it, that are opened after it. */
export function dependencies({ prediction, memoryIndexes }: Scene): readonly Candidate[] {
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

/** Tests that failed here before. */
export function testFailures(scene: Scene): readonly Candidate[] {
  const isTest = (id: string): boolean => scene.memoryIndexes.some((memoryIndex) => memoryIndex.hasWord(TEST, id));
  return related(scene, "error", AROUND).filter(({ members }) => members.every(({ id }) => isTest(id)));
}

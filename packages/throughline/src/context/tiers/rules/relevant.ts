import { findIdentifiers } from "../../../ledger/find-identifiers.ts";
import { readTerms } from "../../../memory/recall/words/read-terms.ts";
import type { RecallHit } from "../../../memory/service/memory-api.ts";
import type { CatalogueEntry } from "../../catalogue-entry.ts";
import { cleanPath, folderOf, isSameFile } from "../../file-paths.ts";
import type { Situation } from "../../read-situation.ts";
import { isOf } from "../roles/is-preference.ts";
import { AROUND, findEntry, type Scene } from "../scene.ts";
import { aboutWork, type Candidate, candidateOf, rank, related, relatedAndNewest } from "./candidate.ts";

/** What is less likely to be of use is left out. */
const LEAST_CONFIDENCE = 0.15;
const CONFIDENCE_STEPS = 10;
const MOST_FILES = 10;
/** Stories that only sound alike, and things that were said. */
const MOST_STORIES = 1;
const MOST_TURNS = 8;
const TEST = readTerms("test")[0]?.hash ?? 0;

/** Memories that the predictor expects to be of use. */
export function predicted({ prediction, ...scene }: Scene): readonly Candidate[] {
  return rank(
    prediction.memories.flatMap(({ memory, confidence, reasons }) => {
      const entry = findEntry(scene, memory.id);
      if (entry === undefined || confidence < LEAST_CONFIDENCE) return [];
      return [candidateOf(entry, Math.round(confidence * CONFIDENCE_STEPS), reasons)];
    }),
  );
}

/** What fits what is asked for: memories, and what was said. */
export function fittingTask(scene: Scene): readonly Candidate[] {
  const { fitting } = scene;
  let [stories, turns] = [MOST_STORIES, MOST_TURNS];
  const found: Candidate[] = [];
  for (const [place, hit] of fitting.entries()) {
    const weight = fitting.length - place;
    const entry = findEntry(scene, hit.id);
    if (hit.type === "turn" && isWorthSaying(hit, scene.situation)) {
      turns -= 1;
      const member = { id: hit.id, said: hit, reasons: hit.reasons };
      if (turns >= 0) found.push({ members: [member], weight, at: hit.source.at ?? 0 });
    }
    if (entry === undefined) continue;
    const isStory = entry.kind === "episode" && !isClose(scene, entry.id);
    if (isStory) stories -= 1;
    if (!isStory || stories >= 0) found.push({ ...candidateOf(entry, weight, hit.reasons), weight });
  }
  return rank(found);
}

/**
 * Whether something that was said is worth repeating. Who works on files needs what names something of the work: most of
 * what is said beside it ("yes", "now let me look at the tests") is of no use any more.
 */
function isWorthSaying(
  { text, source }: RecallHit,
  { file, errors, recentFiles, names, sessionId }: Situation,
): boolean {
  const atHand = file === undefined ? recentFiles : [file, ...recentFiles];
  if (atHand.length === 0 && errors.length === 0) return true;
  const named = [...findIdentifiers(text).keys()];
  if (sessionId !== undefined && source.sessionId === sessionId) return named.length > 0;
  return named.some((name) => names.has(name) || atHand.some((path) => isSameFile(path, cleanPath(name))));
}

function isClose({ close }: Scene, id: string): boolean {
  return close.get(id)?.isClose ?? false;
}

/** Decisions about what is near: linked to what is worked on, or about files that are likely next. */
export function relatedDecisions(scene: Scene): readonly Candidate[] {
  const linked = [...scene.near.values()].flatMap(({ entry }) =>
    entry.links.flatMap((id) => findEntry(scene, id) ?? []),
  );
  const ofFiles = dependencies(scene).flatMap(({ members }) => members.flatMap(({ entry }) => entry ?? []));
  const isDecision = ({ roles }: CatalogueEntry): boolean => roles.includes("decision");
  const close = new Map([
    ...ofFiles
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 1, ["about files that are likely next"])] as const),
    ...linked
      .filter(isDecision)
      .map((entry) => [entry.id, candidateOf(entry, 2, ["linked to what is worked on"])] as const),
  ]);
  const parent = folderOf(scene.situation.folder ?? "");
  const around = parent === "" ? [] : scene.catalogues.flatMap((catalogue) => catalogue.within(parent));
  for (const entry of around.filter(isDecision)) {
    if (!close.has(entry.id)) close.set(entry.id, candidateOf(entry, 1, [`names files of ${parent}`]));
  }
  return rank(close.values());
}

/** What somebody who works along wants. */
export function collaboratorPreferences({ situation, catalogues }: Scene): readonly Candidate[] {
  const { collaborator } = situation;
  if (collaborator === undefined) return [];
  const preferences = catalogues.flatMap((catalogue) => [...catalogue.ofRole("preference")]);
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
export function dependencies({ prediction, catalogues }: Scene): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  for (const { path, confidence } of prediction.files.slice(0, MOST_FILES)) {
    if (confidence < LEAST_CONFIDENCE) continue;
    for (const entry of catalogues.flatMap((catalogue) => catalogue.naming(path))) {
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
  const isTest = (id: string): boolean => scene.catalogues.some((catalogue) => catalogue.hasWord(TEST, id));
  return related(scene, "error", AROUND).filter(({ members }) => members.every(({ id }) => isTest(id)));
}

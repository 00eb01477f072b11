import { termHashes } from "../../language/terms.ts";
import type { RecallHit } from "../../memory/memory-api.ts";
import type { RelevantMemories } from "../../memory/recall/recall-memories.ts";
import type { PredictedFile } from "../context-api.ts";
import { cleanPath, fileName } from "../file-paths.ts";
import type { MemoryIndex } from "../memory-index.ts";
import { isOf } from "../tiers/read-roles.ts";
import type { BuiltIndex } from "./known-uses.ts";
import { describeSignal, errorSignature, type ReadSignal, shareAtHour } from "./read-signal.ts";
import { weighUses } from "./use-index.ts";

/** A memory that reports an equal error, with the files that were changed then. */
export interface EqualError {
  readonly id: string;
  readonly files: readonly string[];
}

/** Kinds of evidence for a memory. */
export const EVIDENCE = [
  // The memory names the opened file, a recent one, or a predicted one.
  "namesOpened",
  "namesRecent",
  "namesPredicted",
  // The memory was extracted from the same session.
  "ofSession",
  // Its words match the error or the branch.
  "fitsError",
  "fitsBranch",
  // The memory is a preference of the collaborator, or a workflow that is usual at this hour.
  "ofCollaborator",
  "atThisHour",
  // The memory was useful with the same file or signal before.
  "usedBefore",
  // The memory reports an equal error, or is from a session with the same branch, error or collaborator.
  "ofEqualError",
  "ofSameSignal",
] as const;
export type Kind = (typeof EVIDENCE)[number];

/** Evidence for one memory: strengths by kind, from 0 to 1, and readable reasons. */
export interface Evidence {
  readonly strengths: Partial<Record<Kind, number>>;
  readonly reasons: readonly string[];
}

/** Sources of evidence. */
export interface Sources {
  readonly files: readonly PredictedFile[];
  readonly built: BuiltIndex;
  readonly memoryIndexes: readonly Pick<MemoryIndex, "naming" | "newest" | "ofRole" | "ofSession">[];
  /** Memories that report the same error. */
  readonly equalErrors: readonly EqualError[];
  /** Searches memories by text, best first. */
  readonly relevant: (text: string) => Promise<RelevantMemories>;
}

/** Factor by which each next hit of a search, and each older file, counts less. */
const FADING = 0.85;
const MAX_RECENT = 5;
const MAX_QUESTION_LENGTH = 600;
const USE_SAMPLING = { most: 40, decay: 10, smoothing: 0.7 };

/** Gathers the evidence for memories after an event, by memory id. */
export async function gatherEvidence(signal: ReadSignal, sources: Sources): Promise<ReadonlyMap<string, Evidence>> {
  const gathered = new Gathered();
  noteFiles(signal, sources, gathered);
  noteSession(signal, sources, gathered);
  noteCollaborator(signal, sources, gathered);
  noteHour(signal, sources, gathered);
  noteUsed(signal, sources, gathered);
  noteSameSignal(signal, sources, gathered);
  for (const { id } of sources.equalErrors) gathered.note(id, "ofEqualError", 1, "reports the same error");
  await noteRelevant(signal, sources, gathered);
  return gathered.all;
}

/** Evidence by memory. Of several pieces of one kind, the strongest counts. */
class Gathered {
  readonly all = new Map<string, { strengths: Partial<Record<Kind, number>>; reasons: string[] }>();

  note(id: string, kind: Kind, strength: number, reason: string): void {
    const known = this.all.get(id);
    if (known === undefined) {
      this.all.set(id, { strengths: { [kind]: strength }, reasons: [reason] });
      return;
    }
    known.strengths[kind] = Math.max(known.strengths[kind] ?? 0, strength);
    if (!known.reasons.includes(reason)) known.reasons.push(reason);
  }
}

function noteFiles({ file, recentFiles }: ReadSignal, { files, memoryIndexes }: Sources, gathered: Gathered): void {
  const note = (path: string, kind: Kind, strength: number, why: string): void => {
    const reason = `names ${fileName(path)}${why}`;
    for (const memoryIndex of memoryIndexes) {
      for (const { id } of memoryIndex.naming(path)) gathered.note(id, kind, strength, reason);
    }
  };
  if (file !== undefined) note(file, "namesOpened", 1, "");
  const recent = [...new Set(recentFiles.toReversed())].filter((path) => path !== file).slice(0, MAX_RECENT);
  recent.forEach((path, at) => {
    note(path, "namesRecent", FADING ** at, ", which was used recently");
  });
  for (const { path, confidence } of files) note(path, "namesPredicted", confidence, ", which is likely next");
}

function noteSession({ sessionId }: ReadSignal, { memoryIndexes }: Sources, gathered: Gathered): void {
  if (sessionId === undefined) return;
  for (const memoryIndex of memoryIndexes) {
    for (const { id } of memoryIndex.ofSession(sessionId)) gathered.note(id, "ofSession", 1, "from this session");
  }
}

function noteCollaborator({ collaborator }: ReadSignal, { memoryIndexes }: Sources, gathered: Gathered): void {
  if (collaborator === undefined) return;
  for (const memoryIndex of memoryIndexes) {
    for (const entry of memoryIndex.ofRole("preference")) {
      if (!isOf(entry, collaborator)) continue;
      gathered.note(entry.id, "ofCollaborator", 1, `says what ${collaborator} prefers`);
    }
  }
}

/** Workflows that were run at this hour before. The strength grows with their number of runs. */
function noteHour({ at }: ReadSignal, { memoryIndexes }: Sources, gathered: Gathered): void {
  for (const { id, doneAt } of memoryIndexes.flatMap((memoryIndex) => memoryIndex.newest("workflow"))) {
    const share = shareAtHour(doneAt, at);
    if (share > 0) gathered.note(id, "atThisHour", share, "is done at this hour");
  }
}

function noteUsed({ file, signals }: ReadSignal, { built: { index } }: Sources, gathered: Gathered): void {
  const id = file === undefined ? undefined : index.idOf(file);
  const uses = [
    ...(id === undefined ? [] : [index.usesOf(id)]),
    ...signals.map((signal) => index.usesOfSignal(signal)),
  ];
  const shares = new Map<string, number>();
  for (const some of uses) {
    for (const { basket, weight } of weighUses(index, some, USE_SAMPLING)) {
      for (const memory of basket.memories) shares.set(memory, (shares.get(memory) ?? 0) + weight / uses.length);
    }
  }
  for (const [memory, share] of shares)
    gathered.note(memory, "usedBefore", Math.min(1, share), "was of use in the same place before");
}

/** Memories that came of sessions with the same branch, error or collaborator. */
function noteSameSignal(
  { signals, sessionId }: ReadSignal,
  { built: { index, baskets }, memoryIndexes }: Sources,
  gathered: Gathered,
): void {
  if (signals.length === 0) return;
  const sessions = new Map([...baskets].map(([id, basket]) => [basket, id]));
  for (const signal of signals) {
    for (const { number, weight } of weighUses(index, index.usesOfSignal(signal), USE_SAMPLING)) {
      const id = sessions.get(number);
      if (id === undefined || id === sessionId) continue;
      for (const entry of memoryIndexes.flatMap((memoryIndex) => memoryIndex.ofSession(id))) {
        gathered.note(entry.id, "ofSameSignal", weight, `came of a session ${describeSignal(signal)}`);
      }
    }
  }
}

async function noteRelevant({ error, words }: ReadSignal, { relevant }: Sources, gathered: Gathered): Promise<void> {
  const questions = [
    { text: error?.slice(0, MAX_QUESTION_LENGTH) ?? "", kind: "fitsError", reason: "fits the error" },
    { text: words.join(" "), kind: "fitsBranch", reason: "fits the branch" },
  ] as const;
  for (const { text, kind, reason } of questions) {
    if (text.trim() === "") continue;
    const { hits } = await relevant(text);
    for (const [at, { id }] of hits.entries()) gathered.note(id, kind, FADING ** at, reason);
  }
}

/** Minimum share of the words of an error that a line has if it reports the same one. */
const MIN_SHARE = 0.75;
/** Errors of fewer words are equal to too much. */
const MIN_WORDS = 2;
const MAX_TEXT_LENGTH = 8_000;
/** Parts of a line that report one failure each. */
const BETWEEN = /\n|; /;
const PLACEHOLDER = /<\w+>/g;
/** Quoted names in an error. A line without any of them reports another error. */
const QUOTED = /["'`‘“]([\w@./$-]{2,60})["'`’”]/g;

/**
 * Memories among the hits of a search that report an equal error: one of their lines has nearly all its words. Parts
 * that differ between occurrences, such as paths and numbers, are ignored.
 */
export function equalErrors(error: string, hits: readonly RecallHit[]): readonly EqualError[] {
  const words = stems(errorSignature(error)?.replace(PLACEHOLDER, " ") ?? "");
  if (words.size < MIN_WORDS) return [];
  const about = [...error.slice(0, MAX_TEXT_LENGTH).matchAll(QUOTED)].map(([, name = ""]) => name);
  const isEqual = (line: string): boolean => {
    if (about.length > 0 && !about.some((name) => line.includes(name))) return false;
    const own = stems(line);
    return [...words].filter((word) => own.has(word)).length >= MIN_SHARE * words.size;
  };
  return hits.flatMap(({ id, memory }) => {
    const lines = memory?.levels.full.slice(0, MAX_TEXT_LENGTH).split(BETWEEN) ?? [];
    if (memory === undefined || !lines.some(isEqual)) return [];
    const files = memory.artifacts.filter(({ type }) => type === "file").map(({ ref }) => cleanPath(ref));
    return [{ id, files }];
  });
}

function stems(text: string): ReadonlySet<number> {
  return termHashes(text);
}

import type { RecallHit } from "../../memory/memory-api.ts";
import { TopK } from "../../memory/search/query/top-k.ts";
import type { AssembleOptions, Prediction } from "../context-api.ts";
import { fileName } from "../file-paths.ts";
import { isNewer, type MemoryIndex } from "../memory-index.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import { filesAtHand, type NormalizedSignals } from "../normalize-signals.ts";
import type { Role } from "./read-roles.ts";

/** Closeness of a memory to the current work, with the reason. */
interface NearestFile {
  readonly entry: MemoryIndexEntry;
  readonly strength: number;
  readonly reason: string;
}

const NAMES_FILE = 6;
/** Minimum strength of a memory that is directly about the current work. */
const CLOSE = 5;
const OF_SESSION = CLOSE;
const NAMES_SEVERAL_RECENT = CLOSE;
const NAMES_RECENT = 4;
/** Minimum strength of a memory about the same part of the project. */
export const AROUND = 3;
const NAMES_FOLDER = AROUND;
const FITS = AROUND;
const SAYS_FOLDER = 2;
const SAYS_FILE = 1;
const MAX_CLOSEST = 100;

/** Input of the tier rules. */
export interface Relevance {
  readonly signals: NormalizedSignals;
  readonly memoryIndexes: readonly MemoryIndex[];
  readonly prediction: Prediction;
  /** Memories and utterances that match the question, best first. */
  readonly relevant: readonly RecallHit[];
  /** True for sources that the prompt already contains. */
  readonly isKnown?: NonNullable<AssembleOptions["isKnown"]>;
  /** Current files, then files that are likely next. */
  readonly wantedFiles: readonly string[];
  /** Names of these files and identifiers of the question and the errors, with a key that is equal for equal names. */
  readonly wantedNames: { readonly names: ReadonlySet<string>; readonly key: string };
  readonly near: ReadonlyMap<string, NearestFile>;
  /** Memories that are close to the work or match the question, by id. */
  readonly close: ReadonlyMap<string, Related>;
  /** The closest of them, in a deterministic order. */
  readonly closest: readonly Related[];
  readonly related: ReadonlyMap<Role, readonly Related[]>;
  /** Ids of memories with an open contradiction. */
  readonly inQuestion: ReadonlySet<string>;
}

/** Relation of a memory to the current work. */
interface Related {
  readonly entry: MemoryIndexEntry;
  readonly weight: number;
  /** True if it is directly about the work, not only about its surroundings or similar in wording. */
  readonly isClose: boolean;
  readonly reasons: readonly string[];
}

type RelevanceInput = Pick<Relevance, "signals" | "memoryIndexes" | "prediction" | "relevant" | "isKnown">;

export function scoreCandidates(input: RelevanceInput): Relevance {
  const near = findNear(input);
  const close = relate(input, near);
  const related = new Map<Role, Related[]>();
  for (const one of close.values()) {
    for (const role of one.entry.roles) {
      const known = related.get(role);
      if (known === undefined) related.set(role, [one]);
      else known.push(one);
    }
  }
  const closest = new TopK<Related>(MAX_CLOSEST, isCloser);
  for (const one of close.values()) if (!input.isKnown?.(one.entry)) closest.offer(one);
  const wantedFiles = [...filesAtHand(input.signals), ...input.prediction.files.map(({ path }) => path)];
  const open = input.memoryIndexes.flatMap(({ contradictions }) => contradictions);
  const inQuestion = new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
  const names = new Set([...wantedFiles, ...input.signals.names].map(fileName));
  const wantedNames = { names, key: [...names].join("\n") };
  return { ...input, wantedFiles, wantedNames, near, close, closest: closest.best, inQuestion, related };
}

function isCloser(a: Related, b: Related): boolean {
  return a.weight === b.weight ? isNewer(a.entry, b.entry) : a.weight > b.weight;
}

function relate(input: RelevanceInput, near: ReadonlyMap<string, NearestFile>): ReadonlyMap<string, Related> {
  const close = new Map<string, Related>();
  for (const [id, { entry, strength, reason }] of near)
    close.set(id, { entry, weight: strength, isClose: strength >= CLOSE, reasons: [reason] });
  for (const { type, id } of input.relevant) {
    const known = close.get(id);
    const entry = type === "memory" ? (known?.entry ?? findEntry(input, id)) : undefined;
    if (entry === undefined) continue;
    const reasons = [...(known?.reasons ?? []), "matches the message"];
    const weight = known?.weight ?? 0;
    close.set(id, { entry, weight: weight + FITS, isClose: weight >= CLOSE, reasons });
  }
  return close;
}

export function findEntry(
  { memoryIndexes }: Pick<Relevance, "memoryIndexes">,
  id: string,
): MemoryIndexEntry | undefined {
  for (const memoryIndex of memoryIndexes) {
    const entry = memoryIndex.get(id);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** Strength of a shared folder. It is lower for a folder that many memories name. */
function folderStrength(memoryIndex: MemoryIndex, folder: string): number {
  return memoryIndex.within(folder).length > Math.max(12, memoryIndex.size * 0.05) ? SAYS_FILE : NAMES_FOLDER;
}

/** True if so many memories name a file that it does not locate them. */
function isHub(count: number, { size }: MemoryIndex): boolean {
  return count > Math.max(4, size * 0.05);
}

/** True if so many memories have a word that it does not locate them. */
function isCommon(count: number, { size }: MemoryIndex): boolean {
  return count > Math.max(100, size * 0.02);
}

function findNear({ signals, memoryIndexes }: RelevanceInput): ReadonlyMap<string, NearestFile> {
  const near = new Map<string, NearestFile>();
  const note = (entries: Iterable<MemoryIndexEntry>, strength: number, reason: string): void => {
    for (const entry of entries) {
      // A memory without a role, such as a proposal in a conversation, is only found by a question.
      if (entry.roles.length > 0 && (near.get(entry.id)?.strength ?? 0) < strength)
        near.set(entry.id, { entry, strength, reason });
    }
  };
  const { file, folder, folderWords, fileWords, recentFiles, leftOff, sessionId, lastSession } = signals;
  for (const memoryIndex of memoryIndexes) {
    const noteWords = (words: readonly number[], strength: number, reason: string): void => {
      for (const word of words) {
        if (!isCommon(memoryIndex.countOf(word), memoryIndex)) note(memoryIndex.withWord(word), strength, reason);
      }
    };
    if (file !== undefined) note(memoryIndex.naming(file), NAMES_FILE, `names ${file}`);
    const before = new Set<MemoryIndexEntry>();
    for (const path of [...recentFiles, ...leftOff]) {
      const named = memoryIndex.naming(path);
      note(
        named,
        isHub(named.length, memoryIndex) ? SAYS_FOLDER : NAMES_RECENT,
        `names ${path}, which was used recently`,
      );
      note(
        named.filter((entry) => before.has(entry)),
        NAMES_SEVERAL_RECENT,
        "names several recently used files",
      );
      for (const entry of named) before.add(entry);
    }
    if (lastSession !== undefined) note(memoryIndex.ofSession(lastSession), OF_SESSION, "from the last session");
    if (sessionId !== undefined) note(memoryIndex.ofSession(sessionId), OF_SESSION, "from this session");
    if (folder) note(memoryIndex.within(folder), folderStrength(memoryIndex, folder), `names files of ${folder}`);
    noteWords(folderWords, SAYS_FOLDER, `speaks of ${folder}`);
    noteWords(fileWords, SAYS_FILE, `speaks of what ${file} is named for`);
  }
  return near;
}

/** A memory, a stored utterance or a file, with the reasons for its selection. */
export interface Member {
  readonly id: string;
  readonly entry?: MemoryIndexEntry;
  readonly utterance?: RecallHit;
  /** Path of a file that is likely next. */
  readonly file?: string;
  readonly reasons: readonly string[];
  /** True if its text includes the failure that is similar to the current errors. */
  readonly withFailure?: boolean;
}

/** A candidate of a rule for its tier. */
export interface Candidate {
  /** One memory, or the two of a contradiction. */
  readonly members: readonly Member[];
  /** Rounded, so that small fluctuations do not change the order. */
  readonly weight: number;
  /** Time for ties: newer candidates come first. */
  readonly at: number;
}

/** A rule of a tier. */
export interface NamedRule {
  /** Finds candidates, the highest weight first. */
  readonly find: (relevance: Relevance) => readonly Candidate[];
  /** True if it is filled before all others, even beyond the share of its tier. */
  readonly isFirst?: boolean;
}

const MAX_CANDIDATES = 40;
/** Weight of a memory that was stated more than once, below that of a related one. */
const REPEATED = 0.25;

export function candidateOf(entry: MemoryIndexEntry, weight: number, reasons: readonly string[]): Candidate {
  const { id, pinned, validFrom } = entry;
  return { members: [{ id, entry, reasons }], weight: weight + (pinned ? 0.5 : 0), at: validFrom };
}

/** Candidates with the highest weights. The order does not depend on the current time or on usage. */
export function rank(found: Iterable<Candidate>, most = MAX_CANDIDATES): readonly Candidate[] {
  const top = new TopK<Candidate>(most, isBefore);
  for (const candidate of found) top.offer(candidate);
  return top.best;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.weight !== b.weight) return a.weight > b.weight;
  if (a.at !== b.at) return a.at > b.at;
  return (a.members[0]?.id ?? "") > (b.members[0]?.id ?? "");
}

/** Memories of a role that are related to the current work. */
export function related(relevance: Relevance, role: Role, least = 1): readonly Candidate[] {
  const found = relevance.related.get(role)?.filter(({ weight }) => weight >= least) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role that are directly about the current work. */
export function aboutWork(relevance: Relevance, role: Role): readonly Candidate[] {
  const found = relevance.related.get(role)?.filter(({ isClose }) => isClose) ?? [];
  return rank(found.map(({ entry, weight, reasons }) => candidateOf(entry, weight, reasons)));
}

/** Memories of a role: those related to the current work, then repeated ones, then the newest. */
export function relatedAndNewest(relevance: Relevance, role: Role, reason: string): readonly Candidate[] {
  const newest = relevance.memoryIndexes.flatMap((memoryIndex) => memoryIndex.newest(role));
  const others = newest.filter(({ id }) => !relevance.close.has(id));
  return rank([
    ...related(relevance, role),
    ...others.map((entry) => candidateOf(entry, entry.isRepeated ? REPEATED : 0, [reason])),
  ]);
}

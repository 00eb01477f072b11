import type { MemoryService } from "../../memory/service/memory-service.ts";
import type { Fitting } from "../../memory/service/recall-memories.ts";
import type { Memory } from "../../ports/memory.ts";
import type { CatalogueEntry } from "../catalogue-entry.ts";
import type { Catalogues } from "../catalogues.ts";
import type { PredictedFile, PredictedMemory } from "../context-api.ts";
import { fileName } from "../file-paths.ts";
import type { KnownFitting } from "../known-fitting.ts";
import { isOf } from "../tiers/roles/is-preference.ts";
import type { BuiltIndex } from "./learn/build-index.ts";
import { hourOf, type ReadSignal } from "./signals/read-signal.ts";
import { weighUses } from "./use/weigh-uses.ts";

/** Where memories are looked up. */
export interface MemorySight {
  readonly memory: Pick<MemoryService, "getAll" | "fitting">;
  /** Memories by the files that they name, by kind and by person; without them, memories are found by their words alone. */
  readonly catalogues: Pick<Catalogues, "open"> | undefined;
  /** What was found to fit a text. */
  readonly fitting: KnownFitting;
}

/**
 * How likely a memory is of use for one reason alone. Nobody knows of enough memories what became of them to fit these
 * numbers; what becomes of a memory itself soon outweighs them.
 */
const LIKELY = {
  namesOpened: 0.5,
  namesRecent: 0.35,
  namesPredicted: 0.5,
  fitsError: 0.5,
  fitsBranch: 0.35,
  ofCollaborator: 0.4,
  atThisHour: 0.4,
  usedBefore: 0.8,
} as const;
/** Each next hit of a search, and each older file, is less likely by this. */
const FADING = 0.85;
/** As many times of being cited or ignored weigh as much as all that is told beforehand. */
const PRIOR = 4;
const LEAST = 0.05;
const MOST_FITTING = 8;
const MOST_RECENT = 5;
const LONGEST_QUESTION = 600;
const NEAR_HOURS = 1;
const OF_USES = { most: 40, decay: 10, smoothing: 0.7 };

interface Evidence {
  /** That it is of no use in spite of all that speaks for it. */
  unlikely: number;
  readonly reasons: string[];
}

/** Memories that are likely to be of use, the likeliest first. */
export async function predictMemories(
  signal: ReadSignal,
  files: readonly PredictedFile[],
  built: BuiltIndex,
  sight: MemorySight,
): Promise<readonly PredictedMemory[]> {
  const found = new Map<string, Evidence>();
  const note = (id: string, likely: number, reason: string): void => {
    const evidence = found.get(id) ?? { unlikely: 1, reasons: [] };
    evidence.unlikely *= 1 - likely;
    if (!evidence.reasons.includes(reason)) evidence.reasons.push(reason);
    found.set(id, evidence);
  };
  const { catalogues: entries, revision } = (await sight.catalogues?.open()) ?? { catalogues: [], revision: undefined };
  noteFiles(signal, files, entries, note);
  noteCollaborator(signal, entries, note);
  noteUsed(signal, built, note);
  await noteFitting(signal, (text) => findFitting(text, revision, sight), note);
  const wanted = [...found].filter(([, { unlikely }]) => 1 - unlikely >= LEAST);
  const workflows = entries.flatMap((catalogue) => catalogue.newest("workflow"));
  const ids = [...new Set([...wanted.map(([id]) => id), ...workflows.map(({ id }) => id)])];
  const memories = await sight.memory.getAll(ids);
  for (const memory of memories) noteHour(signal, memory, note);
  return memories
    .filter(({ validTo, archivedAt }) => validTo === undefined && archivedAt === undefined)
    .flatMap((memory) => tell(memory, found.get(memory.id)))
    .sort((a, b) => b.confidence - a.confidence || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, signal.limit);
}

type Note = (id: string, likely: number, reason: string) => void;
type Lookup = Pick<Awaited<ReturnType<Catalogues["open"]>>["catalogues"][number], "naming" | "newest" | "ofRole">;

function noteFiles(
  { file, recentFiles }: ReadSignal,
  files: readonly PredictedFile[],
  entries: readonly Lookup[],
  note: Note,
): void {
  const named = new Map<string, { readonly likely: number; readonly reason: string }>();
  for (const { path, confidence } of files) {
    named.set(path, {
      likely: LIKELY.namesPredicted * confidence,
      reason: `names ${fileName(path)}, which is likely next`,
    });
  }
  recentFiles.slice(-MOST_RECENT).forEach((path, at, all) => {
    const likely = LIKELY.namesRecent * FADING ** (all.length - 1 - at);
    named.set(path, { likely, reason: `names ${fileName(path)}, which was at hand` });
  });
  if (file !== undefined) named.set(file, { likely: LIKELY.namesOpened, reason: `names ${fileName(file)}` });
  // Of the files that a memory names, the likeliest speaks for it.
  const best = new Map<string, { readonly likely: number; readonly reason: string }>();
  for (const [path, one] of named) {
    for (const { id } of entries.flatMap((catalogue) => catalogue.naming(path))) {
      if (one.likely > (best.get(id)?.likely ?? 0)) best.set(id, one);
    }
  }
  for (const [id, { likely, reason }] of best) note(id, likely, reason);
}

function noteCollaborator({ collaborator }: ReadSignal, entries: readonly Lookup[], note: Note): void {
  if (collaborator === undefined) return;
  const isTheirs = (entry: CatalogueEntry): boolean => isOf(entry, collaborator);
  for (const catalogue of entries) {
    for (const entry of catalogue.ofRole("preference")) {
      if (isTheirs(entry)) note(entry.id, LIKELY.ofCollaborator, `says what ${collaborator} prefers`);
    }
  }
}

/** Memories that were of use with the same file, or when the same was so. */
function noteUsed({ file, signals }: ReadSignal, { index }: BuiltIndex, note: Note): void {
  const id = file === undefined ? undefined : index.idOf(file);
  const uses = [
    ...(id === undefined ? [] : [index.usesOf(id)]),
    ...signals.map((signal) => index.usesOfSignal(signal)),
  ];
  const shares = new Map<string, number>();
  for (const some of uses) {
    for (const { basket, weight } of weighUses(index, some, OF_USES)) {
      for (const memory of basket.memories) shares.set(memory, (shares.get(memory) ?? 0) + weight / uses.length);
    }
  }
  for (const [memory, share] of shares)
    note(memory, LIKELY.usedBefore * Math.min(1, share), "was of use in the same place before");
}

/** What fits the error, and what fits the words of the branch. */
async function noteFitting(
  { error, words }: ReadSignal,
  find: (text: string) => Promise<Fitting>,
  note: Note,
): Promise<void> {
  const questions = [
    { text: error?.slice(0, LONGEST_QUESTION) ?? "", likely: LIKELY.fitsError, reason: "fits the error" },
    { text: words.join(" "), likely: LIKELY.fitsBranch, reason: "fits the branch" },
  ];
  for (const { text, likely, reason } of questions) {
    if (text.trim() === "") continue;
    const { hits } = await find(text);
    for (const [at, { id }] of hits.entries()) note(id, likely * FADING ** at, reason);
  }
}

function findFitting(text: string, revision: string | undefined, { memory, fitting }: MemorySight): Promise<Fitting> {
  const find = () => memory.fitting(text, { limit: MOST_FITTING, from: "memories" });
  return revision === undefined ? find() : fitting.find(text, revision, find);
}

/** A workflow that was seen at this hour of the day before, the more often the likelier. */
function noteHour({ at }: ReadSignal, { id, kind, source, earlierSources = [] }: Memory, note: Note): void {
  if (kind !== "workflow") return;
  const hours = [source, ...earlierSources].flatMap((one) => (one.at === undefined ? [] : [hourOf(one.at)]));
  const near = hours.filter(
    (hour) => Math.min(Math.abs(hour - hourOf(at)), 24 - Math.abs(hour - hourOf(at))) <= NEAR_HOURS,
  );
  if (near.length > 0) note(id, (LIKELY.atThisHour * near.length) / (hours.length + 1), "is done at this hour");
}

/** What became of a memory before tells more of it than why it was found. */
function tell(memory: Memory, evidence: Evidence | undefined): readonly PredictedMemory[] {
  if (evidence === undefined) return [];
  const { cited, ignored } = memory.usage;
  const confidence = ((1 - evidence.unlikely) * PRIOR + cited) / (PRIOR + cited + ignored);
  return confidence < LEAST ? [] : [{ memory, confidence, reasons: evidence.reasons }];
}

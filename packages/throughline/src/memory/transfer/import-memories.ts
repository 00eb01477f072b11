import { checkOptions, FLAG, FUNCTION, OBJECT, type OptionRules } from "../../errors/check-options.ts";
import { omitUndefined, sameJson } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { mapYielding, runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, MemorySource, Utterance } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { readRememberRequest, stageRememberAll } from "../remember/remember.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { spaceOf } from "../space/spaces.ts";
import { changeSpace, SpaceDraft, writeSpace } from "../space/write-changes.ts";
import { exportSteps, type MemoryExport } from "./memory-export.ts";
import { readPastedMemories, type SkippedPaste } from "./read-pasted.ts";

/** Options of `tl.memory.import`. */
export interface ImportOptions {
  /** Returns the result of the import without writing anything. Default: false. */
  readonly dryRun?: boolean;
  /** Cancels the import before it is written: then nothing is imported, and the promise rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Called for each fact of a pasted list when it was compared with the stored ones. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

const IMPORT_RULES: OptionRules<ImportOptions> = { dryRun: FLAG, onProgress: FUNCTION, signal: OBJECT };

/** Progress of `tl.memory.import`. */
export interface ImportProgress {
  /** Number of compared memories. */
  readonly done: number;
  /** Number of memories in the import. */
  readonly of: number;
}

/** Result of an import, or of a dry run. */
export interface Imported {
  readonly format: "throughline-memory" | "pasted";
  /** Number of new memories. */
  readonly added: number;
  /** Number of memories that replaced an older version with the same id. */
  readonly updated: number;
  /** Number of memories that were already stored. */
  readonly unchanged: number;
  /** Number of new turns. */
  readonly turns: number;
  /** Skipped items with the reason, as readable lines. */
  readonly skipped: readonly string[];
  /** Texts of the facts found in a pasted list. */
  readonly proposed?: readonly string[];
}

/**
 * Imports a Throughline export, or a pasted list of facts in the format of ChatGPT or Claude. A second import of the
 * same data changes nothing.
 *
 * @throws InvalidImportError if the data is a damaged export; then nothing is imported.
 * @throws The reason of `signal` if the import is cancelled; then nothing is imported.
 */
export async function importMemories(
  context: MemoryContext,
  search: SearchSpaces,
  data: unknown,
  options: ImportOptions = {},
): Promise<Imported> {
  // A text that starts with a brace is an export, so a damaged one is reported instead of read as a list.
  const isPasted = typeof data === "string" && !data.trimStart().startsWith("{");
  checkOptions("memory.import", options, IMPORT_RULES);
  options.signal?.throwIfAborted();
  if (isPasted) return importPasted(context, search, data, options);
  return importExport(context, await runStepsYielding(exportSteps(data)), options);
}

async function importExport(context: MemoryContext, exported: MemoryExport, options: ImportOptions): Promise<Imported> {
  const skipped: string[] = [];
  const bySpace = Map.groupBy(exported.memories, (memory) => targetSpace(context, memory, skipped));
  const own = spaceOf("user-private", context);
  let [added, updated, unchanged, turns] = [0, 0, 0, 0];
  const spaces = [...new Set([own, ...bySpace.keys()])].filter((space) => space !== undefined);
  for (const [at, space] of spaces.entries()) {
    const memories = await mapYielding(bySpace.get(space) ?? [], (memory) => ownMemory(context, memory));
    const ids = new Set(memories.map(({ id }) => id));
    const contradictions = exported.contradictions.filter(
      ({ memoryA, memoryB }) => ids.has(memoryA) && ids.has(memoryB),
    );
    const turnsHere =
      space === own ? exported.turns.map((turn): Utterance => ({ ...turn, owner: context.userId })) : [];
    const known = { memory: ids, contradiction: new Set(contradictions.map(idOf)), turn: new Set(turnsHere.map(idOf)) };
    const content = {
      ...exported,
      memories,
      turns: turnsHere,
      contradictions,
      journal: (exported.journal ?? []).flatMap((entry) => {
        const changes = entry.changes.filter(({ kind, id }) => known[kind].has(id));
        return changes.length === 0 ? [] : [{ ...entry, changes }];
      }),
    };
    // Cancelled as a whole or not at all: after the first space is written, the others follow.
    const plan = await importSpace(context, space, content, at === 0 ? options : { ...options, signal: undefined });
    added += plan.memories.toAdd.length;
    updated += plan.memories.conflicting.filter(({ keep }) => keep === "imported").length;
    unchanged += plan.memories.unchanged.length;
    turns += plan.turns.toAdd.length;
  }
  return { format: "throughline-memory", added, updated, unchanged, turns, skipped };
}

async function importSpace(
  context: MemoryContext,
  space: string,
  content: MemoryExport,
  { dryRun = false, signal }: Omit<ImportOptions, "signal"> & { readonly signal?: AbortSignal | undefined },
): Promise<ImportPlan> {
  const plan = async (): Promise<ImportPlan> => {
    const planned = await runStepsYielding(planImport(await existing(context, space, content), content));
    signal?.throwIfAborted();
    return planned;
  };
  if (dryRun) return plan();
  const { result } = await changeSpace(context, space, "import", async () => {
    const planned = await plan();
    return {
      memories: itemsToWrite(planned.memories),
      contradictions: itemsToWrite(planned.contradictions),
      past: planned.journal.toAdd,
      turns: planned.turns.toAdd.map((turn) => ({ turn, facts: [] })),
      marked: itemsToWrite({ ...planned.turns, toAdd: [] }),
      result: planned,
    };
  });
  return result;
}

async function existing({ memoryStore }: MemoryContext, space: string, content: MemoryExport) {
  const [memories, turns, contradictions, journal] = await Promise.all([
    memoryStore.get(space, "memories", content.memories.map(idOf)),
    memoryStore.get(space, "turns", content.turns.map(idOf)),
    memoryStore.get(space, "contradictions", content.contradictions.map(idOf)),
    memoryStore.get(space, "journal", (content.journal ?? []).map(idOf)),
  ]);
  return {
    memories: byId(memories),
    turns: byId(turns),
    contradictions: byId(contradictions),
    journal: byId(journal),
  };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** Space to import a memory into: private memories to the caller, shared ones to their project if it is visible. */
function targetSpace(context: MemoryContext, { id, scope, projectId }: Memory, skipped: string[]): string | undefined {
  if (scope !== "project-shared" || projectId === context.projectId) return spaceOf(scope, context);
  if (context.allProjects !== undefined && projectId !== undefined) return spaceOf(scope, { ...context, projectId });
  skipped.push(`Memory ${id} is shared with project ${projectId ?? "?"}: import it from there.`);
  return undefined;
}

function ownMemory({ userId }: MemoryContext, memory: Memory): Memory {
  const clean = withoutInvisible(memory);
  return memory.scope === "user-private" ? { ...clean, owner: userId } : clean;
}

/** Removes invisible characters from all texts of a memory, because exports are untrusted. Ids stay unchanged. */
function withoutInvisible(memory: Memory): Memory {
  const { full, summary, compressed, index } = memory.levels;
  const strip = (text: string | undefined) => (text === undefined ? undefined : stripInvisible(text));
  const place = (source: MemorySource) =>
    omitUndefined({ ...source, speaker: strip(source.speaker), quote: strip(source.quote) });
  return omitUndefined({
    ...memory,
    levels: {
      full: stripInvisible(full),
      summary: stripInvisible(summary),
      compressed: stripInvisible(compressed),
      index: stripInvisible(index),
    },
    key: strip(memory.key),
    value: strip(memory.value),
    subject: strip(memory.subject),
    aliases: memory.aliases.map(stripInvisible),
    source: place(memory.source),
    earlierSources: memory.earlierSources?.map(place),
    artifacts: memory.artifacts.map(({ type, ref }) => ({ type, ref: stripInvisible(ref) })),
  });
}

async function importPasted(
  context: MemoryContext,
  search: SearchSpaces,
  text: string,
  { dryRun = false, signal, onProgress }: ImportOptions,
): Promise<Imported> {
  const { facts, skipped } = readPastedMemories(text);
  await yieldToEventLoop();
  const why = skipped.map(
    ({ line, reason, text: left }: SkippedPaste) => `line ${line}: ${reason}${left ? ` – ${left}` : ""}`,
  );
  const proposed = facts.map((fact) => fact.text);
  const requests = await mapYielding(facts, ({ text: fact, category, at, quote }) => {
    const source = omitUndefined({ at, quote, messageId: `pasted:${fact}`, sessionId: "pasted" });
    return readRememberRequest(context, { text: fact, category, source });
  });
  const space = spaceOf("user-private", context);
  const stage = (draft: SpaceDraft) => stageRememberAll(draft, search, withProgress(requests, { signal, onProgress }));
  const outcomes = dryRun ? await stage(new SpaceDraft(context, space)) : await writeSpace(context, space, stage);
  const unchanged = outcomes.filter(({ outcome }) => outcome === "merged").length;
  return {
    format: "pasted",
    added: outcomes.length - unchanged,
    updated: 0,
    unchanged,
    turns: 0,
    skipped: why,
    proposed,
  };
}

/**
 * Passes requests on one by one: reports each when the next one is asked for, and throws if the import is cancelled.
 */
function* withProgress<T>(
  requests: readonly T[],
  { signal, onProgress }: { readonly [Key in "signal" | "onProgress"]: ImportOptions[Key] | undefined },
): Generator<T> {
  for (const [at, request] of requests.entries()) {
    signal?.throwIfAborted();
    yield request;
    onProgress?.({ done: at + 1, of: requests.length });
  }
  signal?.throwIfAborted();
}

/** Stored items with ids of the export. Ids without an item are new. */
export interface ExistingById {
  readonly memories?: ReadonlyMap<string, Memory>;
  readonly turns?: ReadonlyMap<string, Utterance>;
  readonly contradictions?: ReadonlyMap<string, Contradiction>;
  readonly journal?: ReadonlyMap<string, JournalEntry>;
}

/** An id with different content in the store and in the export. */
interface ImportConflict<T> {
  readonly existing: T;
  readonly imported: T;
  /** Version that the import keeps. */
  readonly keep: "existing" | "imported";
  /** One sentence for a person. */
  readonly reason: string;
}

/** Planned outcome for the items of one kind. */
interface PlannedImport<T> {
  readonly toAdd: readonly T[];
  /** Imported items that are equal to the stored ones. */
  readonly unchanged: readonly T[];
  readonly conflicting: readonly ImportConflict<T>[];
}

interface ImportPlan {
  readonly memories: PlannedImport<Memory>;
  readonly turns: PlannedImport<Utterance>;
  readonly contradictions: PlannedImport<Contradiction>;
  readonly journal: PlannedImport<JournalEntry>;
}

/**
 * Plans the changes of an import. It removes nothing, and a second import of the same export changes nothing.
 *
 * If a stored item has the same id and other content, the import keeps:
 * - for a memory: the one with the later `lastSeenAt`, then the one that ended or was archived later (a current memory
 *   can
 *   end, but an ended one does not become current), then the stored one. Usage counts are ignored;
 * - for a turn: the stored one, because its text is never rewritten. Marks of outdated spans are imported if the stored
 *   turn
 *   has none;
 * - for a contradiction: a resolved one before an open one, then the later resolution, then the stored one;
 * - for a journal entry: the stored one.
 *
 * Yields between items, so that the caller can let other tasks run.
 */
export function* planImport(existing: ExistingById, exported: MemoryExport): Generator<undefined, ImportPlan> {
  return {
    memories: yield* plan(exported.memories, existing.memories, isSameMemory, judgeMemory),
    turns: yield* plan(exported.turns, existing.turns, sameJson, judgeTurn),
    contradictions: yield* plan(exported.contradictions, existing.contradictions, sameJson, judgeContradiction),
    journal: yield* plan(exported.journal ?? [], existing.journal, sameJson, () =>
      keepExisting("Journal entries are not rewritten."),
    ),
  };
}

/** Items that the import writes: new ones, and conflicting ones that win over the stored version. */
export function itemsToWrite<T>({ toAdd, conflicting }: PlannedImport<T>): readonly T[] {
  return [...toAdd, ...conflicting.flatMap(({ keep, imported }) => (keep === "imported" ? [imported] : []))];
}

const NEITHER_NEWER = "Neither is newer; the stored one is kept.";

type Verdict = Pick<ImportConflict<unknown>, "keep" | "reason">;

function* plan<T extends { readonly id: string }>(
  items: readonly T[],
  existing: ReadonlyMap<string, T> | undefined,
  isSame: (a: T, b: T) => boolean,
  judge: (existing: T, imported: T) => Verdict,
): Generator<undefined, PlannedImport<T>> {
  const toAdd: T[] = [];
  const unchanged: T[] = [];
  const conflicting: ImportConflict<T>[] = [];
  for (const imported of items) {
    const known = existing?.get(imported.id);
    if (known === undefined) toAdd.push(imported);
    else if (isSame(known, imported)) unchanged.push(imported);
    else conflicting.push({ existing: known, imported, ...judge(known, imported) });
    yield;
  }
  return { toAdd, unchanged, conflicting };
}

/** Compares content only: usage counts and search terms differ between stores. */
function isSameMemory(a: Memory, b: Memory): boolean {
  const [{ usage: _, heard: __, ...left }, { usage: ___, heard: ____, ...right }] = [a, b];
  return sameJson(left, right);
}

function judgeMemory(existing: Memory, imported: Memory): Verdict {
  if (imported.lastSeenAt !== existing.lastSeenAt) {
    const reason = "It was seen later.";
    return imported.lastSeenAt > existing.lastSeenAt ? keepImported(reason) : keepExisting(reason);
  }
  const [ended, knownEnd] = [endOf(imported), endOf(existing)];
  if (ended !== knownEnd) return ended > knownEnd ? keepImported("It ended later.") : keepExisting("It ended later.");
  return keepExisting(NEITHER_NEWER);
}

/** Time at which a memory ended or was archived; -Infinity for a current memory. */
function endOf({ validTo, archivedAt }: Memory): number {
  return Math.max(validTo ?? Number.NEGATIVE_INFINITY, archivedAt ?? Number.NEGATIVE_INFINITY);
}

function judgeTurn(existing: Utterance, imported: Utterance): Verdict {
  const isMarked = existing.staleSince !== undefined || existing.staleSpans !== undefined;
  const { staleSince: _, staleSpans: __, marks: ___, ...said } = imported;
  return !isMarked && sameJson(said, existing)
    ? keepImported("It has marks of outdated text.")
    : keepExisting("Stored turns are not rewritten.");
}

function judgeContradiction(existing: Contradiction, imported: Contradiction): Verdict {
  const [decided, known] = [decidedAt(imported), decidedAt(existing)];
  if (decided === known) return keepExisting(NEITHER_NEWER);
  return decided > known ? keepImported("It was resolved later.") : keepExisting("It was resolved later.");
}

function decidedAt({ status, resolvedAt }: Contradiction): number {
  return status === "open" ? Number.NEGATIVE_INFINITY : (resolvedAt ?? 0);
}

function keepExisting(reason: string): Verdict {
  return { keep: "existing", reason };
}

function keepImported(reason: string): Verdict {
  return { keep: "imported", reason };
}

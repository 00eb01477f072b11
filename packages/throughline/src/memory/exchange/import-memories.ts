import { checkOptions } from "../../errors/check-options.ts";
import { omitUndefined } from "../../internal/json.ts";
import { stripInvisible } from "../../internal/text.ts";
import { mapYielding, runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Memory, MemorySource, Utterance } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { IMPORT_RULES } from "../memory-option-rules.ts";
import { readRememberRequest, stageRememberAll } from "../remember/remember.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { spaceOf } from "../space/spaces.ts";
import { changeSpace, SpaceDraft, writeSpace } from "../space/write-changes.ts";
import type { MemoryExport } from "./memory-export.ts";
import { type ImportPlan, itemsToWrite, planImport } from "./plan-import.ts";
import { exportSteps } from "./read-export.ts";
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

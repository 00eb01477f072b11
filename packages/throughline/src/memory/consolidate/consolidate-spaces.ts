import { checkOptions, FLAG, FUNCTION, OBJECT, type OptionRules } from "../../errors/check-options.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { mapYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { unpackVector } from "../search/packed-vector.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { readEntries, writableSpaces } from "../space/spaces.ts";
import { changeSpace } from "../space/write-changes.ts";
import { allMemories } from "../transfer/export-memories.ts";
import { digestMemory, restoredIds } from "../undo/journal-entry.ts";
import type { ForgetReason } from "./forget-memories.ts";
import { judgeNewFacts, type ModelLimits, summarizeOld } from "./judge-new-facts.ts";
import type { FactVector } from "./merge-duplicates.ts";
import { type ConsolidationPlan, type ConsolidationProgress, planConsolidation } from "./plan-consolidation.ts";

/** A change that a consolidation would make. */
export interface PlannedChange {
  readonly action: "merge" | "archive" | "contradiction" | "shorten";
  /** Id of the memory that changes; of a contradiction, the older one. */
  readonly id: string;
  /** Id of the memory that it is merged into or contradicts. */
  readonly other?: string;
  /** Reason for archiving it, or for the contradiction. */
  readonly reason?: ForgetReason | string;
}

const WORK = "consolidate";
/** Milliseconds after which the lease of a killed process expires. */
const LEASE = 10 * 60 * 1_000;
/** Milliseconds per space that the model may take, well below the lease. */
const MODEL_TIME = 5 * 60 * 1_000;
const PAGE = 2_000;
/** Number of journal entries to read, to find restored memories and the last consolidation. */
const JOURNAL = 2_000;
/** Maximum number of planned changes that a dry run returns. */
const MAX_PREVIEW = 1_000;

/** Options of `tl.memory.consolidate`. */
export interface ConsolidateOptions {
  /** Returns the counts of a consolidation without writing anything. Default: false. */
  readonly dryRun?: boolean;
  /** Called after each step, separately for private, project and system memories. */
  readonly onProgress?: (progress: ConsolidationProgress) => void;
  /** Stops before the next of these groups, and stops asking the model at once. */
  readonly signal?: AbortSignal;
}

const CONSOLIDATE_RULES: OptionRules<ConsolidateOptions> = { dryRun: FLAG, onProgress: FUNCTION, signal: OBJECT };

/** Counts of a consolidation, or of a dry run. */
export interface Consolidated {
  /** Number of memories that were merged into another one. */
  readonly deduped: number;
  /** Number of old memories that are now returned at a shorter level. */
  readonly compressed: number;
  /** Number of memories whose confidence was adjusted to their use. */
  readonly adjusted: number;
  /** Number of new contradictions. */
  readonly contradictionsFound: number;
  /** Number of archived memories. */
  readonly forgotten: number;
  /** Number of new links between memories. */
  readonly linked: number;
  /** Journal entry that undoes the whole consolidation. Missing if nothing changed. */
  readonly journalId?: string;
  /** Planned changes of a dry run: merges, archived memories, contradictions and shortened ones, at most 1,000. */
  readonly changes?: readonly PlannedChange[];
}

/**
 * Consolidates all spaces that the caller may write to. Each space is written in one commit, so an interrupted run
 * leaves a space either consolidated or unchanged. Memories that change during the run are left for the next one.
 *
 * @throws StoreError `busy` if another process is consolidating the space.
 */
export async function consolidateSpaces(
  context: MemoryContext,
  search: SearchSpaces,
  options: ConsolidateOptions = {},
): Promise<Consolidated> {
  checkOptions("memory.consolidate", options, CONSOLIDATE_RULES);
  const journalId = newId("jrn", context.clock.now());
  const totals = { deduped: 0, compressed: 0, adjusted: 0, contradictionsFound: 0, forgotten: 0, linked: 0 };
  const changes: PlannedChange[] = [];
  let isChanged = false;
  for (const space of writableSpaces(context)) {
    if (options.signal?.aborted) break;
    const { plan, isWritten } = await withLease(context, space, options.dryRun === true, () =>
      consolidateSpace(context, search, { space, journalId, ...options }),
    );
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += plan[name];
    isChanged ||= isWritten;
    if (options.dryRun === true) changes.push(...plannedChanges(plan).slice(0, MAX_PREVIEW - changes.length));
    if (options.dryRun !== true) await search.pack(space);
  }
  if (options.dryRun === true) return { ...totals, changes };
  return isChanged ? { ...totals, journalId } : totals;
}

interface Outcome {
  readonly plan: ConsolidationPlan;
  readonly isWritten: boolean;
}

async function consolidateSpace(
  context: MemoryContext,
  search: SearchSpaces,
  { space, journalId, dryRun = false, onProgress, signal }: ConsolidateOptions & { space: string; journalId: string },
): Promise<Outcome> {
  const memories = await allMemories(context, space);
  const limits = { signal, until: context.clock.now() + MODEL_TIME };
  const plan = await planSpace(context, search, space, memories, { onProgress, limits });
  if (dryRun) return { plan, isWritten: false };
  const before = new Map(memories.map((memory) => [memory.id, memory]));
  const changed = await summarizeOld(context, before, plan.memories, limits);
  const { written } = await changeSpace(
    context,
    space,
    WORK,
    async () => {
      const ids = [...changed.map(({ id }) => id), ...plan.contradictions.flatMap(sidesOf)];
      const now = new Map((await context.memoryStore.get(space, "memories", ids)).map((memory) => [memory.id, memory]));
      const same = await mapYielding(now, ([id, memory]) => (isSame(before.get(id), memory) ? [id] : []));
      const untouched = new Set(same.flat());
      const isUntouched = (id: string): boolean => untouched.has(id);
      return {
        memories: changed.flatMap((memory) => {
          const usage = now.get(memory.id)?.usage;
          return usage !== undefined && isUntouched(memory.id) ? [{ ...memory, usage }] : [];
        }),
        contradictions: plan.contradictions.filter((one) => sidesOf(one).every(isUntouched)),
        result: undefined,
      };
    },
    journalId,
  );
  return { plan, isWritten: written.journalId !== undefined };
}

function sidesOf({ memoryA, memoryB }: { readonly memoryA: string; readonly memoryB: string }): readonly string[] {
  return [memoryA, memoryB];
}

function isSame(before: Memory | undefined, now: Memory): boolean {
  return before !== undefined && digestMemory(before) === digestMemory(now);
}

async function planSpace(
  context: MemoryContext,
  search: SearchSpaces,
  space: string,
  memories: readonly Memory[],
  { onProgress, limits }: { readonly onProgress: ConsolidateOptions["onProgress"]; readonly limits: ModelLimits },
): Promise<ConsolidationPlan> {
  const { memoryStore, clock } = context;
  const now = clock.now();
  const known = await memoryStore.list(space, "contradictions");
  const journal = await memoryStore.list(space, "journal", { limit: JOURNAL });
  const since = journal.find(({ action }) => action === WORK)?.at;
  const turns = await sourceTurns(context, space, memories);
  const plan = await planConsolidation(memories, known, {
    now,
    newId: () => newId("con", now),
    vectors: await factVectors(context, space, memories),
    hasStoredTurn: ({ source }) => turns.has(`${source.sessionId}\n${source.messageId}`),
    restoredIds: restoredIds(journal),
    ...(since !== undefined && { since }),
    ...(onProgress && { onProgress }),
  });
  return judgeNewFacts(context, search, plan, { space, memories, known, since: since ?? 0, limits });
}

/** Vectors of facts, by memory id. Only vectors of the current embedder. */
export async function factVectors(
  { memoryStore, embedder }: MemoryContext,
  space: string,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, FactVector>> {
  const facts = new Set(memories.filter(({ kind }) => kind === "fact").map(({ id }) => id));
  const vectors = new Map<string, FactVector>();
  for await (const page of readEntries(memoryStore, space)) {
    for (const { id, vector, embedder: by } of page) {
      if (vector !== undefined && by === embedder.name && facts.has(id)) vectors.set(id, unpackVector(vector).high);
    }
    await yieldToEventLoop();
  }
  return vectors;
}

/** The stored source turns of memories, by session and message. */
export async function sourceTurns(
  { memoryStore }: MemoryContext,
  space: string,
  memories: readonly Memory[],
): Promise<ReadonlyMap<string, Utterance>> {
  const ids = memories.flatMap(({ source: { sessionId, messageId } }) =>
    sessionId === undefined || messageId === undefined ? [] : [messageId, `${sessionId}/${messageId}`],
  );
  const found = new Map<string, Utterance>();
  for (let start = 0; start < ids.length; start += PAGE) {
    const turns = await memoryStore.get(space, "turns", ids.slice(start, start + PAGE));
    for (const turn of turns) found.set(`${turn.sessionId}\n${turn.messageId ?? turn.id}`, turn);
  }
  return found;
}

/** Runs `work` under the lease of the space, because two runs would plan the same changes. A dry run needs no lease. */
async function withLease<T>(
  { memoryStore }: MemoryContext,
  space: string,
  dryRun: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (dryRun) return work();
  const holder = newId("jrn", 0);
  if (!(await memoryStore.lease(space, WORK, holder, LEASE))) {
    throw new StoreError("busy", `Could not consolidate ${space}: another process is consolidating it.`);
  }
  try {
    return await work();
  } finally {
    await memoryStore.lease(space, WORK, holder, 0);
  }
}

/** The changes of a plan that a person can judge, without links and adjusted confidences. */
function plannedChanges({ merged, reasons, contradictions, memories }: ConsolidationPlan): PlannedChange[] {
  const shortened = memories.filter(({ id, servedLevel, archivedAt }) => {
    return servedLevel !== undefined && archivedAt === undefined && !merged.has(id);
  });
  return [
    ...[...merged].map(([id, other]) => ({ action: "merge", id, other }) as const),
    ...[...reasons].map(([id, reason]) => ({ action: "archive", id, reason }) as const),
    ...contradictions.map(({ memoryA, memoryB, reason }) => {
      return { action: "contradiction", id: memoryA, other: memoryB, reason } as const;
    }),
    ...shortened.map(({ id, servedLevel }) => omitUndefined({ action: "shorten", id, reason: servedLevel } as const)),
  ];
}

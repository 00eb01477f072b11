import {
  type Ingested,
  type IngestInput,
  type Memory,
  type MemoryPatch,
  type MemoryService,
  NotFoundError,
  type Remembered,
  type RememberInput,
} from "throughline";
import { type InterruptedMove, resumeUpdate } from "throughline/internal/engine";
import { isRecord, omitUndefined } from "throughline/internal/util";
import type { Utterance } from "throughline/memory";
import type { ErasureReport } from "throughline/store";
import { notesOf, once, type StoreWrite, stableRequestId, stepwise } from "../middleware/idempotent-steps.ts";

// Memory changes that a request with an Idempotency-Key makes exactly once, even if its server crashes in between.

export function rememberOnce(memory: MemoryService, input: RememberInput): Promise<Remembered> {
  return once("remember", () => memory.remember(input), rememberedBy);
}

export function forgetOnce(memory: MemoryService, id: string): Promise<Memory> {
  return once(
    "forget",
    () => memory.forget(id),
    (write) => memoryIn(write, id),
  );
}

/** The memory with this id, as the commit writes it. */
function memoryIn(write: StoreWrite, id: string): Memory | undefined {
  if (write.op !== "memories") return undefined;
  return write.commit.memories?.find(({ memory }) => memory.id === id)?.memory;
}

function rememberedBy(write: StoreWrite): Remembered | undefined {
  if (write.op !== "memories" || !isRecord(write.commit.result) || !isRecord(write.commit.result.memory))
    return undefined;
  const remembered = write.commit.result as unknown as Remembered;
  return { ...remembered, memory: memoryIn(write, remembered.memory.id) ?? remembered.memory };
}

/** The turns and memories of a commit that ingests a batch. */
function ingestedBy(write: StoreWrite): Ingested | undefined {
  const result = write.op === "memories" ? write.commit.result : undefined;
  if (!isRecord(result) || !Array.isArray(result.turns)) return undefined;
  const { turns, memories } = result as {
    readonly turns: readonly Utterance[];
    readonly memories: readonly Remembered[];
  };
  return { turns: turns.map(({ id }) => id), memories };
}

/**
 * Each batch of messages is one commit. A retry continues after the last batch of the first attempt: messages without
 * an id get one that is the same in every attempt.
 */
export async function ingestOnce(memory: MemoryService, { messages, ...input }: IngestInput): Promise<Ingested> {
  const named = messages.map((message, at) => omitUndefined({ ...message, id: message.id ?? stableRequestId(at) }));
  const earlier = notesOf<Ingested>("ingest");
  const ingested = await stepwise("ingest", () => memory.ingest({ ...input, messages: named }), ingestedBy);
  return {
    turns: [...earlier.flatMap(({ turns }) => turns), ...ingested.turns],
    memories: [...earlier.flatMap(({ memories }) => memories), ...ingested.memories],
  };
}

/**
 * Changing the scope of a memory takes two commits: it is written to the new scope under another id, then archived in
 * the old one.
 */
export async function updateOnce(memory: MemoryService, id: string, patch: MemoryPatch): Promise<Memory> {
  const [done, last] = notesOf<InterruptedMove & { readonly isDone: boolean }>("update").toReversed();
  if (done?.isDone) return last?.memory ?? done.memory;
  return stepwise(
    "update",
    () => resumeUpdate(memory, id, patch, done),
    (write) => {
      if (write.op !== "memories") return undefined;
      const changed = memoryIn(write, id) ?? (write.commit.result as Memory);
      return { memory: changed, journalId: write.commit.journal?.at(-1)?.id, isDone: changed.id === id };
    },
  );
}

interface PurgeNote {
  readonly scope: Memory["scope"];
  readonly erased: ErasureReport;
}

/** Each space is erased in its own transaction. A retry erases only the remaining spaces. */
export async function purgeOnce(memory: MemoryService, id: string): Promise<PurgeNote> {
  const earlier = notesOf<PurgeNote>("purge");
  const scope = earlier[0]?.scope ?? (await memory.get(id))?.scope ?? "user-private";
  const purge = stepwise(
    "purge",
    () => memory.purge(id),
    (write, erased) => (write.op === "erase" ? { scope, erased } : undefined),
  );
  const last = await purge.catch((error: unknown) => {
    // The earlier attempt erased it.
    if (earlier.length > 0 && error instanceof NotFoundError) return undefined;
    throw error;
  });
  const reports = [...earlier.map(({ erased }) => erased), ...(last === undefined ? [] : [last])];
  return { scope, erased: reports.reduce(sumReports) };
}

function sumReports(a: ErasureReport, b: ErasureReport): ErasureReport {
  return {
    memories: a.memories + b.memories,
    turns: a.turns + b.turns,
    contradictions: a.contradictions + b.contradictions,
    journalChanges: a.journalChanges + b.journalChanges,
    judgements: a.judgements + b.judgements,
  };
}

export async function countOnce(step: string, count: () => Promise<void>): Promise<void> {
  await once(
    step,
    () => count().then(() => true),
    ({ op }) => op === "use" || undefined,
  );
}

import type { Contradiction, Memory } from "../ports/memory.ts";
import { type Attributes, type Telemetry, withSpan } from "../telemetry/with-span.ts";
import type { Consolidated } from "./consolidate/consolidate-spaces.ts";
import type { Shared } from "./consolidate/share-facts.ts";
import type { Ingested, IngestInput, RecallHit, Remembered } from "./memory-api.ts";
import type { MemoryContext } from "./memory-context.ts";
import { spaceOf } from "./space/spaces.ts";
import type { Imported } from "./transfer/import-memories.ts";
import type { Undone } from "./undo/undo-entry.ts";

/** Names of memory operations in the GenAI semantic conventions. */
type GenAiOperation = "delete_memory" | "search_memory" | "update_memory" | "upsert_memory";

/** Facts about an operation for the attributes of its span. */
interface MemoryFacts {
  readonly recordId?: string | undefined;
  readonly sessionId?: string;
  /** Number of memories in the input or the result. */
  readonly count?: number;
  readonly outcome?: string;
  /** The query. Content, so it is recorded only if content is enabled. */
  readonly query?: string;
  /** The memories. Content, so they are recorded only if content is enabled. */
  readonly records?: readonly MemoryRecord[];
}

type MemoryRecord = Memory | RecallHit;

/**
 * Description of an operation: its name in the conventions, and its own name, since several operations share one
 * convention name.
 */
interface MemorySpan<Asked, Result> {
  readonly operation: GenAiOperation;
  readonly called: string;
  readonly before?: (input: Asked) => MemoryFacts;
  readonly after?: (result: Result) => MemoryFacts;
}

const byId = (id: string): MemoryFacts => ({ recordId: id, count: 1 });
const bySession = (sessionId: string): MemoryFacts => ({ sessionId });
const byMemories = ({ memories }: { readonly memories: readonly Memory[] }): MemoryFacts => ({
  count: memories.length,
  records: memories,
});

export const REMEMBER_SPAN: MemorySpan<unknown, Remembered> = {
  operation: "upsert_memory",
  called: "remember",
  before: () => ({ count: 1 }),
  after: ({ memory, outcome }) => ({ recordId: memory.id, outcome, records: [memory] }),
};

export const INGEST_SPAN: MemorySpan<IngestInput, Ingested> = {
  operation: "upsert_memory",
  called: "ingest",
  // The input is not validated yet.
  before: (input) => bySession(input?.sessionId),
  after: ({ memories }) => byMemories({ memories: memories.map(({ memory }) => memory) }),
};

export const RECALL_SPAN: MemorySpan<string, readonly RecallHit[]> = {
  operation: "search_memory",
  called: "recall",
  before: (query) => ({ query }),
  after: (hits) => ({ count: hits.length, records: hits }),
};

export const UPDATE_SPAN: MemorySpan<string, Memory> = {
  operation: "update_memory",
  called: "update",
  before: byId,
  after: (memory) => ({ records: [memory] }),
};

/** `forget` archives the memory, so the operation is an update and not a deletion. */
export const FORGET_SPAN: MemorySpan<string, Memory> = { operation: "update_memory", called: "forget", before: byId };

export const PURGE_SPAN: MemorySpan<string | readonly string[], unknown> = {
  operation: "delete_memory",
  called: "purge",
  before: (ids) => {
    const all = [ids].flat();
    return { count: all.length, recordId: all.length === 1 ? all[0] : undefined };
  },
};

export const PURGE_SESSION_SPAN: MemorySpan<string, void> = {
  operation: "delete_memory",
  called: "purgeSession",
  before: bySession,
};

export const RESOLVE_SPAN: MemorySpan<string, Contradiction> = { operation: "upsert_memory", called: "resolve" };

export const CONSOLIDATE_SPAN: MemorySpan<unknown, Consolidated> = {
  operation: "upsert_memory",
  called: "consolidate",
  after: ({ deduped, compressed, adjusted, forgotten, linked, journalId }) => ({
    count: deduped + compressed + adjusted + forgotten + linked,
    outcome: journalId === undefined ? "unchanged" : "changed",
  }),
};

export const SHARE_SPAN: MemorySpan<unknown, Shared> = {
  operation: "upsert_memory",
  called: "share",
  after: byMemories,
};

export const UNDO_SPAN: MemorySpan<unknown, Undone> = { operation: "upsert_memory", called: "undo", after: byMemories };

export const IMPORT_SPAN: MemorySpan<unknown, Imported> = {
  operation: "upsert_memory",
  called: "import",
  after: ({ added, updated }) => ({ count: added + updated }),
};

/** Runs an operation within a span. The span names the caller's own space as the store. */
export function withMemorySpan<Asked, Result>(
  context: Pick<MemoryContext, "telemetry" | "userId" | "projectId">,
  { operation, called, before, after }: MemorySpan<Asked, Result>,
  input: Asked,
  work: () => Promise<Result>,
): Promise<Result> {
  const { telemetry } = context;
  if (telemetry === undefined) return work();
  const begin = (): Attributes => ({
    "gen_ai.operation.name": operation,
    "gen_ai.memory.store.id": spaceOf("user-private", context),
    "throughline.memory.operation": called,
    ...(before && attributesOf(before(input), telemetry)),
  });
  const end = after && ((result: Result) => attributesOf(after(result), telemetry));
  return withSpan(telemetry, { name: operation, before: begin, ...(end && { after: end }) }, work);
}

function attributesOf(facts: MemoryFacts, { recordContent }: Telemetry): Attributes {
  return {
    "gen_ai.conversation.id": facts.sessionId,
    "gen_ai.memory.record.id": facts.recordId,
    "gen_ai.memory.record.count": facts.count,
    "throughline.memory.outcome": facts.outcome,
    ...(recordContent && {
      "gen_ai.memory.query.text": facts.query,
      "gen_ai.memory.records": facts.records && writeRecords(facts.records),
    }),
  };
}

/** Span attributes cannot hold objects. */
function writeRecords(records: readonly MemoryRecord[]): string {
  const write = (record: MemoryRecord) =>
    "levels" in record
      ? { id: record.id, content: record.levels.full }
      : { id: record.id, content: record.text, score: record.score };
  return JSON.stringify(records.map(write));
}

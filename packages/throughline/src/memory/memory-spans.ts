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

/** Name of an operation in the conventions, and facts about its input and its result. */
interface MemorySpan<Input, Result> {
  readonly operation: GenAiOperation;
  readonly before?: (input: Input) => MemoryFacts;
  readonly after?: (result: Result) => MemoryFacts;
}

/** Input and result of each operation. */
interface Operations {
  readonly remember: [input: unknown, result: Remembered];
  readonly ingest: [input: IngestInput, result: Ingested];
  readonly recall: [query: string, result: readonly RecallHit[]];
  readonly update: [id: string, result: Memory];
  readonly forget: [id: string, result: Memory];
  readonly purge: [ids: string | readonly string[], result: unknown];
  readonly purgeSession: [sessionId: string, result: unknown];
  readonly resolve: [id: string, result: Contradiction];
  readonly consolidate: [options: unknown, result: Consolidated];
  readonly share: [userIds: unknown, result: Shared];
  readonly undo: [journalId: string, result: Undone];
  readonly import: [data: unknown, result: Imported];
}

const byId = (id: string): MemoryFacts => ({ recordId: id, count: 1 });
const bySession = (sessionId: string): MemoryFacts => ({ sessionId });
const byMemories = ({ memories }: { readonly memories: readonly Memory[] }): MemoryFacts => ({
  count: memories.length,
  records: memories,
});

const SPANS: { readonly [Name in keyof Operations]: MemorySpan<Operations[Name][0], Operations[Name][1]> } = {
  remember: {
    operation: "upsert_memory",
    before: () => ({ count: 1 }),
    after: ({ memory, outcome }) => ({ recordId: memory.id, outcome, records: [memory] }),
  },
  ingest: {
    operation: "upsert_memory",
    // The input is not validated yet.
    before: (input) => bySession(input?.sessionId),
    after: ({ memories }) => byMemories({ memories: memories.map(({ memory }) => memory) }),
  },
  recall: {
    operation: "search_memory",
    before: (query) => ({ query }),
    after: (hits) => ({ count: hits.length, records: hits }),
  },
  update: { operation: "update_memory", before: byId, after: (memory) => ({ records: [memory] }) },
  // The memory is archived, which is an update and not a deletion.
  forget: { operation: "update_memory", before: byId },
  purge: {
    operation: "delete_memory",
    before: (ids) => {
      const all = [ids].flat();
      return { count: all.length, recordId: all.length === 1 ? all[0] : undefined };
    },
  },
  purgeSession: { operation: "delete_memory", before: bySession },
  resolve: { operation: "upsert_memory" },
  consolidate: {
    operation: "upsert_memory",
    after: ({ deduped, compressed, adjusted, forgotten, linked, journalId }) => ({
      count: deduped + compressed + adjusted + forgotten + linked,
      outcome: journalId === undefined ? "unchanged" : "changed",
    }),
  },
  share: { operation: "upsert_memory", after: byMemories },
  undo: { operation: "upsert_memory", after: byMemories },
  import: { operation: "upsert_memory", after: ({ added, updated }) => ({ count: added + updated }) },
};

/** Runs an operation within a span. The span names the caller's own space as the store. */
export function withMemorySpan<Name extends keyof Operations, Result extends Operations[Name][1]>(
  context: Pick<MemoryContext, "telemetry" | "userId" | "projectId">,
  name: Name,
  input: Operations[Name][0],
  work: () => Promise<Result>,
): Promise<Result> {
  const { telemetry } = context;
  if (telemetry === undefined) return work();
  const { operation, before, after } = SPANS[name];
  const begin = (): Attributes => ({
    "gen_ai.operation.name": operation,
    "gen_ai.memory.store.id": spaceOf("user-private", context),
    "throughline.memory.operation": name,
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

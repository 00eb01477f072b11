import { type AnyModel, MODEL, resolveModel, withCallListener } from "./compact/prose/model-adapter.ts";
import { ContextService } from "./context/context-service.ts";
import { wordEmbedder } from "./embed/word-embedder.ts";
import { InvalidOptionError } from "./errors/input-errors.ts";
import { MemoryService } from "./memory/memory-service.ts";
import { retrievalCounts } from "./memory/recall/retrieval-counts.ts";
import { indexCache } from "./memory/search/index-cache.ts";
import { SYSTEM_CLOCK } from "./ports/clock.ts";
import { QUIET } from "./ports/logger.ts";
import { DEFAULT_USER, type Store } from "./ports/store.ts";
import type { Telemetry } from "./telemetry/with-span.ts";
import type { Throughline, ThroughlineOptions } from "./throughline-api.ts";
import { loadTokenRanks } from "./tokens/bpe/token-ranks.ts";

/** Throughline without sessions, whose code is the larger part. */
export type OpenMemory = Pick<Throughline, "memory" | "context" | "close">;

/** Connects a store, model, embedder and clock to memory and context alone. The options are not checked. */
export async function openMemory(options: ThroughlineOptions & { readonly store: Store }): Promise<OpenMemory> {
  const { memory, context, retrievals } = await connectMemory(options, options.store);
  const close = async () => {
    await retrievals.settle();
    await options.store.close();
  };
  return { memory, context, close };
}

/** Memory and context on a store, with the dependencies that they share with sessions. */
export async function connectMemory(options: ThroughlineOptions, store: Store) {
  const { clock = SYSTEM_CLOCK, logger = QUIET, userId = DEFAULT_USER } = options;
  if (options.maxIndexBytes !== undefined) indexCache.limit(options.maxIndexBytes);
  const model = observeModel(await readModel(options.model), options.onModelCall);
  await loadTokenRanks();
  const retrievals = retrievalCounts(store.memories, logger);
  const { memoryStore } = retrievals;
  const { embedder = wordEmbedder(), projectId, allProjects, isSystemReadOnly, activities, workspace } = options;
  const ports = { userId, model, clock, logger, telemetry: readTelemetry(options) };
  const blobs = options.store?.blobs;
  const memory = new MemoryService({
    ...ports,
    ...{ projectId, allProjects, isSystemReadOnly, memoryStore, embedder, blobs },
    searchExecutor: options.searchExecutor,
  });
  const { documents } = store;
  const context = new ContextService({
    ...ports,
    ...{ projectId, memoryStore, documents, blobs, memory, workspace, activities },
  });
  return { ports, memory, context, retrievals };
}

/** Finds a model that is given by its id, so that a wrong id is refused at once. */
async function readModel(model: AnyModel | undefined): Promise<Exclude<AnyModel, string> | undefined> {
  if (typeof model === "string") return resolveModel(model);
  if (model === undefined || MODEL[0](model)) return model;
  throw new InvalidOptionError("model", model, MODEL[1]);
}

/** Keeps the model as it is without a listener: its failures are counted per object. */
function observeModel(
  given: Exclude<AnyModel, string> | undefined,
  onModelCall: ThroughlineOptions["onModelCall"],
): Exclude<AnyModel, string> | undefined {
  if (given === undefined || onModelCall === undefined) return given;
  return withCallListener(given, onModelCall);
}

function readTelemetry({ tracer, recordContent = false }: ThroughlineOptions): Telemetry | undefined {
  if (tracer === undefined) return undefined;
  if (typeof tracer?.startActiveSpan === "function") return { tracer, recordContent };
  throw new InvalidOptionError("tracer", tracer, "a tracer of OpenTelemetry: trace.getTracer(name)");
}

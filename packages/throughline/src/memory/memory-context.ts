import type { AnyModel } from "../compact/prose/model-adapter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Logger } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore } from "../ports/store.ts";
import type { Telemetry } from "../telemetry/with-span.ts";
import type { SearchExecutor } from "./search/thread-search.ts";
import type { Caller } from "./space/spaces.ts";

/** Caller and dependencies of the memory operations. */
export interface MemoryContext extends Caller {
  readonly memoryStore: MemoryStore;
  /** Keeps search segments. Missing for stores in this process, whose entries need no second copy. */
  readonly blobs?: BlobStore | undefined;
  readonly embedder: Embedder;
  /** Runs searches of large indexes in other threads. Without it, all are done in this one. */
  readonly searchExecutor?: SearchExecutor | undefined;
  readonly model: AnyModel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Receives a span for each operation. */
  readonly telemetry?: Telemetry | undefined;
}

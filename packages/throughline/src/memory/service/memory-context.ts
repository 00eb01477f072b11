import type { AnyModel } from "../../compact/to-model.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Logger } from "../../ports/logger.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { Telemetry } from "../../telemetry/with-span.ts";
import type { Caller } from "./spaces.ts";

/** What the life of memories needs to know of its surroundings. */
export interface MemoryContext extends Caller {
  readonly shelf: MemoryStore;
  readonly embedder: Embedder;
  readonly model: AnyModel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of what is done and how long it takes. */
  readonly telemetry?: Telemetry | undefined;
}

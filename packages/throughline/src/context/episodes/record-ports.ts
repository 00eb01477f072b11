import type { AnyModel } from "../../compact/prose/model-adapter.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import { type Caller, spaceOf } from "../../memory/space/spaces.ts";
import type { Logger } from "../../ports/logger.ts";
import type { DocumentStore } from "../../ports/store.ts";
import type { Signal } from "../context-api.ts";

/** Dependencies of learning from sessions. */
export interface RecordPorts extends Caller {
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
  /** Model that rewrites episodes. Its text is used if it passes verification. */
  readonly model?: AnyModel | undefined;
  readonly logger: Logger;
  /** Called for each file use in a session, once per use. */
  readonly observe?: ((signal: Signal) => Promise<void>) | undefined;
}

/** Space of a user's session records. */
export function recordSpace(caller: Caller): string {
  return spaceOf("user-private", caller);
}

/** Prefix of the names of a project's documents. No prefix is a prefix of another project's. */
export function projectPrefix(kind: string, { projectId = "" }: Caller): string {
  return `${kind}/${encodeURIComponent(projectId)}/`;
}

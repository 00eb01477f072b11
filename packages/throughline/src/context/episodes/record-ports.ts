import type { AnyModel } from "../../compact/to-model.ts";
import type { MemoryService } from "../../memory/service/memory-service.ts";
import { type Caller, spaceOf } from "../../memory/service/spaces.ts";
import type { DocumentStore } from "../../ports/document-store.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Signal } from "../context-api.ts";

/** What it takes to learn from sessions. */
export interface RecordPorts extends Caller {
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
  /** Tells episodes in its own words, where they can be believed. */
  readonly model?: AnyModel | undefined;
  readonly logger: Logger;
  /** Told of the files that were touched, session by session, each touch once. */
  readonly observe?: ((signal: Signal) => Promise<void>) | undefined;
}

/** Where what is known of somebody's sessions is kept. */
export function recordSpace(caller: Caller): string {
  return spaceOf("user-private", caller);
}

/** What the names of a project's documents begin with. No project's name is the beginning of another's. */
export function projectPrefix(kind: string, { projectId = "" }: Caller): string {
  return `${kind}/${encodeURIComponent(projectId)}/`;
}

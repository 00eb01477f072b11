import { digest } from "../../../internal/digest.ts";
import type { MemoryService } from "../../../memory/service/memory-service.ts";
import { type Caller, spaceOf } from "../../../memory/service/spaces.ts";
import type { DocumentStore } from "../../../ports/document-store.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { minePatterns } from "../mine/mine-patterns.ts";
import { FactBook } from "./fact-book.ts";
import { type KeptPatterns, keepPatterns } from "./keep-patterns.ts";
import { type ReadOptions, type ReadTally, readProject } from "./read-project.ts";

export interface LearnPatternsOptions extends Partial<Pick<ReadOptions, "dryRun" | "signal" | "onProgress">> {
  /** Which folder of the project is learnt from; all of it, where nothing is said. */
  readonly place?: string;
}

interface LearningPorts extends Caller {
  readonly workspace: Workspace;
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
}

export interface LearntPatterns extends KeptPatterns {
  readonly read: ReadTally;
}

/**
 * Learns how a project writes its code, and remembers it as patterns: of files that were read before, only those that have
 * changed. With `dryRun` it says what it would find, and keeps nothing.
 *
 * @example
 * const { patterns } = await learnPatterns({ workspace: openWorkspace("."), memory, documents, owner, projectId });
 * patterns[0]?.pattern.hint; // "endpoint: route→zod→result→json"
 */
export async function learnPatterns(options: LearnPatternsOptions & LearningPorts): Promise<LearntPatterns> {
  const { workspace, documents, place = "", dryRun = false, signal, onProgress } = options;
  const space = spaceOf(options.projectId === undefined ? "user-private" : "project-shared", options);
  const prefix = `patterns/${digest(place)}/`;
  const book = new FactBook(documents, space, prefix);
  const { facts, tally } = await readProject({ workspace, book, dryRun, signal, onProgress });
  if (signal?.aborted) throw signal.reason;
  const kept = await keepPatterns(minePatterns(facts), { ...options, place, space, prefix, dryRun });
  return { read: tally, ...kept };
}

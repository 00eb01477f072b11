import { digest } from "../../../internal/json.ts";
import type { MemoryService } from "../../../memory/memory-service.ts";
import { type Caller, spaceOf } from "../../../memory/space/spaces.ts";
import type { DocumentStore } from "../../../ports/store.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { minePatterns } from "../mine/mine-patterns.ts";
import { FileFactStore, type ReadCounts, readProject } from "./read-project.ts";
import { keepPatterns, type SavedPatterns } from "./save-patterns.ts";

/** Options of `tl.context.learnPatterns`. */
export interface LearnPatternsOptions {
  /** Returns the patterns without saving anything. Default: false. */
  readonly dryRun?: boolean;
  /** Aborts the run. The reason of the signal is thrown, and the next run continues. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each file. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  /** Path of the workspace in its repository. Patterns of different paths are stored separately. Default: the root. */
  readonly place?: string;
}

interface LearningPorts extends Caller {
  readonly workspace: Workspace;
  readonly memory: MemoryService;
  readonly documents: DocumentStore;
}

/** Result of `tl.context.learnPatterns`. */
export interface LearnedPatterns extends SavedPatterns {
  /** Counts of the files. */
  readonly read: ReadCounts;
}

/**
 * Learns coding patterns from the sources of a project and saves them as memories. Unchanged files are not read again.
 * With `dryRun`, nothing is saved.
 *
 * @example
 * const { patterns } = await learnPatterns({ workspace: openWorkspace("."), memory, documents, owner, projectId });
 * patterns[0]?.pattern.hint; // "endpoint: route→zod→result→json"
 */
export async function learnPatterns(options: LearnPatternsOptions & LearningPorts): Promise<LearnedPatterns> {
  const { workspace, documents, place = "", dryRun = false, signal, onProgress } = options;
  const space = spaceOf(options.projectId === undefined ? "user-private" : "project-shared", options);
  const prefix = `patterns/${digest(place)}/`;
  const book = new FileFactStore(documents, space, prefix);
  const { facts, counts } = await readProject({ workspace, book, dryRun, signal, onProgress });
  if (signal?.aborted) throw signal.reason;
  const recent = await recentFiles(workspace, signal);
  const kept = await keepPatterns(minePatterns(facts, recent), { ...options, place, space, prefix, dryRun });
  return { read: counts, ...kept };
}

/** Number of commits that count as recent. */
const RECENT_COMMITS = 300;

/** Files of the newest commits. Empty if there is no history, or if it cannot be read. */
async function recentFiles(workspace: Workspace, signal: AbortSignal | undefined): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  try {
    const history = workspace.history({ limit: RECENT_COMMITS, ...(signal !== undefined && { signal }) });
    for await (const commit of history) for (const file of commit.files) files.add(file);
  } catch {
    signal?.throwIfAborted();
  }
  return files;
}

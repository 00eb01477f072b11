import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";

export const EXPORT_FORMAT = "throughline-memory";
export const EXPORT_VERSION = 1;

/** Memories with all that is known of them, as JSON holds it. Ids stay what they are, so that importing twice changes nothing. */
export interface MemoryExport {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: typeof EXPORT_VERSION;
  /** Milliseconds since 1970. */
  readonly exportedAt: number;
  /** Whose they are, and of which project. */
  readonly owner?: string;
  readonly projectId?: string;
  readonly memories: readonly Memory[];
  readonly turns: readonly Turn[];
  readonly contradictions: readonly Contradiction[];
  /** What was done to them, where that is to come along. */
  readonly journal?: readonly JournalEntry[];
}

/** An export without what says that it is one. */
export type ExportContent = Omit<MemoryExport, "format" | "version">;

/**
 * What `JSON.stringify` writes down and `readExport` reads again, exactly.
 *
 * @example
 * const text = JSON.stringify(writeExport({ exportedAt: Date.now(), memories, turns: [], contradictions: [] }));
 */
export function writeExport(content: ExportContent): MemoryExport {
  const { exportedAt, owner, projectId, memories, turns, contradictions, journal } = content;
  return omitUndefined({
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt,
    owner,
    projectId,
    memories,
    turns,
    contradictions,
    journal,
  });
}

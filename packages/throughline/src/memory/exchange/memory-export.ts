import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";

export const EXPORT_FORMAT = "throughline-memory";
export const EXPORT_VERSION = 1;

/** A JSON export of memories and related data. Ids are kept, so that a second import changes nothing. */
export interface MemoryExport {
  /** Always `throughline-memory`. */
  readonly format: typeof EXPORT_FORMAT;
  /** Version of the format: 1. */
  readonly version: typeof EXPORT_VERSION;
  /** Milliseconds since 1970. */
  readonly exportedAt: number;
  /** Owner and project of the caller who exported. */
  readonly owner?: string;
  readonly projectId?: string;
  readonly memories: readonly Memory[];
  readonly turns: readonly Utterance[];
  readonly contradictions: readonly Contradiction[];
  /** Journal of changes to the exported items. Optional. */
  readonly journal?: readonly JournalEntry[];
}

/** Content of an export, without format and version. */
export type ExportContent = Omit<MemoryExport, "format" | "version">;

/**
 * Makes an export from its content. `readExport` restores the same export from its JSON.
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

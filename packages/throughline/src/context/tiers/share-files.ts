import { isSameFile } from "../file-paths.ts";
import type { MemoryIndexEntry } from "../memory-index-entry.ts";
import type { Candidate } from "./rules/candidate.ts";
import type { Relevance } from "./score-candidates.ts";
import { isContinued } from "./sections.ts";
import type { MemoryTexts } from "./text-variants.ts";

/** Maximum number of changed files that the text of an episode names. */
const MAX_CHANGED = 10;

/**
 * Files that the text of each memory names, by memory id. Episodes of one part of a project change the same files, so
 * each of these is named once: by the episode that the work continues from, in the list of likely files, or by the first
 * candidate.
 */
export function shareFiles(
  candidates: readonly Candidate[],
  texts: ReadonlyMap<string, MemoryTexts>,
  relevance: Relevance,
): ReadonlyMap<string, readonly string[]> {
  const members = candidates.flatMap((candidate) => candidate.members);
  const entries = new Map(members.flatMap(({ entry }) => (entry === undefined ? [] : [[entry.id, entry] as const])));
  const isLast = (entry: MemoryIndexEntry): boolean => isContinued(entry, relevance);
  const named = new Set<string>();
  const shared = new Map<string, readonly string[]>();
  const share = (entry: MemoryIndexEntry): void => {
    const files = filesToShow(entry, relevance.wantedFiles);
    // The files of a workflow are those that its sessions happened to change.
    if (entry.kind !== "episode") shared.set(entry.id, entry.kind === "workflow" ? [] : files);
    else {
      const changed = texts.get(entry.id)?.changed ?? new Set();
      const own = files.filter((file) => changed.has(file) && !named.has(file)).slice(0, MAX_CHANGED);
      for (const file of own) named.add(file);
      shared.set(entry.id, own);
    }
  };
  for (const entry of entries.values()) if (isLast(entry)) share(entry);
  for (const { file } of members) if (file !== undefined) named.add(file);
  for (const entry of entries.values()) if (!isLast(entry)) share(entry);
  return shared;
}

/** Files of a memory: those in `wanted` first and in that order, then the others. */
function filesToShow({ files }: MemoryIndexEntry, wanted: readonly string[]): readonly string[] {
  if (files.length <= 1) return files;
  const shared = wanted.flatMap((path) => files.filter((one) => isSameFile(one, path)));
  const shown: string[] = [];
  for (const file of [...shared, ...files]) if (!shown.some((one) => isSameFile(one, file))) shown.push(file);
  return shown;
}

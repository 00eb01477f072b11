import type { Memory, MemoryService } from "throughline";
import type { OpenMemory } from "throughline/internal/engine";
import type { ListOptions } from "throughline/memory";
import { UsageError } from "../usage-error.ts";
import { type DataOptions, findData, type StoredData, withStoredMemories } from "./open-data.ts";

/** Runs `work` with the memories. Returns `undefined`, and creates nothing, if there are none. */
export async function withStoredMemory<T>(
  options: DataOptions,
  work: (memory: MemoryService, data: StoredData<OpenMemory>) => Promise<T>,
): Promise<T | undefined> {
  return withStoredMemories(options, async (data) => {
    const [space] = await data.store.memories.spaces({ limit: 1 });
    return space === undefined ? undefined : work(data.throughline.memory, data);
  });
}

const PAGE = 500;

/** All memories in the order of their ids, page by page, so that writers are not blocked. */
export async function allMemories(
  memory: MemoryService,
  wanted: Omit<ListOptions, "after" | "limit"> = {},
): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  for (let after = ""; ; ) {
    const page = await memory.list({ ...wanted, after, limit: PAGE });
    memories.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return memories;
    after = last.id;
  }
}

/** The message for empty data. */
export function nothingRemembered(options: DataOptions): string {
  return `No memories in ${findData(options).file} yet. Add one: \`throughline remember TEXT\`.\n`;
}

/** The error for an id that does not exist. */
export function notFoundError(what: string, command: string, options: DataOptions): UsageError {
  const { currentProject, allProjects = false } = options;
  const elsewhere =
    currentProject?.isRepository !== true || allProjects ? "" : " --all-projects also searches other projects.";
  return new UsageError(
    `No ${what} in ${findData(options).file}.`,
    `\`throughline ${command}\` lists them.${elsewhere}`,
  );
}

/**
 * Finds a memory by its id, or by a unique prefix.
 *
 * @throws UsageError if there is none, or more than one
 */
export async function findMemory(named: string, memory: MemoryService, options: DataOptions): Promise<Memory> {
  const found = await memory.get(named);
  if (found !== undefined) return found;
  // In id order, ids with this prefix follow directly.
  const next = await memory.list({ all: true, after: named, limit: 2 });
  const only = pickByPrefix(named, next, "memories");
  if (only === undefined) throw notFoundError(`memory ${named}`, "memories --all", options);
  return only;
}

/** The item with this id, or the only one whose id starts with it. */
export function pickByPrefix<T extends { readonly id: string }>(
  named: string,
  found: readonly T[],
  noun: string,
): T | undefined {
  const exact = found.find(({ id }) => id === named);
  if (exact !== undefined) return exact;
  const alike = named === "" ? [] : found.filter(({ id }) => id.startsWith(named));
  const ids = [...new Set(alike.map(({ id }) => id))];
  if (ids.length > 1) {
    throw new UsageError(
      `The id ${named} is ambiguous, several ${noun} start with it: ${ids.slice(0, 2).join(", ")} …`,
      "Give more characters of the id.",
    );
  }
  return alike[0];
}

import type { Memory, MemoryService } from "throughline";
import { UsageError } from "../usage-error.ts";
import { type DataOptions, findData, type KeptData, withKeptData } from "./open-data.ts";

/** Works on what is remembered: `undefined` where nothing ever was, and then nothing is created. */
export async function withKeptMemory<T>(
  options: DataOptions,
  work: (memory: MemoryService, data: KeptData) => Promise<T>,
): Promise<T | undefined> {
  return withKeptData(options, async (data) => {
    const [space] = await data.store.memories.spaces({ limit: 1 });
    return space === undefined ? undefined : work(data.throughline.memory, data);
  });
}

/** What there is to say where nothing was ever remembered. */
export function nothingRemembered(options: DataOptions): string {
  return `Nothing is remembered in ${findData(options).file}; \`throughline remember TEXT\` adds something.\n`;
}

/** The error of a command that was told to do something with what is not there. */
export function notKept(what: string, command: string, options: DataOptions): UsageError {
  return new UsageError(
    `${what} is not kept in ${findData(options).file}.`,
    `\`throughline ${command}\` lists what is.`,
  );
}

/**
 * The memory of an id, or of a beginning of it that no other has.
 *
 * @throws UsageError where there is none, or more than one
 */
export async function findMemory(named: string, memory: MemoryService, options: DataOptions): Promise<Memory> {
  const found = await memory.get(named);
  if (found !== undefined) return found;
  // In their order, those that begin so come right behind it.
  const next = await memory.list({ all: true, after: named, limit: 2 });
  const only = pickByBeginning(named, next, "memories");
  if (only === undefined) throw notKept(`Memory ${named}`, "memories --all", options);
  return only;
}

/** The one of `found` that has this id, or the only one whose id begins so. */
export function pickByBeginning<T extends { readonly id: string }>(
  named: string,
  found: readonly T[],
  noun: string,
): T | undefined {
  const exact = found.find(({ id }) => id === named);
  if (exact !== undefined) return exact;
  const alike = named === "" ? [] : found.filter(({ id }) => id.startsWith(named));
  const ids = [...new Set(alike.map(({ id }) => id))];
  if (ids.length > 1) {
    throw new UsageError(`Several ${noun} begin with ${named}: ${ids.slice(0, 2).join(", ")} …`, "Say more of the id.");
  }
  return alike[0];
}

import process from "node:process";
import { type OpenMemory, spaceOf } from "throughline/internal";
import type { ErasureReport } from "throughline/store";
import { type DataOptions, LOCAL_USER, type StoredData } from "../data/open-data.ts";
import { notFoundError, withStoredMemory } from "../data/stored-memory.ts";
import { count } from "../terminal/print-values.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { confirm, eraseWords } from "../terminal/confirm.ts";

interface PurgeMemoryOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Erases a memory or an utterance by its full id. */
export async function purgeMemory(id: string, options: PurgeMemoryOptions): Promise<void> {
  const { dryRun = false } = options;
  const outcome = await withStoredMemory(options, async (memory, data) => {
    const found = await find(id, data);
    if (found === undefined) return undefined;
    const question = `Erase ${found.what} “${printableLine(found.text)}” permanently? [y/N] `;
    const isSure = !dryRun && (options.yes || (await confirm(question, eraseWords("memory"))));
    if (!isSure) return { found, erased: null };
    const erased = await memory.purge(id);
    // Stored responses of a server may repeat the text: to any user, if the memory is shared.
    await data.store.server.answers.erase(found.isShared ? {} : { owner: LOCAL_USER });
    return { found, erased };
  });
  if (outcome === undefined) throw notFoundError(`memory ${id}`, "memories --all", options);
  const { found, erased } = outcome;
  const would = dryRun ? `Would erase ${found.what} “${printableLine(found.text)}”.\n` : "";
  process.stdout.write(
    options.json
      ? printJson({ memory: id, dryRun, purged: erased !== null, erased })
      : `${would}${printErased(id, erased)}`,
  );
}

interface Found {
  readonly what: string;
  readonly text: string;
  readonly isShared: boolean;
}

async function find(id: string, { store, throughline }: StoredData<OpenMemory>): Promise<Found | undefined> {
  const memory = await throughline.memory.get(id);
  if (memory !== undefined) {
    const isShared = memory.scope !== "user-private";
    return { what: "the memory and its sources,", text: memory.levels.full, isShared };
  }
  const space = spaceOf("user-private", { userId: LOCAL_USER, projectId: undefined });
  const [turn] = await store.memories.get(space, "turns", [id]);
  return turn && { what: "the utterance and the memories extracted from it,", text: turn.text, isShared: false };
}

function printErased(id: string, erased: ErasureReport | null): string {
  if (erased === null) return "Nothing was erased.\n";
  const { memories, turns } = erased;
  return `Erased ${printableLine(id)}: ${count(memories, "memory", "memories")}, ${count(turns, "utterance")} and their journal entries.\n`;
}

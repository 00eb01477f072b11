import { messageOf } from "../internal/text.ts";
import { readMemories } from "../memory/space/read-pages.ts";
import { readChanges, type SpaceState } from "../memory/space/space-cache.ts";
import type { Logger } from "../ports/logger.ts";
import type { Memory } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore } from "../ports/store.ts";
import { type MemoryIndexEntry, NO_WORDS, readEntry } from "./memory-index-entry.ts";

// The index entries of a space are a blob with its state. The memories remain the source: a process reads the blob and
// the memories that changed since then.

/** Changes with the format, and with everything that `readEntry` reads from a memory, such as the rules of roles. */
const VERSION = "1";
const PREFIX = "context/";
const NAME = `${PREFIX}${VERSION}`;
/** Smaller spaces are read faster than their blob is maintained. */
const MIN_STORED = 200;
/** Number of changed memories after which the blob is written anew. */
const MAX_CHANGED = 100;

/** The entries of all current memories of a space, and the state of the space that they describe. */
interface SpaceEntries {
  readonly state: SpaceState;
  readonly entries: readonly MemoryIndexEntry[];
}

/** Stores with the entries of a space. */
export interface EntryStores {
  readonly memoryStore: MemoryStore;
  /** Keeps the entries. Without it, all memories are read. */
  readonly blobs: BlobStore | undefined;
  readonly logger: Logger;
}

/** The entries of all current memories of a space at a state, also of those that the caller does not see. */
export async function readEntriesOf(
  stores: EntryStores,
  space: string,
  state: SpaceState,
): Promise<readonly MemoryIndexEntry[]> {
  const { memoryStore, blobs } = stores;
  const stored = blobs && (await readStored(stores, space, state));
  const changes = stored && (await readChanges(memoryStore, space, state, stored.state));
  if (stored === undefined || changes === undefined) {
    const entries: MemoryIndexEntry[] = [];
    for await (const page of readMemories(memoryStore, space, { current: true })) {
      for (const memory of page) entries.push(readEntry(memory, space));
    }
    if (entries.length >= MIN_STORED) await writeStored(stores, space, { state, entries });
    return entries;
  }
  if (changes.ids.length === 0) return stored.entries;
  const byId = new Map(stored.entries.map((entry) => [entry.id, entry]));
  for (const id of changes.ids) byId.delete(id);
  for (const memory of changes.memories) if (isCurrent(memory)) byId.set(memory.id, readEntry(memory, space));
  const entries = [...byId.values()];
  if (changes.ids.length > MAX_CHANGED) await writeStored(stores, space, { state: changes.state, entries });
  return entries;
}

export function isCurrent({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** The stored entries; `undefined` if there are none, or if memories were erased since. */
async function readStored(
  { blobs, logger }: EntryStores,
  space: string,
  { epoch }: SpaceState,
): Promise<SpaceEntries | undefined> {
  try {
    const [blob] = (await blobs?.get(space, [NAME])) ?? [];
    const stored = blob && unpack(blob.bytes, space);
    return stored?.state.epoch === epoch ? stored : undefined;
  } catch (error) {
    logger.warn(`Could not read the stored entries of a space, reading its memories: ${messageOf(error)}`);
    return undefined;
  }
}

async function writeStored({ blobs, logger }: EntryStores, space: string, entries: SpaceEntries): Promise<void> {
  if (blobs === undefined) return;
  try {
    const remove = await blobs.list(space, PREFIX);
    await blobs.put(space, { epoch: entries.state.epoch, blobs: [{ name: NAME, bytes: pack(entries) }], remove });
  } catch (error) {
    logger.warn(`Could not store the entries of a space: ${messageOf(error)}`);
  }
}

function pack({ state, entries }: SpaceEntries): Uint8Array {
  const rows = entries.map(
    (entry): Row => ({
      ...entry,
      space: "",
      words: entry.words.length === 0 ? null : [...entry.words],
    }),
  );
  return new TextEncoder().encode(JSON.stringify({ state, rows }));
}

/** An entry as JSON. Its space is set when it is read. */
type Row = Omit<MemoryIndexEntry, "words"> & { readonly words: readonly number[] | null };

function unpack(bytes: Uint8Array, space: string): SpaceEntries {
  const { state, rows } = JSON.parse(new TextDecoder().decode(bytes)) as { state: SpaceState; rows: Row[] };
  // The rows become the entries: thousands of copies would take longer than reading them.
  const entries = rows.map((row) =>
    Object.assign(row, { space, words: row.words === null ? NO_WORDS : Uint32Array.from(row.words) }),
  );
  return { state, entries };
}

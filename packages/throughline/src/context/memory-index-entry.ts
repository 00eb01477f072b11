import { omitUndefined } from "../internal/json.ts";
import { messageOf } from "../internal/text.ts";
import { isStopWord } from "../language/stop-words.ts";
import { termHashes } from "../language/terms.ts";
import { findIdentifiers } from "../ledger/find-identifiers.ts";
import { normalizeKey } from "../memory/facts/slots.ts";
import { readChanges, type SpaceState } from "../memory/space/space-cache.ts";
import { readMemories } from "../memory/space/spaces.ts";
import type { Logger } from "../ports/logger.ts";
import { isCurrent, type Memory, type MemoryKind } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { BlobStore } from "../ports/store.ts";
import { cleanPath, placeNames } from "./file-paths.ts";
import { isFoundByWords, type Role, readRoles } from "./tiers/read-roles.ts";

/** Properties of a current memory that assembly uses, without its text. */
export interface MemoryIndexEntry {
  readonly id: string;
  readonly space: string;
  readonly kind: MemoryKind;
  readonly roles: readonly Role[];
  /** Paths of files in the memory, as written. */
  readonly files: readonly string[];
  /** Hashes of word stems. Empty if no rule finds the memory by words. */
  readonly words: Uint32Array;
  /** Topic in the index tier. Empty if the memory has no public topic. */
  readonly topic: string;
  /** Name of the memory in the index tier. Empty if it has no descriptive one. */
  readonly pointer: string;
  readonly links: readonly string[];
  readonly subject?: string;
  readonly speaker?: string;
  readonly owner: string;
  readonly projectId?: string;
  readonly sessionId?: string;
  /** Message that it was extracted from. Undefined if it was saved on purpose. */
  readonly messageId?: string;
  readonly pinned: boolean;
  /** True if it was stated more than once. */
  readonly isRepeated: boolean;
  readonly validFrom: number;
  readonly lastSeenAt: number;
  /** Known times at which a workflow was run. */
  readonly doneAt?: readonly number[];
}

/** Characters of a memory that are indexed. */
const MAX_TEXT_LENGTH = 8_000;
const MAX_FILES = 24;
const MAX_WORDS = 120;
const IS_FILE = /^[\w@~+.-]*(?:\/[\w@~+.-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}$/;
const NO_WORDS: Uint32Array = new Uint32Array();
/** Words that make no topic: record numbers and generic verbs. */
const UNDESCRIPTIVE =
  /^(?:adr-?\d+|\d+|never|always|every|each|new|old|use[sd]?|using|add(?:ed)?|fix(?:ed)?|look|check|recheck|update[sd]?|make|made|runs?|tr(?:y|ies)|err|errors?|touch|turn|gets?|sets?|keep|put|see|goes|prefers?|preferences?|likes?|dislikes?|wants?|instructions?|notes?|goal|uses|thinks?|says?|means?|needs?)$/;

export function readEntry(memory: Memory, space: string): MemoryIndexEntry {
  const { id, kind, owner, projectId, subject, links, pinned, mentions, validFrom, lastSeenAt, source } = memory;
  const roles = readRoles(memory);
  const text = memory.levels.full.slice(0, MAX_TEXT_LENGTH);
  const named = normalizeTopic(memory.levels.index);
  const pointer = UNDESCRIPTIVE.test(named) ? "" : named;
  const files = readFiles(memory, text);
  return omitUndefined({
    id,
    space,
    kind,
    roles,
    files,
    words: isFoundByWords(roles) ? readWords(memory, text) : NO_WORDS,
    topic: topicOf(memory, files, pointer),
    pointer,
    links,
    subject,
    speaker: source.speaker,
    owner,
    projectId,
    sessionId: source.sessionId,
    messageId: source.messageId,
    pinned,
    isRepeated: mentions > 1,
    validFrom,
    lastSeenAt,
    doneAt: kind === "workflow" ? timesOf(memory) : undefined,
  });
}

function timesOf({ source, earlierSources = [] }: Memory): readonly number[] {
  return [source, ...earlierSources].flatMap(({ at }) => at ?? []);
}

/** Normalized form of a topic, for display and lookup. */
export function normalizeTopic(topic: string): string {
  return topic.toLowerCase().replace(/\s+/g, " ").trim();
}

/**
 * Topic of a memory: the key of a fact, the folder of its files, or the first descriptive word of its pointer (`auth`
 * of `auth_refactor`). Facts about the user's identity have no topic.
 */
function topicOf({ key, category }: Memory, files: readonly string[], pointer: string): string {
  if (category === "identity") return "";
  const named = key === undefined ? "" : normalizeKey(key);
  if (named !== "" && !UNDESCRIPTIVE.test(named)) return named;
  const part = files.map((file) => placeNames(file).folders.at(-1)).find((folder) => folder !== undefined);
  if (part !== undefined) return normalizeTopic(part);
  const words = pointer.match(/[\p{L}\p{N}]+(?:[.+#-][\p{L}\p{N}+#]+)*/gu) ?? [];
  return words.find((word) => !UNDESCRIPTIVE.test(word) && !isStopWord(word)) ?? named;
}

function readFiles({ artifacts }: Memory, text: string): readonly string[] {
  const linked = artifacts.filter(({ type }) => type === "file").map(({ ref }) => cleanPath(ref));
  const named = /[./]\w/.test(text) ? [...findIdentifiers(text).keys()].map(cleanPath).filter(isFile) : [];
  return [...new Set([...linked, ...named])].slice(0, MAX_FILES);
}

function isFile(name: string): boolean {
  return IS_FILE.test(name) && !/^(?:www\.|\d)/.test(name);
}

function readWords({ key, subject, aliases, artifacts }: Memory, text: string): Uint32Array {
  const beside = [key?.replaceAll("_", " "), subject, ...aliases, ...artifacts.map(({ ref }) => ref)];
  const hashes = termHashes([text, ...beside].join(" "));
  return Uint32Array.from([...hashes].slice(0, MAX_WORDS));
}

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

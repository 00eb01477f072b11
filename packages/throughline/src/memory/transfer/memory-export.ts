import { describeValue } from "../../errors/input-errors.ts";
import { InvalidImportError } from "../../errors/memory-errors.ts";
import { isRecord, omitUndefined, tryParseJson } from "../../internal/json.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type {
  Artifact,
  Contradiction,
  Memory,
  MemoryLevels,
  MemorySource,
  MemoryUsage,
  PendingFact,
  StaleMark,
  StaleSpan,
  Utterance,
} from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-store.ts";
import {
  count,
  counts,
  flag,
  id,
  list,
  name,
  oneOf,
  optional,
  type Reader,
  record,
  share,
  text,
  time,
  trueFlag,
} from "./field-readers.ts";

export const EXPORT_FORMAT = "throughline-memory";
const EXPORT_VERSION = 1;

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

const readSource = record<MemorySource>({
  sessionId: optional(name),
  messageId: optional(name),
  speaker: optional(name),
  at: optional(time),
  quote: optional(text),
});

const readCategory = oneOf("identity", "preference", "project");

const readMemory = record<Memory>({
  id,
  kind: oneOf("fact", "episode", "pattern", "workflow"),
  levels: record<MemoryLevels>({ full: text, summary: text, compressed: text, index: text }),
  servedLevel: optional(oneOf("summary", "compressed", "index")),
  key: optional(name),
  value: optional(text),
  subject: optional(name),
  aliases: list(name),
  heard: optional(counts),
  category: optional(readCategory),
  confidence: share,
  mentions: count,
  pinned: flag,
  byHand: flag,
  owner: name,
  projectId: optional(name),
  scope: oneOf("user-private", "project-shared", "system"),
  createdAt: time,
  lastSeenAt: time,
  validFrom: time,
  validTo: optional(time),
  archivedAt: optional(time),
  reviewedAt: optional(time),
  supersedes: optional(id),
  supersededBy: optional(id),
  usage: record<MemoryUsage>({ retrieved: count, cited: count, ignored: count, lastAccessedAt: optional(time) }),
  source: readSource,
  earlierSources: optional(list(readSource)),
  artifacts: list(record<Artifact>({ type: oneOf("commit", "pr", "adr", "file"), ref: name })),
  links: list(id),
});

const readTurn = record<Utterance>({
  id,
  sessionId: name,
  position: count,
  messageId: optional(name),
  role: name,
  speaker: optional(name),
  text,
  at: optional(time),
  createdAt: time,
  owner: name,
  projectId: optional(name),
  staleSince: optional(time),
  staleSpans: optional(list(record<StaleSpan>({ start: count, end: count, since: time }))),
  marks: optional(
    list(
      record<StaleMark>({
        by: optional(id),
        since: time,
        spans: optional(list(record<{ readonly start: number; readonly end: number }>({ start: count, end: count }))),
      }),
    ),
  ),
  synthetic: optional(trueFlag),
  pending: optional(
    list(
      record<PendingFact>({
        text,
        category: optional(readCategory),
        key: optional(name),
        value: optional(text),
        subject: optional(name),
        updatesPrevious: optional(trueFlag),
        source: readSource,
        referent: optional(readSource),
      }),
    ),
  ),
});

const readContradiction = record<Contradiction>({
  id,
  memoryA: id,
  memoryB: id,
  detectedAt: time,
  reason: text,
  status: oneOf("open", "resolved"),
  resolvedAt: optional(time),
  resolution: optional(oneOf("a_wins", "b_wins", "both_valid", "merged")),
  note: optional(text),
});

/** Chooses the reader by a field that only one kind has: memories have `levels`, turns have `sessionId`. */
const readBefore: Reader<Memory | Contradiction | Utterance> = (value, place) => {
  const has = (field: string) => isRecord(value) && Object.hasOwn(value, field);
  if (has("levels")) return readMemory(value, place);
  return has("sessionId") ? readTurn(value, place) : readContradiction(value, place);
};

const readJournalEntry = record<JournalEntry>({
  id,
  at: time,
  action: name,
  changes: list(
    record<JournalChange>({
      kind: oneOf("memory", "contradiction", "turn"),
      id,
      before: optional(readBefore),
      after: name,
    }),
  ),
  undoes: optional(id),
});

/** Lists of an export. Their items are validated one at a time, because a list can be long. */
type ExportLists = Pick<MemoryExport, "memories" | "turns" | "contradictions" | "journal">;
type UnreadExport = Omit<MemoryExport, keyof ExportLists> & { readonly [K in keyof ExportLists]: readonly unknown[] };

const listOnly = list((item) => item);

const readContent = record<UnreadExport>({
  format: oneOf(EXPORT_FORMAT),
  version: () => EXPORT_VERSION,
  exportedAt: time,
  owner: optional(name),
  projectId: optional(name),
  memories: listOnly,
  turns: listOnly,
  contradictions: listOnly,
  journal: optional(listOnly),
});

/**
 * Parses and validates an export from `tl.memory.export()`. To save its memories, use `tl.memory.import`, which
 * validates too.
 *
 * @param data The export, as JSON text or as a parsed object.
 * @throws InvalidImportError if the data is not an export of this version, or if any item in it is invalid. The message
 *   names the item and the field.
 *
 * @example
 * const { memories } = readExport(await readFile("memories.json", "utf8"));
 */
export function readExport(data: unknown): MemoryExport {
  return runSteps(exportSteps(data));
}

/** Like `readExport`, but yields between items, so that the caller can let other tasks run. */
export function* exportSteps(data: unknown): Generator<undefined, MemoryExport> {
  const value = typeof data === "string" ? parse(data) : data;
  if (!isRecord(value) || value.format !== EXPORT_FORMAT) {
    throw new InvalidImportError("", `does not have the format "${EXPORT_FORMAT}"`);
  }
  if (value.version !== EXPORT_VERSION) {
    throw new InvalidImportError(
      "version",
      `is ${describeValue(value.version)}, and this release reads ${EXPORT_VERSION}`,
      "Import the data with the release that exported it. Nothing was imported.",
    );
  }
  const { journal, ...unread } = readContent(value, "");
  const read: MemoryExport = {
    ...unread,
    memories: yield* readItems(unread.memories, "memories", readMemory),
    turns: yield* readItems(unread.turns, "turns", readTurn),
    contradictions: yield* readItems(unread.contradictions, "contradictions", readContradiction),
    ...(journal && { journal: yield* readItems(journal, "journal", readJournalEntry) }),
  };
  checkIds(read);
  yield;
  checkReferences(read);
  yield;
  return read;
}

function* readItems<T>(items: readonly unknown[], place: string, read: Reader<T>): Generator<undefined, readonly T[]> {
  const found: T[] = [];
  for (const [index, item] of items.entries()) {
    found.push(read(item, `${place}[${index}]`));
    yield;
  }
  return found;
}

function parse(source: string): unknown {
  const parsed = tryParseJson(source);
  if (parsed === undefined) throw new InvalidImportError("", "is not valid JSON");
  return parsed.value;
}

function checkIds({ memories, turns, contradictions, journal = [] }: MemoryExport): void {
  refuseDuplicates("memories", memories, (each) => each.id, "id");
  refuseDuplicates("turns", turns, (each) => each.id, "id");
  refuseDuplicates("turns", turns, (each) => `${each.position} ${each.sessionId}`, "position");
  refuseDuplicates("contradictions", contradictions, (each) => each.id, "id");
  refuseDuplicates("journal", journal, (each) => each.id, "id");
}

function refuseDuplicates<T>(place: string, items: readonly T[], nameOf: (item: T) => string, field: string): void {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const first = seen.get(nameOf(item));
    if (first !== undefined) {
      throw new InvalidImportError(`${place}[${index}].${field}`, `is the same as that of ${place}[${first}]`);
    }
    seen.set(nameOf(item), index);
  }
}

function checkReferences({ memories, turns, contradictions }: MemoryExport): void {
  const known = new Map(memories.map((memory) => [memory.id, memory]));
  for (const [index, { memoryA, memoryB }] of contradictions.entries()) {
    const place = `contradictions[${index}]`;
    if (!known.has(memoryA))
      throw new InvalidImportError(`${place}.memoryA`, "is not the id of a memory in this export");
    if (!known.has(memoryB))
      throw new InvalidImportError(`${place}.memoryB`, "is not the id of a memory in this export");
  }
  for (const [index, { text: said, staleSpans = [], marks = [] }] of turns.entries()) {
    const isWrong = ({ start, end }: { start: number; end: number }) => start >= end || end > said.length;
    const refuse = (field: string) => {
      throw new InvalidImportError(`turns[${index}].${field}`, "has a range outside the text");
    };
    const wrong = staleSpans.findIndex(isWrong);
    if (wrong !== -1) refuse(`staleSpans[${wrong}]`);
    const wrongMark = marks.findIndex(({ spans = [] }) => spans.some(isWrong));
    if (wrongMark !== -1) refuse(`marks[${wrongMark}].spans`);
  }
  refuseCycles(memories, known);
}

/** Refuses cycles in `supersedes`: following the chain of replaced memories has to end. */
function refuseCycles(memories: readonly Memory[], known: ReadonlyMap<string, Memory>): void {
  const ends = new Set<string>();
  for (const [index, memory] of memories.entries()) {
    const chain = new Set<string>();
    for (let each: Memory | undefined = memory; each !== undefined && !ends.has(each.id); ) {
      if (chain.has(each.id)) throw new InvalidImportError(`memories[${index}].supersedes`, "forms a cycle");
      chain.add(each.id);
      each = each.supersedes === undefined ? undefined : known.get(each.supersedes);
    }
    for (const each of chain) ends.add(each);
  }
}

import { checkOptions, FLAG } from "../errors/check-options.ts";
import { InvalidOptionError } from "../errors/input-errors.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import { omitUndefined } from "../internal/json.ts";
import type { Memory, MemorySource, Utterance } from "../ports/memory.ts";
import type { ErasureReport, MemoryCommit } from "../ports/memory-store.ts";
import { savePendingFacts } from "./ingest/ingest-turns.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { SearchSpaces } from "./search/search-spaces.ts";
import { indexMemory, writeEntries, writeMarks } from "./space/index-memory.ts";
import { assertWritable, isVisible, readMemories, spaceOf, visibleSpaces } from "./space/spaces.ts";
import { untilWritten } from "./space/write-changes.ts";
import { withoutMarksBy } from "./staleness/mark-stale.ts";

const NOTHING: ErasureReport = { memories: 0, turns: 0, contradictions: 0, journalChanges: 0, judgements: 0 };

/** Items to erase, in all spaces. */
interface PurgeTargets {
  /** Ids of memories, by space. */
  readonly memories: ReadonlyMap<string, readonly string[]>;
  /** Ids of turns. */
  readonly turns: ReadonlySet<string>;
  /** Returns true for an erased source. Memories with such a source are erased too. */
  readonly isErased?: (source: MemorySource) => boolean;
  /** Sessions whose pending facts are saved before the erasure. */
  readonly sessions?: ReadonlySet<string>;
  /** Keeps memories with an erased source, reduced to session and time of that source. */
  readonly keepMemories?: boolean;
}

/** Options of `tl.memory.purgeSession`. */
export interface PurgeSessionOptions {
  /** Keeps the memories extracted from the session, but of their source only session and time. Default: false. */
  readonly keepMemories?: boolean;
}

/**
 * Erases memories and turns permanently: text, search entries, vectors, journal changes, contradictions and judgements.
 * Erasing a memory also erases its source turns, because they contain the same statement. Erasing a turn also erases
 * the memories based on it; a memory saved by hand only loses that source. The erasure is atomic in each space.
 *
 * @throws NotFoundError if an id is unknown; then nothing is erased.
 */
export async function purgeMemories(
  context: MemoryContext,
  search: SearchSpaces,
  ids: string | readonly string[],
): Promise<ErasureReport> {
  const wanted = typeof ids === "string" ? [ids] : ids;
  if (!Array.isArray(wanted)) throw new InvalidOptionError("ids", typeof ids, "an id, or a list of ids");
  const found = await findAll(context, wanted);
  const quoting = [...found.turns, ...(await turnsQuoting(context, [...found.memories.values()].flat()))];
  const isErased = (source: MemorySource) => found.turns.some((turn) => isPlaceOf(source, turn));
  return erase(context, search, {
    memories: new Map([...found.memories].map(([space, memories]) => [space, memories.map(({ id }) => id)])),
    turns: new Set(quoting.map(({ id }) => id)),
    ...(found.turns.length > 0 && { isErased }),
    sessions: new Set(quoting.map(({ sessionId }) => sessionId)),
  });
}

/** Erases the turns of a session, and the memories extracted from them. */
export async function purgeSessionMemories(
  context: MemoryContext,
  search: SearchSpaces,
  sessionId: string,
  options: PurgeSessionOptions = {},
): Promise<void> {
  checkOptions("memory.purgeSession", options, { keepMemories: FLAG });
  const { keepMemories = false } = options;
  const turns = await context.memoryStore.list(spaceOf("user-private", context), "turns", { sessionId });
  await erase(context, search, {
    memories: new Map(),
    turns: new Set(turns.map(({ id }) => id)),
    isErased: (source) => source.sessionId === sessionId,
    keepMemories,
    ...(keepMemories && { sessions: new Set([sessionId]) }),
  });
}

interface Found {
  readonly memories: ReadonlyMap<string, readonly Memory[]>;
  readonly turns: readonly Utterance[];
}

/** Finds the memories with the given ids, and the turns with the remaining ids. */
async function findAll(context: MemoryContext, ids: readonly string[]): Promise<Found> {
  const left = new Set(ids);
  const memories = new Map<string, readonly Memory[]>();
  for (const space of visibleSpaces(context)) {
    const found = await context.memoryStore.get(space, "memories", [...left]);
    const seen = found.filter((memory) => isVisible(memory, context));
    for (const { id } of seen) left.delete(id);
    memories.set(space, seen);
  }
  const quoting = await context.memoryStore.get(spaceOf("user-private", context), "turns", [...left]);
  const turns = quoting.filter((turn) => isVisible(turn, context));
  for (const { id } of turns) left.delete(id);
  const [missing] = left;
  if (missing !== undefined) throw new NotFoundError(`Memory ${missing}`, "here");
  return { memories, turns };
}

async function erase(context: MemoryContext, search: SearchSpaces, targets: PurgeTargets): Promise<ErasureReport> {
  // A turn may have pending facts of the turns before it: they become memories first, and are erased with their turns.
  for (const sessionId of targets.sessions ?? []) await savePendingFacts(context, search, sessionId);
  const report = { ...NOTHING };
  // Spaces with named memories come last: after a crash in between, a retry still finds those memories.
  const isNamed = (space: string) => (targets.memories.get(space) ?? []).length > 0;
  const spaces = visibleSpaces(context).toReversed();
  for (const space of [...spaces.filter((one) => !isNamed(one)), ...spaces.filter(isNamed)]) {
    const erased = await untilWritten(context, space, (revision) =>
      eraseFrom(context, search, targets, { space, revision }),
    );
    for (const count of Object.keys(report) as (keyof ErasureReport)[]) report[count] += erased[count];
  }
  return report;
}

/** One attempt in one space; `undefined` if a concurrent write changed the space. */
async function eraseFrom(
  context: MemoryContext,
  search: SearchSpaces,
  targets: PurgeTargets,
  { space, revision }: { readonly space: string; readonly revision: number },
): Promise<ErasureReport | undefined> {
  const isOwn = space === spaceOf("user-private", context);
  const { isErased = () => false } = targets;
  const named = new Set(targets.memories.get(space));
  const found = targets.isErased === undefined ? [] : await restingOn(context, space, isErased);
  const resting = found.filter(({ id }) => !named.has(id));
  const memories = [...named, ...resting.map(({ id }) => id)];
  const turns = isOwn ? [...targets.turns] : [];
  if (memories.length + turns.length === 0) return NOTHING;
  assertWritable(space, context);
  const kept = targets.keepMemories
    ? resting.map((memory) => withoutWords(memory, isErased))
    : resting.filter(({ byHand }) => byHand).map((memory) => withoutSources(memory, isErased));
  const erasedIds = new Set([...memories, ...turns]);
  for (const { id } of kept) erasedIds.delete(id);
  const marked = isOwn ? await marksLeft(context, search, space, erasedIds) : [];
  const write: MemoryCommit = {
    revision,
    memories: kept.map(indexMemory),
    turns: marked,
    entries: [...(await writeEntries(context, kept, [])), ...(await writeMarks(context, space, marked))],
  };
  return context.memoryStore.erase(space, { memories, turns, write });
}

/** Turns that an erased item had outdated, without its marks. Turns without marks are valid again. */
export async function marksLeft(
  { memoryStore }: MemoryContext,
  search: SearchSpaces,
  space: string,
  erasedIds: ReadonlySet<string>,
): Promise<readonly Utterance[]> {
  const ids = (await search.open(space)).documents.marked().filter((id) => !erasedIds.has(id));
  const turns = ids.length === 0 ? [] : await memoryStore.get(space, "turns", ids);
  return turns.flatMap((turn) => {
    const left = withoutMarksBy(turn, erasedIds);
    return left === turn ? [] : [left];
  });
}

/** The owner's memories with an erased source, in any project. */
export async function restingOn(
  { memoryStore, userId }: MemoryContext,
  space: string,
  isErased: (source: MemorySource) => boolean,
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  for await (const page of readMemories(memoryStore, space)) {
    found.push(...page.filter((memory) => memory.owner === userId && sourcesOf(memory).some(isErased)));
  }
  return found;
}

/** The memory without its erased sources. */
export function withoutSources(memory: Memory, isErased: (source: MemorySource) => boolean): Memory {
  const [source = {}, ...earlier] = sourcesOf(memory).filter((one) => !isErased(one));
  return omitUndefined({ ...memory, source, earlierSources: earlier.length === 0 ? undefined : earlier });
}

/** The memory with only session and time of its erased sources. */
function withoutWords(memory: Memory, isErased: (source: MemorySource) => boolean): Memory {
  const [source = {}, ...earlier] = sourcesOf(memory).map((one) =>
    isErased(one) ? omitUndefined({ sessionId: one.sessionId, at: one.at }) : one,
  );
  return omitUndefined({ ...memory, source, earlierSources: earlier.length === 0 ? undefined : earlier });
}

function sourcesOf({ source, earlierSources = [] }: Memory): readonly MemorySource[] {
  return [source, ...earlierSources];
}

/** Source turns of the caller's own memories. */
async function turnsQuoting(context: MemoryContext, memories: readonly Memory[]): Promise<readonly Utterance[]> {
  const places = memories.filter(({ owner }) => owner === context.userId).flatMap(sourcesOf);
  const ids = places.flatMap(({ sessionId, messageId }) =>
    sessionId === undefined || messageId === undefined ? [] : [messageId, `${sessionId}/${messageId}`],
  );
  const turns =
    ids.length === 0 ? [] : await context.memoryStore.get(spaceOf("user-private", context), "turns", [...new Set(ids)]);
  return turns.filter((turn) => places.some((place) => isPlaceOf(place, turn)));
}

export function isPlaceOf({ sessionId, messageId }: MemorySource, turn: Utterance): boolean {
  return sessionId === turn.sessionId && messageId === (turn.messageId ?? turn.id);
}

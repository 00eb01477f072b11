import { omitUndefined } from "../../internal/json.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import { isConclusion } from "../../ledger/statements.ts";
import type { Memory, Utterance } from "../../ports/memory.ts";
import type { SearchEntry, StoredMemory } from "../../ports/memory-store.ts";
import { factHandles, toComparable } from "../facts/compare-facts.ts";
import { keyWords } from "../facts/slots.ts";
import type { MemoryContext } from "../memory-context.ts";
import { otherNames } from "../remember/draft-memory.ts";
import { markEntry, packEntry, type Searchable } from "../search/search-entry.ts";
import { embed, embedded, withoutUser } from "./embed-texts.ts";

/** A memory with its lookup keys. Only facts have a slot. */
export function indexMemory(memory: Memory): StoredMemory {
  const { slot, fingerprint } = factHandles(toComparable(memory));
  return memory.kind === "fact" && slot !== undefined ? { memory, slot, fingerprint } : { memory, fingerprint };
}

/** A turn with the facts extracted from it that are not in its own words. */
export interface ReadTurn {
  readonly turn: Utterance;
  readonly facts: readonly string[];
}

/** Search entries of memories and turns, with vectors if the embedder works. All texts are embedded in one call. */
export async function writeEntries(
  context: MemoryContext,
  memories: readonly Memory[],
  turns: readonly ReadTurn[],
): Promise<SearchEntry[]> {
  const searchables = [
    ...(await mapYielding(memories, searchableMemory)),
    ...(await mapYielding(turns, searchableTurn)),
  ];
  const spoken = searchables.filter(({ text }) => text !== "");
  const vectors = await embed(
    context,
    spoken.map(({ text }) => text),
  );
  const vectorOf = new Map(spoken.map(({ id }, at) => [id, vectors?.[at]]));
  return mapYielding(searchables, (searchable) => {
    const entry = { id: searchable.id, entry: packEntry(searchable) };
    const vector = vectorOf.get(searchable.id);
    return vector === undefined ? entry : { ...entry, ...embedded(vector, context.embedder) };
  });
}

/** Search entries of stored turns with their current marks; the rest of each entry stays unchanged. */
export async function writeMarks(
  { memoryStore }: Pick<MemoryContext, "memoryStore">,
  space: string,
  turns: readonly Utterance[],
): Promise<readonly SearchEntry[]> {
  const marked = new Map(turns.map((turn) => [turn.id, turn]));
  const entries = marked.size === 0 ? [] : await memoryStore.get(space, "entries", [...marked.keys()]);
  return entries.map((known) => {
    const { staleSince: validTo, marks } = marked.get(known.id) ?? {};
    return { ...known, entry: markEntry(known.entry, omitUndefined({ validTo, isMarked: marks !== undefined })) };
  });
}

export function searchableMemory(memory: Memory): Searchable {
  const { id, kind, levels, key, value, subject, aliases, source } = memory;
  const names = [...aliases, ...otherNames(levels.full)];
  const also = [
    ...names,
    ...(key === undefined ? [] : keyWords(key)),
    value,
    subject === "user" ? undefined : subject,
    ...memory.artifacts.map(({ ref }) => ref),
  ];
  const { validFrom, validTo, archivedAt, projectId } = memory;
  return omitUndefined({
    id,
    type: "memory" as const,
    kind,
    text: withoutUser(levels.full),
    also: also.filter((text) => text !== undefined),
    speaker: source.speaker,
    at: source.at ?? validFrom,
    validFrom,
    validTo,
    archivedAt,
    projectId,
  });
}

const NO_SPEECH: readonly string[] = ["tool", "function", "system", "developer"];

/** True if a turn should be searchable. Tool output and the assistant's announcements of its next step should not. */
function isEvidence({ role, text }: Utterance): boolean {
  return !NO_SPEECH.includes(role) && (role !== "assistant" || isConclusion(text));
}

/** Archived before any time that a query can ask for: never visible. */
const NEVER = Number.NEGATIVE_INFINITY;

export function searchableTurn({ turn, facts }: ReadTurn): Searchable {
  const { id, sessionId, position, role, speaker, text, at, staleSince, projectId, marks } = turn;
  const place = { id, type: "turn" as const, sessionId, position, role, projectId, isMarked: marks !== undefined };
  // The empty text matches no query; the entry only keeps the position of the turn between its neighbors.
  if (turn.synthetic || !isEvidence(turn)) return omitUndefined({ ...place, text: "", archivedAt: NEVER });
  return omitUndefined({
    ...place,
    text,
    also: [...facts, ...otherNames(text)],
    speaker,
    at,
    // A turn that is outdated as a whole is not valid any more.
    validTo: staleSince,
  });
}

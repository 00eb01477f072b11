import { omitUndefined } from "../../internal/json.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import type { Memory, Turn } from "../../ports/memory.ts";
import type { SearchEntry, ShelvedMemory } from "../../ports/memory-shelf.ts";
import { extractFacts } from "../extract/extract-facts.ts";
import { factHandles, toComparable } from "../facts/compare-facts.ts";
import { keyWords } from "../facts/slot-keys.ts";
import { markEntry, packEntry, packVector, type Searchable } from "../recall/search-entry.ts";
import type { MemoryContext } from "./memory-context.ts";
import { otherNames } from "./other-names.ts";

/** A memory with what it is looked up by. Only facts say something of something. */
export function shelve(memory: Memory): ShelvedMemory {
  const { slot, fingerprint } = factHandles(toComparable(memory));
  return memory.kind === "fact" && slot !== undefined ? { memory, slot, fingerprint } : { memory, fingerprint };
}

/** A turn, and the facts that were found in it. */
export interface ReadTurn {
  readonly turn: Turn;
  readonly facts: readonly string[];
}

/** A turn that comes from elsewhere, with the facts that the rules find in it. */
export function rereadTurn(turn: Turn): ReadTurn {
  const { id, role, text, speaker, synthetic } = turn;
  return {
    turn,
    facts: extractFacts([omitUndefined({ id, role, text, speaker, synthetic })]).map((fact) => fact.text),
  };
}

/** What search holds of memories and turns, with vectors where the embedder gives some. */
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
    return vector === undefined ? entry : { ...entry, embedder: context.embedder.name, vector: packVector(vector) };
  });
}

/** What search holds of turns that are there, with their marks as they are now. All else of it stays as it was. */
export async function writeMarks(
  { shelf }: MemoryContext,
  space: string,
  turns: readonly Turn[],
): Promise<readonly SearchEntry[]> {
  const marked = new Map(turns.map((turn) => [turn.id, turn]));
  const entries = marked.size === 0 ? [] : await shelf.entriesOf(space, [...marked.keys()]);
  return entries.map((known) => {
    const { staleSince: validTo, marks } = marked.get(known.id) ?? {};
    return { ...known, entry: markEntry(known.entry, omitUndefined({ validTo, isMarked: marks !== undefined })) };
  });
}

/** Vectors of texts; nothing where the embedder fails: words alone find them until it works again. */
export async function embed(
  { embedder, logger }: Pick<MemoryContext, "embedder" | "logger">,
  texts: readonly string[],
  use: "passage" | "query" = "passage",
): Promise<readonly Float32Array[] | undefined> {
  if (texts.length === 0) return [];
  try {
    return await embedder.embed(texts, use);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    logger.warn(`The embedder ${embedder.name} failed (${why}); recall goes by words alone.`);
    return undefined;
  }
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

/** Most memories are of the user: who that is tells none of them from the others. */
const USER = /\b(?:(?:the )user(?:['’]s)?|user['’]s)\b|^user\b/gi;

/** A text or a question without its mention of the user, where it says anything else. */
export function withoutUser(text: string): string {
  const rest = text.replace(USER, "").trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : text;
}

/** Before all times: it was never there for anybody. */
const NEVER = Number.NEGATIVE_INFINITY;

function searchableTurn({ turn, facts }: ReadTurn): Searchable {
  const { id, sessionId, position, role, speaker, text, at, staleSince, projectId, marks } = turn;
  const place = { id, type: "turn" as const, sessionId, position, role, projectId, isMarked: marks !== undefined };
  // It has its place among the others, and no words by which it or they could be found.
  if (turn.synthetic) return omitUndefined({ ...place, text: "", archivedAt: NEVER });
  return omitUndefined({
    ...place,
    text,
    also: [...facts, ...otherNames(text)],
    speaker,
    at,
    // What is outdated as a whole does not hold any more.
    validTo: staleSince,
  });
}

import fc from "fast-check";
import { DAY } from "../../internal/time.ts";
import { packVector } from "./packed-vector.ts";
import { packEntry, type Searchable } from "./search-entry.ts";
import { SearchIndex } from "./search-index.ts";

export const EMBEDDER = "test";
export const NOW = Date.UTC(2026, 5, 1);

/** An index of the given documents, with vectors by id. */
export function indexOf(
  searchables: readonly Searchable[],
  vectors: Readonly<Record<string, readonly number[]>> = {},
): SearchIndex {
  const index = new SearchIndex();
  for (const searchable of searchables) put(index, searchable, vectors[searchable.id]);
  return index;
}

export function put(index: SearchIndex, searchable: Searchable, vector?: readonly number[]): void {
  const entry = { id: searchable.id, entry: packEntry(searchable) };
  const packed = vector && { embedder: EMBEDDER, vector: packVector(Float32Array.from(vector)) };
  index.put({ ...entry, ...packed }, EMBEDDER);
}

export function memoryOf(text: string, more: Partial<Searchable> = {}): Searchable {
  return { id: text, type: "memory", kind: "fact", text, ...more };
}

export function turnOf(position: number, text: string, more: Partial<Searchable> = {}): Searchable {
  return {
    id: `${more.sessionId ?? "s"}-${position}`,
    type: "turn",
    sessionId: "s",
    position,
    role: "user",
    text,
    ...more,
  };
}

const WORDS = "boat river garden winter lamp silver music doctor bridge coffee".split(" ");
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const time = fc.integer({ min: -20, max: 20 }).map((days) => NOW + days * DAY);

/** Memories and turns of all kinds with unique ids. */
export const anySearchables: fc.Arbitrary<Searchable[]> = fc
  .array(
    fc.record(
      {
        type: fc.constantFrom<Searchable["type"][]>("memory", "turn"),
        kind: fc.constantFrom<NonNullable<Searchable["kind"]>[]>("fact", "episode", "workflow"),
        text,
        sessionId: fc.constantFrom("a", "b"),
        role: fc.constantFrom("user", "assistant"),
        speaker: fc.constantFrom("Ann", "Ben"),
        at: time,
        validFrom: time,
        validTo: time,
        archivedAt: time,
        projectId: fc.constantFrom("p1", "p2"),
      },
      { requiredKeys: ["type", "text"] },
    ),
    { maxLength: 40 },
  )
  .map((list) => list.map((each, position) => ({ ...each, id: `d${position}`, position })));

/** Questions with words of the same vocabulary. */
export const anyQuestion: fc.Arbitrary<string> = text;

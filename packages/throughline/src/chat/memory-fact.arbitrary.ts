import fc from "fast-check";
import { DAY } from "../internal/time.ts";
import type { FactCategory } from "../ports/memory.ts";
import type { MemoryFact } from "./memory-fact.ts";

/** Current time of the tests. */
export const NOW = 1_000 * DAY;

/** A fact with defaults for fields that a test does not need. */
export function memoryFactOf(fact: string, more: Partial<MemoryFact> = {}): MemoryFact {
  return {
    id: fact,
    fact,
    category: "project",
    confidence: 0.75,
    mentionCount: 1,
    firstSeen: NOW,
    lastSeen: NOW,
    lastSeenConversationId: "c1",
    pinned: false,
    ...more,
  };
}

const words = fc.constantFrom(
  "postgres",
  "dark",
  "mode",
  "Lisbon",
  "tests",
  "I",
  "my",
  "where",
  "builds",
  "数据库",
  "#",
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(words, { minLength: 1, maxLength: 12 }).map((list) => list.join(" ")) },
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.integer({ min: 1, max: 900 }).map((length) => "long ".repeat(length)),
);

export const anyMessage = fc.option(text, { nil: undefined });

/** Facts of all kinds with unique ids. */
export const anyMemoryFacts: fc.Arbitrary<MemoryFact[]> = fc
  .array(
    fc.record({
      fact: text,
      category: fc.constantFrom<FactCategory[]>("identity", "preference", "project"),
      confidence: fc.double({ min: 0.05, max: 1, noNaN: true }),
      pinned: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
      lastSeen: fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((more, index) => memoryFactOf(more.fact, { ...more, id: `f${index}` })));

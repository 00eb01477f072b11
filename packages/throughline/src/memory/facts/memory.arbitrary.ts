import fc from "fast-check";
import { DAY } from "../../internal/time.ts";
import type { FactCategory, Memory } from "../../ports/memory.ts";

/** Current time in tests. */
export const NOW = 1_000 * DAY;

/** A fact with this text and default values. */
export function factOf(text: string, more: Partial<Memory> = {}): Memory {
  return {
    id: text,
    kind: "fact",
    levels: { full: text, summary: text, compressed: text, index: text },
    aliases: [],
    category: "identity",
    confidence: 0.75,
    mentions: 1,
    pinned: false,
    byHand: false,
    owner: "u1",
    scope: "user-private",
    createdAt: NOW,
    lastSeenAt: NOW,
    validFrom: NOW,
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: {},
    artifacts: [],
    links: [],
    ...more,
  };
}

const category = fc.constantFrom<FactCategory[]>("identity", "preference", "project");

/** Facts of all ages and kinds with unique ids. */
export function anyFacts(maxLength: number): fc.Arbitrary<Memory[]> {
  const fields = fc.record({
    category,
    confidence: fc.double({ min: 0.05, max: 1, noNaN: true }),
    pinned: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
    byHand: fc.boolean(),
    lastSeenAt: fc.integer({ min: 0, max: 900 }).map((days) => NOW - days * DAY),
  });
  return fc
    .array(fields, { maxLength, size: "max" })
    .map((list) => list.map((more, index) => factOf(`Fact number ${index}`, { ...more, id: `f${index}` })));
}

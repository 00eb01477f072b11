import fc from "fast-check";
import { omitUndefined } from "../../internal/json.ts";
import { DAY } from "../../internal/time.ts";
import type { Contradiction, FactCategory, Memory, MemoryKind, MemoryScope } from "../../ports/memory.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";

const TEXTS = [
  "User likes tea",
  "User enjoys tea",
  "User does not like tea",
  "User likes green tea",
  "User has two dogs",
  "User has three dogs",
  "User has two puppies",
  "User lives in Lisbon",
  "The user is based in Lisbon.",
  "User lives in Lisbon, Portugal",
  "User lives in Oslo",
  "Ann taught Bob to sail",
  "Bob taught Ann to sail",
  "We deploy src/api/server.ts with Kubernetes",
  "Kubernetes restarts src/api/server.ts every night",
  "Ann works on the billing service with Redis",
  "The billing service of Ann is slow",
  "Fixed the billing service with Ann. Root cause: wrong timezone. Added a regression test.",
  "🍕",
  "",
];

function sometimes<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}
const daysAgo = fc.integer({ min: 0, max: 400 }).map((days) => NOW - days * DAY);
const ids = fc.array(fc.nat(30), { maxLength: 4 }).map((numbers) => numbers.map((number) => `m${number}`));

const fields = fc.record({
  text: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  ),
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant<MemoryKind>("fact") },
    { weight: 2, arbitrary: fc.constantFrom<MemoryKind[]>("episode", "pattern", "workflow") },
  ),
  key: sometimes(fc.constantFrom("db", "database", "decision", "likes", "residence")),
  value: sometimes(fc.constantFrom("Postgres", "PostgreSQL 16", "MySQL", "tea")),
  subject: sometimes(fc.constantFrom("user", "project", "Ann")),
  category: sometimes(fc.constantFrom<FactCategory[]>("identity", "preference", "project")),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  mentions: fc.integer({ min: 1, max: 4 }),
  pinned: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  byHand: fc.boolean(),
  scope: fc.constantFrom<MemoryScope[]>("user-private", "user-private", "user-private", "project-shared"),
  projectId: sometimes(fc.constantFrom("p", "q")),
  owner: fc.constantFrom("u1", "u1", "u1", "u2"),
  createdAt: daysAgo,
  lastSeenAt: daysAgo,
  validFrom: daysAgo,
  validTo: sometimes(daysAgo),
  archivedAt: sometimes(daysAgo),
  supersededBy: sometimes(fc.nat(30).map((number) => `m${number}`)),
  usage: fc.record({ retrieved: fc.nat(3), cited: fc.nat(3), ignored: fc.nat(12) }),
  source: fc.record({ sessionId: fc.constantFrom("s1", "s2", "s3"), messageId: fc.constantFrom("x", "y", "z") }),
  links: ids,
  aliases: fc.array(fc.constantFrom("brew", "hound"), { maxLength: 2 }),
});

/** Memories of all kinds and ages, some ended or archived, with unique ids. */
export function anySpace(maxLength = 24): fc.Arbitrary<readonly Memory[]> {
  return fc.array(fields, { maxLength, size: "max" }).map((list) =>
    list.map(({ text, ...more }, at): Memory => {
      const { category: _, ...plain } = factOf(text, { id: `m${at}` });
      return { ...plain, ...omitUndefined(more) };
    }),
  );
}

/** Contradictions between any two of these memories. */
export const anyContradictions: fc.Arbitrary<readonly Contradiction[]> = fc.array(
  fc.record({ a: fc.nat(24), b: fc.nat(24), isOpen: fc.boolean() }).map(({ a, b, isOpen }): Contradiction => {
    const pair = { id: `k${a}-${b}`, memoryA: `m${a}`, memoryB: `m${b}`, detectedAt: 1, reason: "" };
    return isOpen
      ? { ...pair, status: "open" }
      : { ...pair, status: "resolved", resolution: "both_valid", resolvedAt: 2 };
  }),
  { maxLength: 3 },
);

/** The same vector for all memories, so that only the rules distinguish them. */
export function equalVectors(memories: readonly Memory[]): ReadonlyMap<string, Float32Array> {
  return new Map(memories.map(({ id }) => [id, Float32Array.of(0.6, 0.8)]));
}

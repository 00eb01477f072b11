import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { DAY } from "../../internal/time.ts";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { MAX_CHAT_FACTS } from "../facts/fact-rules.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { writeJournalEntry } from "../undo/journal-entry.ts";
import { planUndo } from "../undo/undo-entry.ts";
import { comparisonKey, isCurrent } from "./fact-index.ts";
import {
  adjustConfidence,
  ageLevels,
  type ConsolidationOptions,
  type ConsolidationPlan,
  planConsolidation,
} from "./plan-consolidation.ts";
import { anyContradictions, anySpace, equalVectors } from "./space.arbitrary.ts";

function plan(
  memories: readonly Memory[],
  more: Partial<ConsolidationOptions> = {},
  known: readonly Contradiction[] = [],
): Promise<ConsolidationPlan> {
  let count = 0;
  const newId = () => `c${known.length + count++}`;
  return planConsolidation(memories, known, { now: NOW, newId, vectors: equalVectors(memories), ...more });
}

function after(memories: readonly Memory[], { memories: changed }: ConsolidationPlan): readonly Memory[] {
  const all = new Map([...memories, ...changed].map((memory) => [memory.id, memory]));
  return [...all.values()];
}

function find(memories: readonly Memory[], id: string): Memory {
  return memories.find((memory) => memory.id === id) ?? factOf("none");
}

describe("merging", () => {
  const first = factOf("User has two dogs", {
    id: "a",
    mentions: 2,
    confidence: 0.6,
    createdAt: NOW - 2 * DAY,
    lastSeenAt: NOW - DAY,
    validFrom: NOW - 2 * DAY,
    source: { sessionId: "s1", messageId: "m1" },
  });
  const second = factOf("User has two puppies", {
    id: "b",
    mentions: 3,
    confidence: 0.8,
    pinned: true,
    lastSeenAt: NOW,
    aliases: ["pets"],
    source: { sessionId: "s2", messageId: "m2" },
    usage: { retrieved: 1, cited: 1, ignored: 0, lastAccessedAt: 5 },
  });

  it("keeps one of two equivalent facts and archives the other as superseded by it", async () => {
    const { deduped, merged, memories } = await plan([first, second]);
    expect(deduped).toBe(1);
    expect([...merged]).toEqual([["b", "a"]]);
    expect(find(memories, "a")).toMatchObject({
      mentions: 5,
      confidence: expect.closeTo(0.95),
      pinned: true,
      createdAt: first.createdAt,
      validFrom: first.validFrom,
      lastSeenAt: NOW,
      aliases: ["pets", "puppies"],
      source: second.source,
      earlierSources: [first.source],
      usage: { retrieved: 1, cited: 1, ignored: 0, lastAccessedAt: 5 },
    });
    expect(find(memories, "b")).toMatchObject({ archivedAt: NOW, supersededBy: "a", pinned: false, mentions: 3 });
  });

  it("counts the mention of one message once", async () => {
    const twice = { ...second, source: first.source };
    expect(find((await plan([first, twice])).memories, "a")).toMatchObject({ mentions: 3, confidence: 0.8 });
  });

  it("requires a similarity of 0.92, or the same words if there are no vectors", async () => {
    const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine));
    const vectors = (cosine: number) =>
      new Map([
        ["a", at(1)],
        ["b", at(cosine)],
      ]);
    const cities = [factOf("User lives in Lisbon", { id: "a" }), factOf("User lives in Lisbon, Portugal", { id: "b" })];
    expect((await plan(cities, { vectors: vectors(0.921) })).deduped).toBe(1);
    expect((await plan(cities, { vectors: vectors(0.919) })).deduped).toBe(0);
    const again = factOf("The user has two dogs.", { id: "c" });
    expect((await plan([first, again], { vectors: new Map() })).deduped).toBe(1);
  });

  it.each([
    ["subject", { subject: "Ann" }],
    ["project", { projectId: "p" }],
    ["scope", { scope: "project-shared" as const }],
    ["owner", { owner: "u2" }],
    ["end", { validTo: NOW + DAY }],
  ])("keeps two facts with a different %s", async (_, more) => {
    expect((await plan([first, factOf("User has two dogs", { id: "b", ...more })])).deduped).toBe(0);
  });

  it("skips contradicted, distinguished and restored memories", async () => {
    const dispute = { id: "k", memoryA: "a", memoryB: "z", detectedAt: 1, reason: "", status: "open" as const };
    const apart = { ...dispute, memoryB: "b", status: "resolved" as const, resolution: "both_valid" as const };
    expect((await plan([first, second], {}, [dispute])).deduped).toBe(0);
    expect((await plan([first, second], {}, [apart])).deduped).toBe(0);
    expect((await plan([first, second], { restoredIds: new Set(["b"]) })).deduped).toBe(0);
  });

  it("merges identical workflows, but not episodes", async () => {
    const twins = (kind: "workflow" | "episode") =>
      ["x", "y"].map((id) => factOf("test, build and ship", { id, kind }));
    expect((await plan(twins("workflow"))).deduped).toBe(1);
    expect((await plan(twins("episode"))).deduped).toBe(0);
  });
});

describe("contradictions", () => {
  const db = (id: string, value: string, more: Partial<Memory> = {}) =>
    factOf(`The database is ${value}.`, { id, key: "database", value, subject: "project", ...more });

  it("are opened once between facts with the same key, with the older one first", async () => {
    const memories = [db("b", "MySQL"), db("a", "Postgres", { key: "db", createdAt: NOW - 1 })];
    const found = await plan(memories);
    expect(found.contradictions).toMatchObject([
      { id: "c0", memoryA: "a", memoryB: "b", status: "open", detectedAt: NOW },
    ]);
    expect((await plan(memories, {}, found.contradictions)).contradictionsFound).toBe(0);
  });

  it("are not opened between projects, or for multi-valued keys", async () => {
    expect((await plan([db("a", "MySQL", { projectId: "p" }), db("b", "Postgres")])).contradictionsFound).toBe(0);
    const tool = (id: string, value: string) => factOf(`We use ${value}.`, { id, key: "tool", value });
    expect((await plan([tool("a", "Jest"), tool("b", "Vitest")])).contradictionsFound).toBe(0);
  });

  it("are found by similar words, or between neighbors that the caller provides", async () => {
    const claims = [
      factOf("Kim says the parser leaks the memory of each old request.", { id: "a" }),
      factOf("Lee insists the parser is fine.", { id: "b" }),
    ];
    expect((await plan(claims)).contradictionsFound).toBe(0);
    expect((await plan(claims, { neighbors: () => ["a", "b"] })).contradictionsFound).toBe(1);
    const tea = [factOf("User loves tea", { id: "a" }), factOf("User can't stand tea", { id: "b" })];
    expect((await plan(tea)).contradictionsFound).toBe(1);
  });

  it("are searched only for facts that are new since a given time", async () => {
    const memories = [db("a", "MySQL", { lastSeenAt: NOW - DAY, createdAt: NOW - DAY }), db("b", "Postgres")];
    expect((await plan(memories, { since: NOW })).contradictionsFound).toBe(1);
    expect((await plan(memories, { since: NOW + 1 })).contradictionsFound).toBe(0);
  });
});

describe("a consolidation", () => {
  it("reports its progress after each step", async () => {
    const steps: string[] = [];
    await plan([factOf("User likes tea")], { onProgress: ({ step, done, of }) => steps.push(`${step} ${done}/${of}`) });
    expect(steps).toEqual(["merge 1/6", "compress 2/6", "adjust 3/6", "contradictions 4/6", "forget 5/6", "links 6/6"]);
  });
});

describe("any consolidation", () => {
  const anything = fc.tuple(anySpace(), anyContradictions);
  const hasStoredTurn = ({ id }: Memory) => id.endsWith("1");

  it("is idempotent", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ([memories, known]) => {
        const first = await plan(memories, { hasStoredTurn }, known);
        const second = await plan(after(memories, first), { hasStoredTurn }, [...known, ...first.contradictions]);
        expect(second.memories).toEqual([]);
        expect(second.contradictions).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
  });

  it("does not depend on the order of memories, and archives only memories that it reports", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ([memories, known]) => {
        const first = await plan(memories, { hasStoredTurn }, known);
        expect(await plan(memories.toReversed(), { hasStoredTurn }, known)).toEqual(first);
        expect(first.memories.map(({ id }) => id)).toEqual(first.memories.map(({ id }) => id).sort());
        expect(first.memories.filter(({ id }) => find(memories, id).archivedAt !== undefined)).toEqual([]);
        const away = first.memories.filter(({ archivedAt }) => archivedAt !== undefined).map(({ id }) => id);
        expect(away).toEqual([...first.merged.keys(), ...first.reasons.keys()].sort());
      }),
      { numRuns: cases(37) },
    );
  });

  it("never changes the text, value, subject, owner or scope of a memory", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ([memories, known]) => {
        for (const memory of (await plan(memories, { hasStoredTurn }, known)).memories) {
          const before = find(memories, memory.id);
          expect(memory.levels.full).toBe(before.levels.full);
          expect(comparisonKey(memory)).toBe(comparisonKey(before));
          expect([memory.key, memory.value, memory.validTo]).toEqual([before.key, before.value, before.validTo]);
        }
      }),
      { numRuns: cases(37) },
    );
  });

  it("can be undone exactly", async () => {
    await fc.assert(
      fc.asyncProperty(anything, async ([memories, known]) => {
        const done = await plan(memories, { hasStoredTurn }, known);
        const before = { memories, contradictions: known };
        const entry = runSteps(writeJournalEntry({ id: "j", at: NOW, action: "consolidate", before, after: done }));
        const undo = runSteps(
          planUndo(
            entry,
            { memories: after(memories, done), contradictions: [...known, ...done.contradictions] },
            NOW + 1,
          ),
        );
        if (undo.kind === "refused") throw new Error("refused");
        const restored = after(after(memories, done), { ...done, memories: undo.memories });
        const usage = { retrieved: 0, cited: 0, ignored: 0 };
        const plain = (list: readonly Memory[]) => list.map((memory) => ({ ...memory, usage }));
        expect(plain(restored)).toEqual(plain(memories));
      }),
      { numRuns: cases(37) },
    );
  });

  it("keeps chat facts within the cap and never evicts pinned ones", async () => {
    const many = fc.array(fc.nat(300), { minLength: 140, maxLength: 200, size: "max" });
    await fc.assert(
      fc.asyncProperty(many, async (ages) => {
        const facts = ages.map((age, at) =>
          factOf(`Thing number ${at} is ${age}`, { id: `f${at}`, lastSeenAt: NOW - age * DAY, pinned: at < 10 }),
        );
        const left = after(facts, await plan(facts)).filter((memory) => isCurrent(memory, NOW));
        expect(left.length).toBeLessThanOrEqual(MAX_CHAT_FACTS);
        expect(left.filter(({ pinned }) => pinned).length).toBe(10);
      }),
      { numRuns: cases(20) },
    );
  });

  it("links in both directions, at most eight per memory", async () => {
    await fc.assert(
      fc.asyncProperty(anySpace(), async (memories) => {
        const done = after(memories, await plan(memories, { hasStoredTurn }));
        const holding = new Map(done.filter((memory) => isCurrent(memory, NOW)).map((memory) => [memory.id, memory]));
        for (const { id, links } of holding.values()) {
          const here = links.filter((link) => done.some((memory) => memory.id === link));
          expect(here.length).toBeLessThanOrEqual(8);
          expect(here.filter((link) => !holding.get(link)?.links.includes(id))).toEqual([]);
        }
      }),
      { numRuns: cases(37) },
    );
  });
});

const story = `Debugged the auth flow for two hours. ${"Tried this and that in the login form. ".repeat(8)}Root cause: token expiry check used wrong timezone. Fixed by normalizing to UTC. Added a regression test.`;

function episode(days: number, more = {}) {
  const levels = { full: story, summary: "Fixed auth", compressed: "auth", index: "auth" };
  return factOf(story, { kind: "episode", levels, lastSeenAt: NOW - days * DAY, ...more });
}

describe("an episode", () => {
  it.each([
    [6, undefined],
    [7, undefined],
    [8, "summary"],
    [30, "summary"],
    [31, "compressed"],
  ] as const)("of %i days is served at level %s", (days, level) => {
    expect(ageLevels(episode(days), NOW).servedLevel).toBe(level);
  });

  it("keeps its full text and its existing levels", () => {
    expect(ageLevels(episode(40), NOW)).toEqual({ ...episode(40), servedLevel: "compressed" });
  });

  it("gets its missing levels", () => {
    const bare = episode(8, { levels: { full: story, summary: story, compressed: "", index: "auth" } });
    const { levels } = ageLevels(bare, NOW);
    expect(levels).toMatchObject({ full: story, index: "auth" });
    expect(levels.summary).toContain("Root cause: token expiry check used wrong timezone.");
    expect(levels.summary.length).toBeLessThan(story.length);
    expect(levels.compressed).not.toBe("");
  });

  it("is served in full after a new mention, and always if it is pinned", () => {
    expect(ageLevels(episode(1, { servedLevel: "compressed" }), NOW)).toEqual(episode(1));
    expect(ageLevels(episode(40, { pinned: true }), NOW).servedLevel).toBeUndefined();
  });
});

describe("a memory of another kind", () => {
  it("stays unchanged", () => {
    const fact = factOf(story, { lastSeenAt: 0 });
    expect(ageLevels(fact, NOW)).toBe(fact);
  });
});

function adjusted(cited: number, ignored: number, more = {}): number {
  const confidence = adjustConfidence(factOf("x", { usage: { retrieved: 20, cited, ignored }, ...more })).confidence;
  return Math.round(confidence * 100) / 100;
}

describe("confidence by use", () => {
  it("rises with the number of citations", () => {
    expect([adjusted(1, 0), adjusted(2, 0), adjusted(9, 0)]).toEqual([0.75, 0.84, 0.91]);
  });

  it("falls slightly for memories that are ignored again and again", () => {
    expect([adjusted(0, 4), adjusted(0, 5), adjusted(0, 500)]).toEqual([0.75, 0.69, 0.6]);
    expect(adjusted(2, 5)).toBe(0.75);
  });

  it("does not fall for memories that are pinned, saved by hand or mentioned often", () => {
    for (const more of [{ pinned: true }, { byHand: true }, { mentions: 3 }]) expect(adjusted(0, 50, more)).toBe(0.75);
  });

  it("stays within bounds and does not change on a second run", () => {
    const usage = fc.record({ retrieved: fc.nat(50), cited: fc.nat(50), ignored: fc.nat(50) });
    fc.assert(
      fc.property(usage, fc.double({ min: 0, max: 1, noNaN: true }), (counts, confidence) => {
        const once = adjustConfidence(factOf("x", { usage: counts, confidence }));
        expect(once.confidence).toBeGreaterThanOrEqual(Math.min(confidence, 0.6));
        expect(once.confidence).toBeLessThanOrEqual(Math.max(confidence, 0.95));
        expect(adjustConfidence(once)).toBe(once);
      }),
    );
  });
});

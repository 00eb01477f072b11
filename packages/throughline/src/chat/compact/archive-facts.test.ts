import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { factOf } from "../../memory/facts/memory.arbitrary.ts";
import { openMemory, START } from "../../memory/open-memory.fixture.ts";
import { writeExport } from "../../memory/transfer/memory-export.ts";
import { memoryFactOf, NOW } from "../memory-fact.arbitrary.ts";
import { calculateEvictionScore, evictFactsIfNeeded, pruneExpiredFacts } from "./archive-facts.ts";

describe("calculateEvictionScore", () => {
  it("is the age in days times the category weight, divided by the confidence", () => {
    const seen = { lastSeen: NOW - 10 * DAY, confidence: 0.5 };
    const scoreOf = (category: "project" | "preference" | "identity") =>
      calculateEvictionScore(memoryFactOf("x", { ...seen, category }), NOW);
    expect(scoreOf("project")).toBeCloseTo(16);
    expect(scoreOf("preference")).toBeCloseTo(6);
    expect(scoreOf("identity")).toBeCloseTo(10);
  });

  it("uses the current time by default", () => {
    expect(calculateEvictionScore(memoryFactOf("x", { lastSeen: Date.now() + 60_000 }))).toBe(0);
  });
});

async function memoryWith(count: number, ageInDays: (n: number) => number, pinned = 0) {
  const opened = await openMemory();
  const memories = Array.from({ length: count }, (_, n) => {
    const seen = START - ageInDays(n) * DAY;
    const times = { createdAt: seen, lastSeenAt: seen, validFrom: seen };
    return factOf(`User likes colour-${n}`, { id: `mem_${String(n).padStart(4, "0")}`, ...times, pinned: n < pinned });
  });
  await opened.memory.import(writeExport({ exportedAt: START, memories, turns: [], contradictions: [] }));
  return opened;
}

describe("evictFactsIfNeeded", () => {
  it("does nothing up to 120 facts", async () => {
    const { memory } = await memoryWith(120, () => 300);
    expect(await evictFactsIfNeeded(memory, { now: START })).toEqual({
      kind: "ok",
      value: { evicted: 0, remaining: 120 },
    });
  });

  it("archives stale facts above 120, highest score first, and never a pinned one", async () => {
    const { memory } = await memoryWith(130, (n) => 300 - n, 5);
    const result = await evictFactsIfNeeded(memory, { now: START });
    expect(result).toEqual({ kind: "ok", value: { evicted: 10, remaining: 120 } });
    const left = (await memory.list({ limit: 200 })).map(({ id }) => id);
    expect(left.slice(0, 6)).toEqual(["mem_0000", "mem_0001", "mem_0002", "mem_0003", "mem_0004", "mem_0015"]);
    expect((await memory.get("mem_0005"))?.archivedAt).toBeDefined();
  });

  it("returns the error, and stops when aborted", async () => {
    const { memory } = await memoryWith(130, () => 300);
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    expect(await evictFactsIfNeeded(memory, { now: START, signal: stop.signal })).toMatchObject({
      kind: "error",
      error: { message: "enough" },
    });
    const gone = { list: () => Promise.reject(new Error("gone")), forget: (id: string) => memory.forget(id) };
    expect(await evictFactsIfNeeded(gone)).toMatchObject({ kind: "error", error: { message: "gone" } });
  });
});

describe("pruneExpiredFacts", () => {
  it("archives facts that were not mentioned for the TTL of their category", async () => {
    const { memory } = await memoryWith(20, (n) => 355 + n, 1);
    expect(await pruneExpiredFacts(memory, { now: START })).toEqual({ kind: "ok", value: 9 });
    expect(await memory.list({ limit: 100 })).toHaveLength(11);
    const pinnedOnly = await memoryWith(3, () => 900, 3);
    expect(await pruneExpiredFacts(pinnedOnly.memory, { now: START })).toEqual({ kind: "ok", value: 0 });
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { DAY } from "../../internal/time.ts";
import { canPin, evictionScore, pinFact, planEviction, planExpiry } from "./fact-rules.ts";
import { anyFacts, factOf, NOW } from "./memory.arbitrary.ts";

function facts(count: number, more: object = {}) {
  return Array.from({ length: count }, (_, i) => factOf(`Fact ${i}`, { id: `f${i}`, ...more }));
}

describe("evictionScore", () => {
  it.each([
    ["project" as const, 10, 1, 8],
    ["preference" as const, 10, 1, 3],
    ["identity" as const, 10, 1, 5],
    ["identity" as const, 10, 0.5, 10],
    ["project" as const, 0, 0.5, 0],
  ])("of a %s fact, %i days old, at %f is %f", (category, days, confidence, score) => {
    expect(evictionScore({ category, confidence, lastSeenAt: NOW - days * DAY }, NOW)).toBeCloseTo(score);
  });
});

describe("planEviction", () => {
  it("evicts nothing up to 120 facts of any age", () => {
    expect(planEviction(facts(120, { lastSeenAt: 0 }), NOW)).toEqual({ evicted: [], remaining: 120 });
  });

  it("evicts down to 150 fresh facts", () => {
    const { evicted, remaining } = planEviction(facts(160), NOW);
    expect([evicted.length, remaining]).toEqual([10, 150]);
  });

  it("evicts stale facts down to 120", () => {
    const old = facts(140, { category: "project", lastSeenAt: NOW - 31 * DAY });
    expect(planEviction(old, NOW).remaining).toBe(120);
    expect(planEviction(facts(140, { category: "project", lastSeenAt: NOW - 29 * DAY }), NOW).remaining).toBe(140);
  });

  it("evicts the highest score first", () => {
    const list = facts(155).map((fact, i) => ({ ...fact, lastSeenAt: NOW - i * DAY * 0.1 }));
    expect(planEviction(list, NOW).evicted.map((fact) => fact.id)).toEqual(["f154", "f153", "f152", "f151", "f150"]);
  });

  it("counts only current chat facts", () => {
    const others = [
      ...facts(100, { category: undefined }),
      ...facts(100, { validTo: NOW }),
      ...facts(100, { archivedAt: NOW }),
      ...facts(100, { kind: "episode" }),
    ];
    expect(planEviction([...others, ...facts(130)], NOW)).toEqual({ evicted: [], remaining: 130 });
  });

  it("never keeps more than 150, and never evicts up to ten pinned facts", () => {
    fc.assert(
      fc.property(anyFacts(220), (list) => {
        const { evicted, remaining } = planEviction(list, NOW);
        const ids = new Set(evicted.map((fact) => fact.id));
        expect(remaining).toBe(list.length - ids.size);
        expect(remaining).toBeLessThanOrEqual(150);
        expect(remaining).toBeGreaterThanOrEqual(Math.min(list.length, 120));
        const pins = list.filter((fact) => fact.pinned);
        expect(pins.filter((fact) => !ids.has(fact.id)).length).toBeGreaterThanOrEqual(Math.min(10, pins.length));
        expect(
          planEviction(
            list.filter((fact) => !ids.has(fact.id)),
            NOW,
          ).evicted,
        ).toEqual([]);
      }),
      { numRuns: cases(15) },
    );
  });
});

describe("planExpiry", () => {
  it.each([
    ["project" as const, 60],
    ["preference" as const, 180],
    ["identity" as const, 365],
  ])("lets a %s fact go after %i days without a mention", (category, days) => {
    const at = (age: number, more = {}) => [factOf("x", { category, lastSeenAt: NOW - age * DAY, ...more })];
    expect(planExpiry(at(days), NOW)).toHaveLength(0);
    expect(planExpiry(at(days + 1), NOW)).toHaveLength(1);
    expect(planExpiry(at(days + 1, { pinned: true }), NOW)).toHaveLength(0);
  });
});

describe("pinFact", () => {
  it("accepts ten pins and refuses the eleventh", () => {
    const pinned = facts(10, { pinned: true });
    expect(canPin(pinned.slice(1))).toBe(true);
    expect(pinFact(factOf("one more"), pinned.slice(1)).pinned).toBe(true);
    expect(() => pinFact(factOf("one more"), pinned)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    expect(pinFact(pinned[0] ?? factOf("x"), pinned)).toBe(pinned[0]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { factOf, NOW } from "./memory.arbitrary.ts";
import { mergeFact, replaceFact } from "./merge-fact.ts";

describe("mergeFact", () => {
  it("adds 0.15 to the confidence, a mention and the time", () => {
    const merged = mergeFact(factOf("User lives in Lisbon"), { at: NOW + DAY });
    expect(merged).toMatchObject({ confidence: 0.9, mentions: 2, lastSeenAt: NOW + DAY });
    expect(mergeFact(merged, { at: NOW + DAY }).confidence).toBe(1);
  });

  it("boosts facts saved by hand faster", () => {
    const byHand = factOf("User lives in Lisbon", { byHand: true, confidence: 0.6 });
    expect(mergeFact(byHand, { at: NOW }).confidence - 0.6).toBeGreaterThan(0.15);
  });

  it("counts a message once, even if it is read again", () => {
    const source = { sessionId: "s1", messageId: "m1" };
    const once = mergeFact(factOf("User lives in Lisbon"), { at: NOW, source });
    expect(mergeFact(once, { at: NOW + 1, source })).toBe(once);
    expect(mergeFact(once, { at: NOW + 1, source: { ...source, sessionId: "s2" } }).mentions).toBe(3);
  });

  it("never lowers the confidence or last mention, and keeps the confidence at most 1", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.integer(), (confidence, byHand, at) => {
        const fact = factOf("x", { confidence, byHand });
        const merged = mergeFact(fact, { at });
        expect(merged.confidence).toBeGreaterThanOrEqual(confidence);
        expect(merged.confidence).toBeLessThanOrEqual(1);
        expect(merged.lastSeenAt).toBeGreaterThanOrEqual(fact.lastSeenAt);
      }),
    );
  });
});

describe("replaceFact", () => {
  const rome = factOf("User lives in Rome", { id: "a", confidence: 1, mentions: 9, pinned: true });

  it("ends the old fact, starts the new one at the baseline, and moves the pin", () => {
    const { closed, current } = replaceFact(
      rome,
      factOf("User lives in Oslo", { id: "b", validFrom: NOW + 5, confidence: 0.9 }),
    );
    expect(closed).toMatchObject({ id: "a", validTo: NOW + 5, supersededBy: "b", pinned: false });
    expect(current).toMatchObject({ id: "b", confidence: 0.75, mentions: 1, supersedes: "a", pinned: true });
    const byHand = factOf("User lives in Oslo", { id: "b", byHand: true });
    expect(replaceFact(rome, byHand).current.confidence).toBe(0.6);
  });

  it("orders a fact about an earlier time before the known one", () => {
    const { closed, current } = replaceFact(rome, factOf("User lives in Oslo", { id: "b", validFrom: NOW - 5 }));
    expect(closed).toMatchObject({ id: "b", validTo: NOW, supersededBy: "a" });
    expect(current).toMatchObject({ id: "a", supersedes: "b", confidence: 1, pinned: true });
    expect(current).not.toHaveProperty("validTo");
  });

  it("leaves no overlapping validity", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), (offset) => {
        const { closed, current } = replaceFact(rome, factOf("x", { id: "b", validFrom: NOW + offset }));
        expect(closed.validTo).toBeLessThanOrEqual(current.validFrom);
        expect(closed.validTo).toBeGreaterThanOrEqual(closed.validFrom);
      }),
    );
  });
});

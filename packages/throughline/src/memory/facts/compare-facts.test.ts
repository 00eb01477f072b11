import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import {
  type ComparableFact,
  compareFacts,
  findRelated,
  mergeFact,
  replaceFact,
  toComparable,
} from "./compare-facts.ts";
import { factOf, NOW } from "./memory.arbitrary.ts";
import { normalizeFact } from "./normalize-fact.ts";

function relation(said: string, known: string, more: Partial<ComparableFact> = {}) {
  return compareFacts({ text: said, ...more }, { text: known });
}

describe("a repeated fact", () => {
  it.each([
    ["User lives in Lisbon", "User lives in Lisbon"],
    ["User is based in Lisbon.", "The user lives in Lisbon"],
    ["I'm a React developer", "User is a React developer"],
    ["I am a nurse", "I'm a nurse"],
    ["User is a developer (React)", "User is a React developer"],
    ["User loves jazz", "User really likes jazz"],
    ["User has two kids", "User has two children"],
    ["User can't eat nuts", "User cannot eat nuts"],
    ["Project uses Postgres", "Project uses PostgreSQL"],
    ["User lives in Lisbon, Portugal", "User lives in Lisbon"],
    ["User's favourite colour is blue", "User's favorite color is blue"],
  ])("%s = %s", (said, known) => {
    expect(relation(said, known)).toBe("same");
    expect(relation(known, said)).toBe("same");
  });
});

describe("a fact that replaces another", () => {
  it.each([
    ["User is based in London", "User is based in Copenhagen"],
    ["User moved to Porto", "User lives in Lisbon"],
    ["User's name is Kelly", "User's name is Rob"],
    ["User is 35", "User is 34 years old"],
    ["User works for Globex", "User works at Acme"],
    ["User is divorced", "User is married"],
    ["User's favorite food is ramen", "User's favorite food is sushi"],
    ["User no longer lives in Lisbon", "User lives in Lisbon"],
    ["User does not like jazz", "User likes jazz"],
    ["User hates olives", "User loves olives"],
    ["User does not eat meat", "User eats meat"],
    ["User prefers spaces over tabs", "User prefers tabs over spaces"],
    ["Project uses SQLite as its database", "Project uses PostgreSQL as its database"],
    ["Project no longer uses Redis for caching", "Project uses Redis for caching"],
  ])("%s ≠ %s", (said, known) => {
    expect(relation(said, known)).toBe("conflict");
  });

  it("is detected by its key, independent of wording", () => {
    const known = { text: "They went with pg.", key: "database", value: "PostgreSQL", subject: "project" };
    expect(compareFacts({ text: "It is SQLite now.", key: "db", value: "SQLite", subject: "project" }, known)).toBe(
      "conflict",
    );
    expect(compareFacts({ text: "pg it is", key: "DB", value: "postgres", subject: "project" }, known)).toBe("same");
  });

  it("replaces one of several values only if stated as a correction", () => {
    expect(relation("User is a teacher", "User is a nurse")).toBe("different");
    expect(relation("User is a teacher", "User is a nurse", { updatesPrevious: true })).toBe("conflict");
    expect(relation("User likes tea", "User likes coffee", { updatesPrevious: true })).toBe("different");
  });
});

describe("an unrelated fact", () => {
  it.each([
    ["User likes jazz", "User likes tea"],
    ["User speaks German", "User speaks French"],
    ["User has a cat", "User has a dog"],
    ["User no longer lives in Paris", "User lives in Lisbon"],
    ["User is from Lisbon", "User lives in Lisbon"],
    ["User was a teacher", "User is a teacher"],
    ["User likes jazz", "User lives in Lisbon"],
    ["User moved from Rome to Oslo", "User has a dog"],
  ])("%s | %s", (said, known) => {
    expect(relation(said, known)).toBe("different");
  });

  it("is one of another user", () => {
    expect(relation("User lives in Rome", "User lives in Lisbon", { subject: "Ann" })).toBe("different");
  });
});

describe("findRelated", () => {
  it("prefers a repetition to a contradiction", () => {
    const known = [factOf("User lives in Rome"), factOf("User lives in Lisbon")];
    expect(findRelated({ text: "User is based in Lisbon" }, known)).toEqual({ relation: "same", fact: known[1] });
    expect(findRelated({ text: "User lives in Oslo" }, known)).toEqual({ relation: "conflict", fact: known[1] });
    expect(findRelated({ text: "User likes tea" }, known)).toBeUndefined();
  });
});

describe("any two facts (property)", () => {
  const words = fc.constantFrom(
    "User",
    "likes",
    "not",
    "lives in",
    "Lisbon",
    "tea",
    "over",
    "never",
    "a",
    "is",
    "34",
    "’s",
    "no longer",
  );
  const anyFact = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join(" ")),
  );

  it("are equal if they are identical, after normalization", () => {
    fc.assert(
      fc.property(anyFact, (text) => {
        expect(compareFacts({ text }, { text })).not.toBe("conflict");
        expect(normalizeFact(normalizeFact(text))).toBe(normalizeFact(normalizeFact(normalizeFact(text))));
        expect(compareFacts(toComparable(factOf(text)), { text })).not.toBe("conflict");
      }),
    );
  });

  it("compare symmetrically", () => {
    fc.assert(
      fc.property(anyFact, anyFact, (a, b) => {
        expect(relation(a, b) === "same").toBe(relation(b, a) === "same");
      }),
    );
  });
});

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

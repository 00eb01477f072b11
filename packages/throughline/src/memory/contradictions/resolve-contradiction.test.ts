import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { Resolution } from "../../ports/memory.ts";
import { findContradiction } from "../reconcile/compare-claims.ts";
import { claimOf, isKnownPair, openContradiction } from "./contradictions.ts";
import { anyMemory, memoryOf } from "./memory.arbitrary.ts";
import { resolveContradiction } from "./resolve-contradiction.ts";

const a = memoryOf("a", "We use MySQL.", { key: "db", value: "MySQL", lastSeenAt: 20, mentions: 2 });
const b = memoryOf("b", "We use Postgres.", { key: "db", value: "Postgres", lastSeenAt: 30, supersedes: "older" });
const finding = { reason: "db: one says MySQL, the other Postgres." };
const open = openContradiction("c", a, b, finding, 40);
const now = 50;

describe("a contradiction", () => {
  it("opens with the reason for it", () => {
    expect(open).toEqual({
      id: "c",
      memoryA: "a",
      memoryB: "b",
      detectedAt: 40,
      reason: finding.reason,
      status: "open",
    });
  });

  it("is found in either order, even when resolved", () => {
    const { contradiction } = resolveContradiction(open, [a, b], { resolution: "both_valid", now });
    expect(isKnownPair([contradiction], b, a)).toBe(true);
    expect(isKnownPair([contradiction], a, memoryOf("d", "We use Redis."))).toBe(false);
  });
});

describe("resolveContradiction", () => {
  it("ends the loser's validity now and lets the winner supersede it", () => {
    const { contradiction, changed, added } = resolveContradiction(open, [b, a], {
      resolution: "a_wins",
      note: "We went back.",
      now,
    });
    expect(contradiction).toMatchObject({
      status: "resolved",
      resolution: "a_wins",
      note: "We went back.",
      resolvedAt: 50,
    });
    expect(changed).toEqual([
      { ...a, supersedes: "b" },
      { ...b, validTo: 50, supersededBy: "a" },
    ]);
    expect(added).toEqual([]);
  });

  it("keeps the link of a winner that superseded another memory before", () => {
    const { changed } = resolveContradiction(open, [a, b], { resolution: "b_wins", now });
    expect(changed).toEqual([b, { ...a, validTo: 50, supersededBy: "b" }]);
  });

  it("keeps an earlier end of the loser", () => {
    const ended = { ...a, validTo: 45 };
    const { changed } = resolveContradiction(open, [ended, b], { resolution: "b_wins", now });
    expect(changed[1]?.validTo).toBe(45);
  });

  it("changes no memory if both are valid", () => {
    expect(resolveContradiction(open, [a, b], { resolution: "both_valid", now })).toMatchObject({
      changed: [],
      added: [],
    });
  });

  it("replaces both by one merged memory", () => {
    const { changed, added } = resolveContradiction(open, [a, b], {
      resolution: "merged",
      mergedId: "m",
      mergedText: "We use MySQL for billing and Postgres for search.",
      now,
    });
    expect(changed.map(({ id, validTo, supersededBy }) => [id, validTo, supersededBy])).toEqual([
      ["a", 50, "m"],
      ["b", 50, "m"],
    ]);
    expect(added).toMatchObject([
      { id: "m", key: "db", mentions: 3, validFrom: 50, supersedes: "b", levels: { index: "b" } },
    ]);
    expect(added[0]?.levels.full).toBe("We use MySQL for billing and Postgres for search.");
    expect(added[0]).not.toHaveProperty("value");
  });

  it("joins both texts, the older first, if no text is given", () => {
    const { added } = resolveContradiction(open, [a, b], { resolution: "merged", mergedId: "m", now });
    expect(added[0]?.levels.full).toBe("We use MySQL. We use Postgres.");
  });

  it("keeps a merge with a private memory private", () => {
    const shared = { ...b, scope: "project-shared" as const, owner: "bob", projectId: "p" };
    const { added } = resolveContradiction(open, [a, shared], { resolution: "merged", mergedId: "m", now });
    expect(added[0]).toMatchObject({ scope: "user-private", owner: "ana" });
    expect(added[0]).not.toHaveProperty("projectId");
  });

  it("refuses invalid resolutions", () => {
    const settled = resolveContradiction(open, [a, b], { resolution: "both_valid", now }).contradiction;
    const refused: readonly (() => unknown)[] = [
      () => resolveContradiction(settled, [a, b], { resolution: "a_wins", now }),
      () => resolveContradiction(open, [a], { resolution: "a_wins", now }),
      () => resolveContradiction(open, [a, b], { resolution: "merged", now }),
      () => resolveContradiction(open, [a, b], { resolution: "c_wins" as Resolution, now }),
    ];
    for (const attempt of refused) expect(attempt).toThrow(InvalidOptionError);
  });

  it("loses no memory, and leaves at most one current unless both are valid", () => {
    const resolution = fc.constantFrom<Resolution>("a_wins", "b_wins", "both_valid", "merged");
    fc.assert(
      fc.property(anyMemory("a"), anyMemory("b"), resolution, (first, second, outcome) => {
        const { changed, added } = resolveContradiction(open, [first, second], {
          resolution: outcome,
          mergedId: "m",
          now,
        });
        const after = [first, second].map((memory) => changed.find(({ id }) => id === memory.id) ?? memory);
        expect(after.map(({ levels }) => levels)).toEqual([first.levels, second.levels]);
        for (const { validFrom, validTo = validFrom } of [...after, ...added])
          expect(validTo).toBeGreaterThanOrEqual(validFrom);
        const closed = after.filter(({ supersededBy }) => supersededBy !== undefined);
        expect(closed.length).toBe({ a_wins: 1, b_wins: 1, both_valid: 0, merged: 2 }[outcome]);
        for (const { validFrom, validTo } of closed) expect(validTo).toBeLessThanOrEqual(Math.max(validFrom, now));
      }),
    );
  });

  it.each(["a_wins", "b_wins"] as const)("leaves no overlap in time after %s", (resolution) => {
    expect(findContradiction(claimOf(a), claimOf(b))?.relation).toBe("supersedes");
    const [winner, loser] = resolveContradiction(open, [a, b], { resolution, now }).changed;
    if (winner === undefined || loser === undefined) throw new Error("both change");
    expect(findContradiction({ ...claimOf(winner), validFrom: now }, claimOf(loser))).toBeUndefined();
  });
});

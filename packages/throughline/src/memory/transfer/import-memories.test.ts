import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import { factOf, NOW } from "../facts/memory.arbitrary.ts";
import { anyExport } from "./export.arbitrary.ts";
import { type ExistingById, itemsToWrite, planImport } from "./import-memories.ts";
import { type MemoryExport, writeExport } from "./memory-export.ts";

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

/** Stored items after an import. */
function apply(existing: ExistingById, exported: MemoryExport): Required<ExistingById> {
  const plan = runSteps(planImport(existing, exported));
  return {
    memories: new Map([...(existing.memories ?? []), ...byId(itemsToWrite(plan.memories))]),
    turns: new Map([...(existing.turns ?? []), ...byId(itemsToWrite(plan.turns))]),
    contradictions: new Map([...(existing.contradictions ?? []), ...byId(itemsToWrite(plan.contradictions))]),
    journal: new Map([...(existing.journal ?? []), ...byId(itemsToWrite(plan.journal))]),
  };
}

function exportOf(memories: readonly Memory[], more: Partial<MemoryExport> = {}): MemoryExport {
  return { ...writeExport({ exportedAt: NOW, memories, turns: [], contradictions: [] }), ...more };
}

function kept(existing: Memory, imported: Memory): string | undefined {
  return runSteps(planImport({ memories: byId([existing]) }, exportOf([imported]))).memories.conflicting[0]?.keep;
}

describe("planImport", () => {
  it("changes nothing on a second import of the same export", () => {
    fc.assert(
      fc.property(anyExport, anyExport, (first, second) => {
        const once = apply(apply({}, first), second);
        expect(apply(once, second)).toEqual(once);
      }),
    );
  });

  it("adds every item to an empty store and reports them as unchanged on the next import", () => {
    fc.assert(
      fc.property(anyExport, (exported) => {
        const { memories } = runSteps(planImport({}, exported));
        expect(memories.toAdd).toEqual(exported.memories);
        const again = runSteps(planImport(apply({}, exported), exported));
        expect(again.memories.unchanged).toEqual(exported.memories);
        expect(Object.values(again).flatMap(({ toAdd, conflicting }) => [...toAdd, ...conflicting])).toEqual([]);
      }),
    );
  });

  it("keeps every stored memory", () => {
    fc.assert(
      fc.property(anyExport, anyExport, (first, second) => {
        const before = apply({}, first);
        const after = apply(before, second);
        expect([...after.memories.keys()]).toEqual(expect.arrayContaining([...before.memories.keys()]));
      }),
    );
  });

  it("keeps the memory that was seen later", () => {
    const older = factOf("User lives in Lisbon", { id: "a", lastSeenAt: NOW });
    const newer = factOf("User lives in Porto", { id: "a", lastSeenAt: NOW + 1 });
    expect(kept(older, newer)).toBe("imported");
    expect(kept(newer, older)).toBe("existing");
  });

  it("keeps the ended memory if both were seen at the same time", () => {
    const current = factOf("User lives in Lisbon", { id: "a" });
    const ended = { ...current, validTo: NOW + 5 };
    expect(kept(current, ended)).toBe("imported");
    expect(kept(ended, current)).toBe("existing");
  });

  it("keeps the stored memory if neither is newer", () => {
    expect(kept(factOf("One", { id: "a" }), factOf("Two", { id: "a" }))).toBe("existing");
  });

  it("ignores usage counts when it compares memories", () => {
    const used = factOf("One", { id: "a", usage: { retrieved: 5, cited: 1, ignored: 0 } });
    expect(
      runSteps(planImport({ memories: byId([used]) }, exportOf([factOf("One", { id: "a" })]))).memories.unchanged
        .length,
    ).toBe(1);
  });

  it("never rewrites the text of a turn, but imports its marks of outdated text", () => {
    const said: Utterance = {
      id: "t",
      sessionId: "s",
      position: 0,
      role: "user",
      text: "Hi",
      createdAt: 1,
      owner: "u1",
    };
    const existing = { turns: byId([said]) };
    const plan = (turn: Utterance) =>
      runSteps(planImport(existing, exportOf([], { turns: [turn] }))).turns.conflicting[0]?.keep;
    expect(plan({ ...said, text: "Bye" })).toBe("existing");
    expect(plan({ ...said, staleSince: 9 })).toBe("imported");
    expect(plan({ ...said, text: "Bye", staleSince: 9 })).toBe("existing");
  });

  it("prefers a resolved contradiction to an open one", () => {
    const open: Contradiction = { id: "c", memoryA: "a", memoryB: "b", detectedAt: 1, reason: "", status: "open" };
    const settled: Contradiction = { ...open, status: "resolved", resolvedAt: 2, resolution: "a_wins" };
    const keep = (existing: Contradiction, imported: Contradiction) =>
      runSteps(planImport({ contradictions: byId([existing]) }, exportOf([], { contradictions: [imported] })))
        .contradictions.conflicting[0]?.keep;
    expect(keep(open, settled)).toBe("imported");
    expect(keep(settled, open)).toBe("existing");
  });
});

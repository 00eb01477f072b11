import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../internal/yield-to-event-loop.ts";
import { memoryOf } from "../reconcile/memory.arbitrary.ts";
import { anyStoredItems, anyWriting, entryOf, type StoredItems, used, written } from "./journal.arbitrary.ts";
import { digestContradiction, digestMemory, restoredIds, writeJournalEntry } from "./journal-entry.ts";
import { planUndo } from "./undo-entry.ts";

const NOW = 5_000;
const rome = memoryOf("a", "User lives in Rome");
const open = { id: "c", memoryA: "a", memoryB: "b", detectedAt: 1, reason: "x", status: "open" as const };

function undo(stored: StoredItems, entry: ReturnType<typeof entryOf>) {
  return runSteps(
    planUndo(entry, { memories: stored.memories.values(), contradictions: stored.contradictions.values() }, NOW),
  );
}

function mustUndo(stored: StoredItems, entry: ReturnType<typeof entryOf>) {
  const plan = undo(stored, entry);
  if (plan.kind === "refused") throw new Error("refused");
  return plan;
}

function newIn<K extends keyof StoredItems>(stored: StoredItems, before: StoredItems, kind: K): StoredItems[K] {
  return new Map(
    [...(stored[kind] as ReadonlyMap<string, unknown>)].filter(([id]) => !before[kind].has(id)),
  ) as unknown as StoredItems[K];
}

describe("the digest of an item", () => {
  it("does not depend on usage counts or on the order of fields", () => {
    const turned = Object.fromEntries(Object.entries(rome).reverse()) as unknown as typeof rome;
    expect(digestMemory({ ...turned, usage: { retrieved: 9, cited: 9, ignored: 9 } })).toBe(digestMemory(rome));
  });

  it("changes with every other field, except for references to other memories", () => {
    const others = [
      { ...rome, archivedAt: 1 },
      { ...rome, aliases: ["b"] },
      { ...rome, confidence: 0.7500001 },
    ];
    expect(new Set([rome, ...others].map(digestMemory)).size).toBe(4);
    // Purging a memory removes its id from others, which does not change their content.
    expect(digestMemory({ ...rome, links: ["b"], supersedes: "c" })).toBe(digestMemory(rome));
    expect(digestContradiction({ ...open, note: "y" })).not.toBe(digestContradiction(open));
  });
});

describe("a journal entry", () => {
  it("records new and changed items, not unchanged ones", () => {
    const oslo = memoryOf("b", "User lives in Oslo");
    const entry = runSteps(
      writeJournalEntry({
        id: "j",
        at: 3,
        action: "remember",
        before: { memories: new Map([["a", rome]]).values() },
        after: { memories: [{ ...rome, usage: { retrieved: 1, cited: 0, ignored: 0 } }, oslo], contradictions: [open] },
      }),
    );
    expect(entry).toEqual({
      id: "j",
      at: 3,
      action: "remember",
      changes: [
        { kind: "memory", id: "b", after: digestMemory(oslo) },
        { kind: "contradiction", id: "c", after: digestContradiction(open) },
      ],
    });
  });
});

describe("planUndo", () => {
  it("archives memories that the entry added and resolves contradictions that it opened", () => {
    const entry = runSteps(
      writeJournalEntry({
        id: "j",
        at: 3,
        action: "remember",
        before: {},
        after: { memories: [rome], contradictions: [open] },
      }),
    );
    expect(runSteps(planUndo(entry, { memories: [rome], contradictions: [open] }, NOW))).toEqual({
      kind: "undo",
      memories: [{ ...rome, archivedAt: NOW }],
      contradictions: [
        {
          ...open,
          status: "resolved",
          resolvedAt: NOW,
          resolution: "both_valid",
          note: "The change that opened it was undone.",
        },
      ],
      turns: [],
    });
  });

  it("reopens contradictions that the entry resolved", () => {
    const settled = { ...open, status: "resolved" as const, resolution: "a_wins" as const, resolvedAt: 2 };
    const entry = runSteps(
      writeJournalEntry({
        id: "j",
        at: 3,
        action: "resolve",
        before: { contradictions: [open] },
        after: { contradictions: [settled] },
      }),
    );
    expect(runSteps(planUndo(entry, { contradictions: [settled] }, NOW))).toMatchObject({
      kind: "undo",
      memories: [],
      contradictions: [open],
    });
  });

  it("removes the entry's marks from a turn and keeps the turn's pending facts", () => {
    const said = { id: "t", sessionId: "s", position: 0, role: "user", text: "Friday", createdAt: 1, owner: "ada" };
    const marked = { ...said, staleSince: 2, marks: [{ by: "u", since: 2 }] };
    const changes = { before: { turns: [said] }, after: { turns: [marked, { ...said, id: "new" }] } };
    const entry = runSteps(writeJournalEntry({ id: "j", at: 3, action: "ingest", ...changes }));
    expect(entry.changes).toHaveLength(1);
    const pending = [{ text: "User is free", source: {} }];
    expect(runSteps(planUndo(entry, { turns: [{ ...marked, pending }] }, NOW))).toMatchObject({
      turns: [{ ...said, pending }],
    });
    expect(runSteps(planUndo(entry, { turns: [said] }, NOW))).toMatchObject({ kind: "undo", turns: [said] });
    const other = { ...marked, marks: [{ by: "v", since: 2 }] };
    expect(runSteps(planUndo(entry, { turns: [other] }, NOW))).toMatchObject({
      obstacles: [{ kind: "turn", reason: "changed" }],
    });
    expect(runSteps(planUndo(entry, {}, NOW))).toMatchObject({
      obstacles: [{ kind: "turn", id: "t", reason: "erased" }],
    });
  });

  it("is refused with the ids of items that were changed or purged since", () => {
    const oslo = memoryOf("b", "User lives in Oslo");
    const entry = runSteps(
      writeJournalEntry({
        id: "j",
        at: 3,
        action: "import",
        before: {},
        after: { memories: [rome, oslo], contradictions: [open] },
      }),
    );
    expect(runSteps(planUndo(entry, { memories: [{ ...rome, mentions: 2 }], contradictions: [open] }, NOW))).toEqual({
      kind: "refused",
      obstacles: [
        { kind: "memory", id: "a", reason: "changed" },
        { kind: "memory", id: "b", reason: "erased" },
      ],
    });
  });
});

describe("the undo of any entry", () => {
  const anything = fc.tuple(anyStoredItems, anyWriting, fc.nat(9));

  it("restores previous versions exactly, keeps usage counts and deletes nothing", () => {
    fc.assert(
      fc.property(anything, ([before, writing, uses]) => {
        const after = used(written(before, writing), uses);
        const restored = written(after, mustUndo(after, entryOf("j1", before, writing)));
        const [brought, opened] = [newIn(restored, before, "memories"), newIn(restored, before, "contradictions")];
        expect(restored.memories).toEqual(new Map([...used(before, uses).memories, ...brought]));
        expect(restored.contradictions).toEqual(new Map([...before.contradictions, ...opened]));
        expect([restored.memories.size, restored.contradictions.size]).toEqual([
          after.memories.size,
          after.contradictions.size,
        ]);
        expect([...brought.values()].every(({ archivedAt }) => archivedAt !== undefined)).toBe(true);
        expect([...opened.values()].every(({ status }) => status === "resolved")).toBe(true);
      }),
    );
  });

  it("can be undone, which restores the state after the entry", () => {
    fc.assert(
      fc.property(anything, ([before, writing, uses]) => {
        const after = written(before, writing);
        const first = mustUndo(after, entryOf("j1", before, writing));
        const restored = used(written(after, first), uses);
        const second = mustUndo(restored, entryOf("j2", after, first, "j1"));
        expect(written(restored, second)).toEqual(used(after, uses));
      }),
    );
  });

  it("is refused a second time, unless the entry had no changes", () => {
    fc.assert(
      fc.property(anything, ([before, writing]) => {
        const entry = entryOf("j1", before, writing);
        const after = written(before, writing);
        const plan = mustUndo(after, entry);
        const again = undo(written(after, plan), entry);
        expect(again.kind).toBe(plan.memories.length + plan.contradictions.length === 0 ? "undo" : "refused");
      }),
    );
  });
});

describe("restoredIds", () => {
  const archived = { ...rome, archivedAt: 9 };
  const stored = (memory: typeof rome): StoredItems => ({
    memories: new Map([["a", memory]]),
    contradictions: new Map(),
  });
  const writing = (memory: typeof rome) => ({ memories: [memory], contradictions: [] });
  const consolidated = entryOf("j1", stored(rome), writing(archived));
  const undone = entryOf("j2", stored(archived), writing(rome), "j1");
  const redone = entryOf("j3", stored(rome), writing(archived), "j2");
  const undoneAgain = entryOf("j4", stored(archived), writing(rome), "j3");

  it("returns memories that an undo restored from the archive, unless that undo was undone", () => {
    expect([...restoredIds([consolidated])]).toEqual([]);
    expect([...restoredIds([undone, consolidated])]).toEqual(["a"]);
    expect([...restoredIds([redone, undone, consolidated])]).toEqual([]);
    expect([...restoredIds([undoneAgain, redone, undone, consolidated])]).toEqual(["a"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import type { Contradiction, Memory, Utterance } from "../ports/memory.ts";
import { isCurrentFact, MAX_CHAT_FACTS, MAX_PINNED } from "./facts/fact-rules.ts";
import { isSingleValued } from "./facts/slots.ts";
import { openMemory } from "./open-memory.fixture.ts";
import { indexMemory } from "./space/index-memory.ts";
import { anyAct, type Standing, World } from "./world.arbitrary.ts";

const isMemory = (one: Memory | Contradiction | Utterance): one is Memory => "levels" in one;
const memoriesOf = (standing: Standing): Memory[] => [...standing.values()].filter(isMemory);

/** Slots of single-valued keys with overlapping validity intervals. Expected: none. */
function overlaps(standing: Standing): string[] {
  const slots = Map.groupBy(
    [...standing].flatMap(([place, one]) =>
      isMemory(one) && one.archivedAt === undefined ? [[place, one] as const] : [],
    ),
    ([place, memory]) => {
      const { slot } = indexMemory(memory);
      const isOne = slot !== undefined && isSingleValued(slot.slice(slot.lastIndexOf("|") + 1));
      return isOne ? [place.split(" ")[0], slot, memory.owner, memory.projectId].join("\n") : undefined;
    },
  );
  slots.delete(undefined);
  return [...slots].flatMap(([slot, said]) => {
    const spans = said.map(([, { validFrom, validTo = Number.POSITIVE_INFINITY }]) => [validFrom, validTo] as const);
    const inOrder = spans.filter(([from, to]) => from < to).sort(([a], [b]) => a - b);
    return inOrder.some(([, to], at) => to > (inOrder[at + 1]?.[0] ?? Number.POSITIVE_INFINITY)) ? [`${slot}`] : [];
  });
}

function checkLimits(standing: Standing): void {
  for (const memory of memoriesOf(standing)) {
    if (memory.archivedAt !== undefined || memory.validTo !== undefined) expect(memory.pinned).toBe(false);
    if (memory.validTo !== undefined) expect(memory.validTo).toBeGreaterThanOrEqual(memory.validFrom);
    expect(memory.confidence).toBeLessThanOrEqual(1);
  }
  const facts = memoriesOf(standing).filter(isCurrentFact);
  for (const own of Map.groupBy(facts, ({ scope, owner, projectId }) => [scope, owner, projectId].join()).values()) {
    expect(own.filter(({ projectId }) => projectId === undefined).length).toBeLessThanOrEqual(MAX_CHAT_FACTS);
    expect(own.filter(({ pinned }) => pinned).length).toBeLessThanOrEqual(MAX_PINNED);
  }
}

/**
 * Checks an undo: all items of the earlier state are restored, later memories are archived, later contradictions are
 * resolved, and turns stay.
 */
function checkUndone(before: Standing, after: Standing): void {
  for (const [place, one] of after) {
    if (before.has(place)) expect(one).toEqual(before.get(place));
    else if (isMemory(one)) expect(one.archivedAt).toBeDefined();
    else if ("status" in one) expect(one.status).toBe("resolved");
  }
  expect([...before.keys()].filter((place) => !after.has(place))).toEqual([]);
}

describe("after any sequence of operations", () => {
  it("nothing is deleted, single-valued keys have one current value, and limits apply", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 10, maxLength: 40 }), fc.boolean(), async (acts, isFull) => {
        const world = await World.open(isFull);
        let places: string[] = [];
        for (const one of acts) {
          await world.attempt(one);
          const standing = await world.standing();
          expect(places.filter((place) => !standing.has(place))).toEqual([]);
          expect(overlaps(standing)).toEqual([]);
          checkLimits(standing);
          places = [...standing.keys()];
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("each operation can be undone and redone", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), fc.boolean(), async (acts, isFull) => {
        const world = await World.open(isFull);
        for (const one of acts) {
          const [before, known] = [await world.standing(), new Set(await world.journal())];
          await world.attempt(one);
          const entries = (await world.journal()).filter((id) => !known.has(id));
          if (one.kind === "pass" || entries.length !== 1) continue;
          const after = await world.standing();
          const { memory } = world.visitor(one.who);
          const undone = await memory.undo(entries[0] ?? "");
          checkUndone(before, await world.standing());
          if (undone.journalId !== undefined) await memory.undo(undone.journalId);
          expect(await world.standing()).toEqual(after);
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("all operations can be undone in reverse order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), fc.boolean(), async (acts, isFull) => {
        const world = await World.open(isFull);
        const done: { readonly who: number; readonly entries: readonly string[]; readonly before: Standing }[] = [];
        for (const one of acts) {
          const [before, known] = [await world.standing(), new Set(await world.journal())];
          await world.attempt(one);
          const entries = (await world.journal()).filter((id) => !known.has(id));
          if (one.kind !== "pass" && entries.length > 0) done.push({ who: one.who, entries, before });
        }
        for (const { who, entries, before } of done.toReversed()) {
          world.clock.pass(1);
          for (const id of entries.toReversed()) await world.visitor(who).memory.undo(id);
          checkUndone(before, await world.standing());
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("the last statement is current, even within one millisecond", async () => {
    const said = fc.record({ city: fc.constantFrom("Rome", "Oslo", "Bern"), later: fc.nat(1), ago: fc.nat(2) });
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 10 }), async (all) => {
        const { memory, clock } = await openMemory();
        const told: { readonly city: string; readonly from: number }[] = [];
        for (const { city, later, ago } of all) {
          clock.pass(later);
          const from = clock.now() - (told.length === 0 ? 0 : ago);
          await memory.remember({ text: `User lives in ${city}`, validFrom: from });
          told.push({ city, from });
          const latest = Math.max(...told.map((one) => one.from));
          const current = await memory.list();
          expect(current).toHaveLength(1);
          const last = told.findLast((one) => one.from === latest);
          if (from === latest) expect(current).toMatchObject([{ value: last?.city }]);
        }
      }),
      { numRuns: cases(15) },
    );
  });

  it("a repeated statement is stored once", async () => {
    const told = anyAct.filter((one) => one.kind === "remember" || one.kind === "ingest");
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { maxLength: 12 }), told, async (acts, one) => {
        if (one.kind !== "remember" && one.kind !== "ingest") return;
        const world = await World.open();
        for (const before of acts) await world.attempt(before);
        const said = { ...one, messageId: "m4" as const, pinned: false, validFrom: undefined };
        await world.attempt(said);
        const once = await world.standing();
        await world.attempt(said);
        expect(await world.standing()).toEqual(once);
      }),
      { numRuns: cases(15) },
    );
  });
});

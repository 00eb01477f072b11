import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { type Device, openDevice } from "./fact-book.fixture.ts";
import type { FactBook } from "./fact-book.ts";

const CLEAR_TIME = 8_000;
const NOTES = [
  "I live in Lisbon",
  "I live in Rome",
  "I prefer tea",
  "I prefer dark mode",
  "Ship the beta",
  "Migrate to Postgres",
  "I work as a nurse",
  "I have a dog called Bo",
];

const category = fc.constantFrom<FactCategory[]>("identity", "preference", "project");
const at = fc.nat(20);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), text: fc.constantFrom(...NOTES), category }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pin" as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), at }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("edit" as const), at, text: fc.constantFrom(...NOTES) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), time: fc.nat(5_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const steps = fc.array(step, { maxLength: 12 });

async function take(one: Step, book: FactBook, device: Device): Promise<void> {
  const { facts } = book.getSnapshot();
  const chosen = "at" in one ? facts[one.at % Math.max(1, facts.length)] : undefined;
  try {
    if (one.do === "add") await book.add(one);
    if (one.do === "pass") device.clock.pass(one.time);
    if (chosen === undefined) return;
    if (one.do === "pin") await book.pin(chosen.id, !chosen.pinned);
    if (one.do === "remove") await book.remove([chosen.id]);
    if (one.do === "edit") await book.edit(chosen.id, { text: one.text });
  } catch (error) {
    if (!ThroughlineError.isInstance(error)) throw error;
  }
}

/** A device after a series of actions, and its open fact book. */
async function lived(taken: readonly Step[]): Promise<{ device: Device; book: FactBook }> {
  const device = await openDevice();
  const book = await device.open();
  for (const one of taken) await take(one, book, device);
  return { device, book };
}

function shown(book: FactBook) {
  const { facts, index, pinned, deleted } = book.getSnapshot();
  return { facts, index, pinned, deleted };
}

async function stored(device: Device) {
  return (await device.memory.list({ all: true, limit: 1_000 })).map(({ usage: _, ...memory }) => memory);
}

it("an undone removal restores exactly the previous state", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(at, { maxLength: 5 }), fc.nat(3_999), async (taken, places, time) => {
      const { device, book } = await lived(taken);
      const [before, kept] = [shown(book), await stored(device)];
      const removal = await book.remove(places.flatMap((place) => before.facts[place]?.id ?? []));
      device.clock.pass(time);
      if (removal !== undefined) await book.undoRemoval(removal.id);
      expect(shown(book)).toEqual(before);
      expect(await stored(device)).toEqual(kept);
    }),
    { numRuns: cases(15) },
  );
});

it("an undone clear restores exactly the previous state", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(CLEAR_TIME - 1), fc.boolean(), async (taken, time, isReopened) => {
      const { device, book } = await lived(taken);
      const [before, kept] = [shown(book), await stored(device)];
      await book.clear();
      expect(book.getSnapshot()).toMatchObject({ facts: [], deleted: [], pinned: 0 });
      if (isReopened) book.close();
      device.clock.pass(time);
      const next = isReopened ? await device.open() : book;
      await next.undoClear();
      device.clock.pass(60_000);
      await next.refresh();
      expect(shown(next)).toEqual(before);
      expect(await stored(device)).toEqual(kept);
      expect(device.tombstone.text).toBeUndefined();
    }),
    { numRuns: cases(15) },
  );
});

it("a clear ends in the same state, whenever the tab is closed and reopened", async () => {
  const time = fc.nat(2 * CLEAR_TIME);
  await fc.assert(
    fc.asyncProperty(steps, fc.array(step, { maxLength: 3 }), time, time, async (taken, later, open, closed) => {
      const { device, book } = await lived(taken);
      const doomed = new Set((await stored(device)).map(({ id }) => id));
      await book.clear();
      const startedAt = device.clock.now();
      for (const one of later) if (one.do === "add") await take(one, book, device);
      device.clock.pass(open);
      book.close();
      device.clock.pass(closed);
      const next = await device.open();
      const isOver = device.clock.now() - startedAt >= CLEAR_TIME || doomed.size === 0;
      expect(next.getSnapshot().clearing === undefined).toBe(isOver);
      // A replaced fact may be erased; its id is then dropped.
      const facts = () => shown(next).facts.map(({ updatesFactId: _, ...fact }) => fact);
      const seen = facts();
      device.clock.pass(CLEAR_TIME);
      await next.refresh();
      // The visible facts during a clear are the ones that stay.
      expect(facts()).toEqual(seen);
      expect(shown(next).deleted).toEqual([]);
      const said = new Set(later.flatMap((one) => (one.do === "add" ? [one.text] : [])));
      for (const { levels, validTo } of await stored(device)) {
        if (validTo === undefined) expect(said.size > 0 && NOTES.includes(levels.full)).toBe(true);
      }
      if (said.size === 0) expect(await stored(device)).toEqual([]);
      expect(device.tombstone.text ?? "").not.toContain("facts");
    }),
    { numRuns: cases(15) },
  );
});

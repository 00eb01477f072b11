import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeSorted, sortYielding } from "./yield-to-event-loop.ts";

const byKey = (a: { readonly key: number }, b: { readonly key: number }) => a.key - b.key;
const items = fc.array(fc.nat(9), { maxLength: 200 }).map((keys) => keys.map((key, place) => ({ key, place })));

it("sorts like toSorted, also lists that are sorted in several runs", async () => {
  const many = Array.from({ length: 13_001 }, (_, place) => ({ key: (place * 7_919) % 101, place }));
  expect(await sortYielding(many, byKey)).toEqual(many.toSorted(byKey));
  await fc.assert(
    fc.asyncProperty(items, async (list) => {
      expect(await sortYielding(list, byKey)).toEqual(list.toSorted(byKey));
    }),
  );
});

it("merges two sorted lists into one, in a stable order", () => {
  fc.assert(
    fc.property(items, items, (a, b) => {
      const [first, second] = [a.toSorted(byKey), b.toSorted(byKey)];
      expect(mergeSorted(first, second, byKey)).toEqual([...first, ...second].toSorted(byKey));
    }),
  );
});

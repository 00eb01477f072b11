import { expect, it } from "vitest";
import { indexOf, memoryOf, NOW, turnOf } from "../search.arbitrary.ts";
import { sampleDocuments } from "./sample-documents.ts";

it.each([2, 3, 4, 8, 10, 16])("a sample is fair if every %ith document is of one kind", (period) => {
  const index = indexOf(
    Array.from({ length: 4_000 }, (_, at) => (at % period === 0 ? memoryOf(`fact ${at}`) : turnOf(at, `turn ${at}`))),
  );
  const size = sampleDocuments(index.view({ now: NOW, from: "memories" }), 1 / 8).length;
  expect(size * 8 * period).toBeGreaterThan(0.7 * 4_000);
  expect(size * 8 * period).toBeLessThan(1.3 * 4_000);
});

import { describe, expect, it } from "vitest";
import { Vectors, wholeNumbers } from "./vectors.ts";

/** Pseudo-random signed bytes. */
function bytesOf(seed: number, length: number): Uint8Array {
  let state = seed + 1;
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b1;
    return (((state >>> 8) % 255) - 127) & 0xff;
  });
}

/** Documents in the visited ranges, with a limit that rises with each visit as the best products are found. */
function visited(
  vectors: Vectors,
  query: ReturnType<typeof wholeNumbers>,
  count: number,
  start: number = Number.NEGATIVE_INFINITY,
): readonly number[] {
  const products = vectors.multiply(query);
  const found: number[] = [];
  let least = start;
  const visit = (from: number, to: number): number => {
    for (let document = from; document < to; document += 1) {
      const score = (products[document] ?? 0) * (vectors.scales[document] ?? 0);
      if (vectors.scales[document] === 0 || !(score > least)) continue;
      found.push(document);
      if (found.length % 20 === 0) least = score;
    }
    return least;
  };
  vectors.above(0, visit, start);
  return found.filter((document) => document < count);
}

describe("Vectors", () => {
  it.each([16, 100, 385])(
    "finds the same documents above a limit with and without WebAssembly in %i dimensions",
    (dimensions) => {
      const [fast, plain] = [new Vectors(), new Vectors(false)];
      const count = 9_001;
      for (let document = 0; document < count; document += 1) {
        const bytes = document % 7 === 3 || document > count - 20 ? undefined : bytesOf(document % 4_000, dimensions);
        for (const vectors of [fast, plain]) vectors.add(bytes);
      }
      const query = wholeNumbers(Float32Array.from(bytesOf(1, dimensions), (byte) => byte - 100));
      const expected = visited(plain, query, count);
      expect(expected.length).toBeGreaterThan(20);
      expect(visited(fast, query, count)).toEqual(expected);
      const limit =
        (plain.multiply(query)[expected[20] as number] as number) * (plain.scales[expected[20] as number] as number);
      const above = visited(plain, query, count, limit);
      expect(above.length).toBeLessThan(expected.length);
      expect(visited(fast, query, count, limit)).toEqual(above);
    },
  );

  it.each([16, 100, 385])("gives the same products with and without WebAssembly in %i dimensions", (dimensions) => {
    const [fast, plain] = [new Vectors(), new Vectors(false)];
    const count = 8_300;
    for (let document = 0; document < count; document += 1) {
      const isMissing = document % 5 === 3 || document > count - 20;
      const bytes = isMissing ? undefined : bytesOf(document, dimensions);
      for (const vectors of [fast, plain]) vectors.add(bytes);
    }
    const query = wholeNumbers(Float32Array.from(bytesOf(1, dimensions), (byte) => byte - 100));
    const products = (vectors: Vectors) =>
      Array.from(vectors.multiply(query).subarray(0, count), (product, at) => (vectors.scales[at] === 0 ? 0 : product));
    const expected = [0, 8_200].map((document) =>
      Array.from(plain.row(document) ?? []).reduce((sum, value, at) => sum + value * (query.values[at] ?? 0), 0),
    );
    expect(products(fast)).toEqual(products(plain));
    expect([products(fast)[0], products(fast)[8_200]]).toEqual(expected);
  });
});

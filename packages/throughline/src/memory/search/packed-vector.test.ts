import { describe, expect, it } from "vitest";
import { isLong } from "../../../test/long-tests.ts";
import { packVector, unpackVector } from "./packed-vector.ts";
import { memoryOf, NOW } from "./search.arbitrary.ts";
import { searchIndexes } from "./search.ts";
import { packEntry } from "./search-entry.ts";
import { SearchIndex } from "./search-index.ts";

const LARGE: [string, number, number][] = isLong
  ? [
      ["5,000 tightly clustered", 5_000, 0.1],
      ["5,000 nearly equal", 5_000, 0.05],
    ]
  : [];

/** Seeded random numbers around 0. */
function gaussian(seed: number): () => number {
  let state = seed;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 4_294_967_297;
  };
  return () => Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
}

describe("packVector", () => {
  it("keeps the direction of a vector", () => {
    expect([...unpackVector(packVector(Float32Array.of(0.6, -0.8, 0))).high]).toEqual([95, -127, 0]);
    const { high, low } = unpackVector(packVector(Float32Array.of(0.6, -0.8, 0), true));
    const values = Array.from(high, (value, at) => 256 * value + (low?.[at] ?? 0));
    expect(values[1]).toBe(-32_639);
    expect((values[0] ?? 0) / (values[1] ?? 1)).toBeCloseTo(-0.75, 4);
  });

  it.each<[string, number, number]>([
    ["600 random", 600, 0],
    ["600 clustered", 600, 0.4],
    ["600 tightly clustered", 600, 0.1],
    ["600 nearly equal", 600, 0.05],
    ...LARGE,
  ])("with two bytes per component, loses at most 1%% of the ten nearest: %s vectors", (_, size, spread) => {
    const dimensions = 200;
    const next = gaussian(11);
    const random = (): Float32Array => Float32Array.from({ length: dimensions }, next);
    const centers = Array.from({ length: 8 }, random);
    const unit = (vector: Float32Array) => {
      const length = Math.hypot(...vector);
      return vector.map((value) => value / length);
    };
    const make = (at: number): Float32Array =>
      unit(spread === 0 ? random() : (centers[at % 8] as Float32Array).map((value) => value + spread * next()));
    const rows = Array.from({ length: size }, (_row, at) => make(at));
    const index = new SearchIndex();
    rows.forEach((row, at) => {
      const entry = packEntry(memoryOf("", { id: String(at) }));
      index.put({ id: String(at), entry, embedder: "e", vector: packVector(row, true) }, "e");
    });
    let found = 0;
    for (let asked = 0; asked < 20; asked += 1) {
      const vector = make(asked);
      const cosines = rows.map((row) => row.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0));
      const nearest = [...rows.keys()].sort((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0)).slice(0, 10);
      const { candidates } = searchIndexes([index], { text: "", now: NOW, vector }, 10);
      const ids = new Set(candidates.map(({ id }) => Number(id)));
      found += nearest.filter((at) => ids.has(at)).length;
    }
    expect(found).toBeGreaterThanOrEqual(198);
  });
});

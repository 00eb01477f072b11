import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FEATURES } from "./file-features.ts";
import { calibrate, calibrateAny } from "./file-weights.ts";
import type { PredictionInput } from "./gather-candidates.ts";
import { rankFiles, spreadFiles } from "./predict-files.ts";
import { UseIndex } from "./use-index.ts";

const anyPath = fc.constantFrom("a.ts", "a.test.ts", "b/c.ts", "b/d.go", "b/d_test.go", "e/f/g.md", "package.json");
const anyBaskets = fc.array(
  fc.record({
    files: fc.uniqueArray(anyPath, { minLength: 1, maxLength: 5 }),
    isOrdered: fc.boolean(),
    marked: fc.boolean(),
  }),
  { maxLength: 12 },
);
const anySituation: fc.Arbitrary<PredictionInput> = fc.record({
  anchors: fc.uniqueArray(fc.oneof(anyPath, fc.constant("new.ts")), { maxLength: 3 }),
  inSession: fc.boolean(),
  signals: fc.constantFrom([], ["branch x"]),
  words: fc.constantFrom([], ["test", "c"]),
  mentions: fc.constantFrom(
    new Map(),
    new Map([
      ["b/c.ts", { times: 2, distance: 30, isBare: false }],
      ["z.ts", { times: 1, distance: 9, isBare: true }],
    ]),
  ),
  imports: fc.constantFrom(new Set<string>(), new Set(["b/d.go"])),
});

type Baskets = readonly { readonly files: readonly string[]; readonly isOrdered: boolean; readonly marked: boolean }[];

function indexOf(baskets: Baskets): UseIndex {
  const index = new UseIndex();
  for (const { files, isOrdered, marked } of baskets) {
    const basket = index.add(files, { isOrdered });
    if (marked) index.mark(basket, "branch x");
  }
  return index;
}

/** A file alone is open, and nothing else is known. */
function opened(path: string): PredictionInput {
  return { anchors: [path], inSession: false, signals: [], words: [], mentions: new Map(), imports: new Set() };
}

describe("rankFiles", () => {
  it("returns deterministic probabilities, highest first", () => {
    fc.assert(
      fc.property(anyBaskets, anySituation, (baskets, input) => {
        const ranked = rankFiles(indexOf(baskets), input);
        expect(rankFiles(indexOf(baskets), input)).toEqual(ranked);
        for (const [at, { path, confidence, score, features }] of ranked.entries()) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThan(1);
          expect(features).toHaveLength(FEATURES.length);
          expect(features.every(Number.isFinite)).toBe(true);
          expect(input.anchors).not.toContain(path);
          const next = ranked[at + 1];
          if (next !== undefined) expect([next.score <= score, next.confidence <= confidence]).toEqual([true, true]);
        }
      }),
    );
  });

  it("ranks changelog fragments and their companions low unless the session shows one", () => {
    const index = new UseIndex();
    const note = (at: number) => `.changeset/note-${at}.md`;
    for (let at = 0; at < 30; at += 1) index.add([note(at), "src/query.ts"]);
    index.add([...Array.from({ length: 30 }, (_, at) => note(at)), "CHANGELOG.md"]);
    const told = (mentions: PredictionInput["mentions"]) =>
      rankFiles(index, { ...opened(note(31)), mentions }).map(({ path }) => path);
    expect(told(new Map())).toEqual(["src/query.ts", "CHANGELOG.md"]);
    expect(told(new Map([[note(7), { times: 1, distance: 3, isBare: false }]]))).toContain(note(7));
    // Repeated lines are not notes.
    for (let at = 0; at < 30; at += 1) index.add([note(at), note((at + 1) % 30)]);
    expect(told(new Map())).toContain(note(7));
  });

  it("ranks a file higher the more often it was used with the opened one", () => {
    const confidence = (times: number): number => {
      const index = new UseIndex();
      for (let at = 0; at < 12; at += 1) index.add(at < times ? ["a.ts", "b.go"] : ["a.ts", "c.md"]);
      return rankFiles(index, opened("a.ts")).find(({ path }) => path === "b.go")?.confidence ?? 0;
    };
    expect(confidence(6)).toBeGreaterThan(confidence(1));
    expect(confidence(11)).toBeGreaterThan(confidence(6));
  });

  it("predicts companions of similarly named files for a new file, in any folder", () => {
    const index = new UseIndex();
    for (let at = 0; at < 6; at += 1) {
      index.add(["app/stream/groq-chat.ts", "pkg/provider.go"]);
      index.add([`other/thing-${at}.ts`, `lib/part-${at}.go`]);
    }
    const [first] = rankFiles(index, opened("docs/groq-tools.md")).filter(({ path }) => path.endsWith(".go"));
    expect(first?.path).toBe("pkg/provider.go");
    expect(first?.features[FEATURES.indexOf("kin")]).toBeGreaterThan(0);
  });

  it("omits deleted files until they are used again", () => {
    const index = indexOf([{ files: ["a.ts", "b/c.ts"], isOrdered: false, marked: false }]);
    const input = opened("a.ts");
    index.lose("b/c.ts");
    expect(rankFiles(index, input)).toEqual([]);
    index.add(["b/c.ts"]);
    expect(rankFiles(index, input).map(({ path }) => path)).toEqual(["b/c.ts"]);
  });
});

describe("spreadFiles", () => {
  it("chooses the requested number of distinct files, including the most probable one", () => {
    fc.assert(
      fc.property(anyBaskets, anySituation, fc.integer({ min: 1, max: 8 }), (baskets, input, limit) => {
        const index = indexOf(baskets);
        const ranked = rankFiles(index, input);
        const chosen = spreadFiles(index, input, ranked, limit);
        expect(chosen).toHaveLength(Math.min(limit, ranked.length));
        expect(new Set(chosen.map(({ path }) => path)).size).toBe(chosen.length);
        expect(chosen[0]).toEqual(ranked[0]);
        expect(chosen.every((file) => ranked.includes(file))).toBe(true);
      }),
    );
  });

  it("covers both groups of a file if one alone would fill the list", () => {
    const index = new UseIndex();
    const one = ["x/1.ts", "x/2.ts", "x/3.ts", "x/4.ts", "x/5.ts"];
    for (let at = 0; at < 10; at += 1) index.add(at % 5 < 3 ? ["hub.ts", ...one] : ["hub.ts", "y/1.go", "y/2.go"]);
    const input = {
      anchors: ["hub.ts"],
      inSession: false,
      signals: [],
      words: [],
      mentions: new Map(),
      imports: new Set<string>(),
    };
    const chosen = spreadFiles(index, input, rankFiles(index, input), 4).map(({ path }) => path);
    expect(chosen.some((path) => path.startsWith("x/"))).toBe(true);
    expect(chosen.some((path) => path.startsWith("y/"))).toBe(true);
  });

  it("includes other names if they are nearly as probable", () => {
    const index = new UseIndex();
    const file = (path: string, confidence: number) => ({
      path,
      id: index.know(path),
      features: new Float64Array(FEATURES.length),
      score: confidence,
      confidence,
    });
    const ranked = [file("a/package.json", 0.5), file("b/package.json", 0.49), file("c/main.ts", 0.46)];
    const chosen = spreadFiles(index, opened("lock.yaml"), ranked, 2).map(({ path }) => path);
    expect(chosen).toEqual(["a/package.json", "c/main.ts"]);
  });
});

describe("calibration", () => {
  const anyScore = fc.double({ min: -60, max: 60, noNaN: true });

  it("keeps the order of scores, and stays between 0 and 1", () => {
    fc.assert(
      fc.property(anyScore, anyScore, anySituation, (a, b, input) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((score) => calibrate(score, input));
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(high ?? 0);
      }),
    );
  });

  it("does not lower the probability for a longer list", () => {
    const likelihoods = fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(
        likelihoods,
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        anySituation,
        (some, more, input) => {
          const any = calibrateAny(some, input);
          expect(any).toBeGreaterThan(0);
          expect(calibrateAny([...some, more], input)).toBeGreaterThanOrEqual(any);
        },
      ),
    );
    fc.assert(fc.property(anySituation, (input) => calibrateAny([], input) === 0));
  });
});

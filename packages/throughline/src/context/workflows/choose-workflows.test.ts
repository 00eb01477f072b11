import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, mineSequences, type StepSequence } from "./choose-workflows.ts";

const sequences = (...all: string[]): StepSequence[] =>
  all.map((steps, i) => ({ sessionId: `s${i}`, steps: steps.split(" ") }));
const twice = { isFrequent: ({ times }: { times: number }) => times >= 2 };
const told = (found: ReturnType<typeof mineSequences>) =>
  found.map(({ steps, times, sessions }) => `${steps.join(">")} ${times}/${sessions}`);

describe("mined sequences", () => {
  it("are steps that recur in order, with others between them", () => {
    const found = mineSequences(sequences("a b c", "a x b y c", "c b a"), twice);
    expect(told(found)).toEqual(["a>b>c 2/2"]);
  });

  it("are at most `gap` steps apart", () => {
    const far = sequences("a x x2 x3 x4 b", "a y y2 y3 y4 b");
    expect(told(mineSequences(far, twice))).toEqual([]);
    expect(told(mineSequences(far, { ...twice, gap: 4 }))).toEqual(["a>b 2/2"]);
  });

  it("are counted without overlaps, also within a session", () => {
    expect(told(mineSequences(sequences("a b a b a b"), twice))).toContain("a>b 3/1");
  });

  it("exclude sequences that a longer one contains with equal support", () => {
    const found = mineSequences(sequences("a b c", "a b c", "a b"), twice);
    expect(told(found)).toEqual(["a>b 3/3", "a>b>c 2/2"]);
  });

  const data = fc.array(
    fc
      .array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 14 })
      .map((steps) => steps.filter((step, i) => step !== steps[i - 1])),
    { maxLength: 7 },
  );
  const named = (all: readonly string[][]): StepSequence[] => all.map((steps, i) => ({ sessionId: `s${i}`, steps }));

  it("occur in the data as often as counted", () => {
    fc.assert(
      fc.property(data, (all) => {
        for (const { steps, times, sessions } of mineSequences(named(all), twice)) {
          const counts = all.map((sequence) => countApart(sequence, steps, 3));
          expect(counts.reduce((sum, one) => sum + one, 0)).toBe(times);
          expect(counts.filter((one) => one > 0)).toHaveLength(sessions);
        }
      }),
    );
  });

  it("do not depend on the order of sessions", () => {
    fc.assert(
      fc.property(data, (all) => {
        expect(told(mineSequences(named(all.toReversed()), twice))).toEqual(told(mineSequences(named(all), twice)));
      }),
    );
  });

  it("are closed: none is part of another that is as frequent", () => {
    fc.assert(
      fc.property(data, (all) => {
        const found = mineSequences(named(all), twice);
        for (const one of found) {
          const longer = found.filter((other) => other !== one && isWithin(one.steps, other.steps));
          expect(longer.some(({ times, sessions }) => times === one.times && sessions === one.sessions)).toBe(false);
        }
      }),
    );
  });
});

/** The plain way: the earliest end that can be reached, again and again. */
function countApart(sequence: readonly string[], steps: readonly string[], gap: number): number {
  let from = 0;
  let times = 0;
  for (;;) {
    const end = earliestEnd(sequence, steps, gap, from);
    if (end === undefined) return times;
    times += 1;
    from = end + 1;
  }
}

function earliestEnd(
  sequence: readonly string[],
  steps: readonly string[],
  gap: number,
  from: number,
): number | undefined {
  let ends = new Set<number>();
  for (const [at, step] of steps.entries()) {
    const next = new Set<number>();
    for (let i = from; i < sequence.length; i += 1) {
      const follows = at === 0 || [...ends].some((end) => i > end && i <= end + 1 + gap);
      if (sequence[i] === step && follows) next.add(i);
    }
    ends = next;
  }
  return ends.size === 0 ? undefined : Math.min(...ends);
}

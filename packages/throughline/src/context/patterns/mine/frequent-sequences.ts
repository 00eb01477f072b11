import { partOf, type Step } from "../code-unit.ts";

/** A sequence of steps, and the units that contain it. */
export interface Sequence {
  readonly steps: readonly Step[];
  /** Numbers of the units. */
  readonly holders: readonly number[];
}

export interface MiningOptions {
  /** True if enough units contain the sequence. */
  readonly isFrequent: (holders: readonly number[]) => boolean;
  /** Value of a sequence. The best ones are extended. */
  readonly rate: (sequence: Sequence) => number;
}

/** Maximum number of steps in a sequence. */
const MAX_STEPS = 6;
/**
 * Beam width: number of sequences of each length that are extended. Bounds the search for units with many common steps.
 */
const BEAM = 40;
/** Parts that a sequence may contain several times. */
const MANY: ReadonlySet<string> = new Set(["call", "method", "mark", "field", "fixture"]);

/** A sequence with its end position in each unit. */
interface Grown extends Sequence {
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * Finds sequences of steps that many units contain in this order, with gaps, by beam search. A part that a template has
 * once is used once.
 */
export function frequentSequences(
  pieces: readonly (readonly Step[])[],
  { isFrequent, rate }: MiningOptions,
): readonly Sequence[] {
  const found: Grown[] = [];
  let open: readonly Grown[] = [{ steps: [], holders: [], ends: new Map(pieces.map((_, i) => [i, 0])) }];
  for (let length = 0; length < MAX_STEPS && open.length > 0; length += 1) {
    const longer = open.flatMap((one) => grow(pieces, one)).filter(({ holders }) => isFrequent(holders));
    found.push(...longer);
    open = longer
      .map((grown) => ({ grown, rating: rate(grown) }))
      .sort((a, b) => b.rating - a.rating || compare(a.grown, b.grown))
      .slice(0, BEAM)
      .map(({ grown }) => grown);
  }
  return found;
}

/** Order of sequences with the same value, independent of the order of the units. */
export function compare(a: Sequence, b: Sequence): number {
  return b.steps.length - a.steps.length || (a.steps.join() < b.steps.join() ? -1 : 1);
}

/** All extensions of a sequence by one step. */
function grow(pieces: readonly (readonly Step[])[], { steps, ends }: Grown): readonly Grown[] {
  const next = new Map<Step, Map<number, number>>();
  for (const [piece, end] of ends) {
    const all = pieces[piece] ?? [];
    for (let i = end; i < all.length; i += 1) {
      const step = all[i];
      if (step === undefined || isRepeated(steps, step)) continue;
      const holders = next.get(step) ?? new Map<number, number>();
      if (!holders.has(piece)) holders.set(piece, i + 1);
      next.set(step, holders);
    }
  }
  return [...next].map(([step, found]) => ({ steps: [...steps, step], holders: [...found.keys()], ends: found }));
}

function isRepeated(steps: readonly Step[], step: Step): boolean {
  const part = partOf(step);
  return steps.some((one) => one === step || (!MANY.has(part) && partOf(one) === part));
}

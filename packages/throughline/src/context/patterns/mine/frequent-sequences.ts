import { partOf, type Step } from "../code-unit.ts";

/** Steps that come one after the other, and the pieces of code that take them. */
export interface Sequence {
  readonly steps: readonly Step[];
  /** Numbers of the pieces. */
  readonly holders: readonly number[];
}

export interface MiningOptions {
  /** Whether so many take these steps that it is a way of doing things. */
  readonly isFrequent: (holders: readonly number[]) => boolean;
  /** What a sequence is worth: the best are made longer. */
  readonly rate: (sequence: Sequence) => number;
}

/** A line of more is not read. */
const LONGEST = 6;
/** So many of each length are made longer: pieces with many steps in common have more sequences than anybody could try. */
const BEAM = 40;
/** Parts of which a piece may take several. */
const MANY: ReadonlySet<string> = new Set(["call", "method", "mark"]);

/** A sequence, and where it ends in each piece that takes it. */
interface Grown extends Sequence {
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * Sequences of steps that many pieces of code take in this order, with anything in between: frequent sequences, by making
 * the best of each length longer. A part that a template has once is taken once.
 */
export function frequentSequences(
  pieces: readonly (readonly Step[])[],
  { isFrequent, rate }: MiningOptions,
): readonly Sequence[] {
  const found: Grown[] = [];
  let open: readonly Grown[] = [{ steps: [], holders: [], ends: new Map(pieces.map((_, i) => [i, 0])) }];
  for (let length = 0; length < LONGEST && open.length > 0; length += 1) {
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

/** One order for what is worth the same, whatever order the pieces came in. */
export function compare(a: Sequence, b: Sequence): number {
  return b.steps.length - a.steps.length || (a.steps.join() < b.steps.join() ? -1 : 1);
}

/** Everything that comes behind a sequence. */
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

import { partOf, type Step } from "../code-unit.ts";
import { filesOf, stepsOfKind, type UnitGroup } from "./group-units.ts";
import type { LinkedUnit } from "./link-units.ts";
import type { StepWeight } from "./weigh-steps.ts";

/** A sequence of steps, and the units that contain it. */
interface Sequence {
  readonly steps: readonly Step[];
  /** Numbers of the units. */
  readonly holders: readonly number[];
}

/** The sequence of steps that units of a group follow. */
export interface ChosenWay {
  readonly group: UnitGroup;
  readonly steps: readonly Step[];
  readonly followers: readonly LinkedUnit[];
  /** Total weight of the steps. */
  readonly weight: number;
}

/** Minimum number of units that follow a sequence. */
const MIN_PIECES = 3;
/** Trade-off between steps and support: three steps in all files are worth four steps in 42% of them. */
const SUPPORT_POWER = 1 / 3;

/** Number of steps that characterize an endpoint. With fewer, its calls are considered too. */
const MIN_STEPS = 3;

/** Roles with patterns of one step. */
const SHORT_ROLES: ReadonlySet<string> = new Set(["catch", "class", "value", "middleware"]);

/** Most characteristic sequence of a group, by support and weight. Undefined if there is none. */
export function chooseSequence(group: UnitGroup, weigh: StepWeight): ChosenWay | undefined {
  if (group.role === "test" || group.name !== group.role) return chooseAmong(group, weigh, true);
  const plain = chooseAmong(group, weigh, false);
  const isEnough = group.role !== "endpoint" || (plain?.steps.length ?? 0) >= MIN_STEPS;
  return isEnough ? plain : (chooseAmong(group, weigh, true) ?? plain);
}

function chooseAmong(group: UnitGroup, weigh: StepWeight, isWide: boolean): ChosenWay | undefined {
  const { units, leastShare } = group;
  const all = countPieces(group, units);
  const count = ({ holders }: Pick<Sequence, "holders">) => countPieces(group, pick(units, holders));
  const weightOf = ({ steps }: Sequence) => steps.reduce((sum, step) => sum + weigh(step), 0);
  const rate = (sequence: Sequence) => weightOf(sequence) * (count(sequence) / all) ** SUPPORT_POWER;
  const least = Math.max(MIN_PIECES, Math.ceil(all * leastShare));
  const pieces = units.map((unit) => stepsOfKind(unit, isWide));
  const found = frequentSequences(pieces, {
    isFrequent: (holders) => count({ holders }) >= least,
    rate,
  });
  const [best] = found
    .filter(({ steps }) => steps.length > 1 || SHORT_ROLES.has(group.role))
    .map((sequence) => ({ sequence, rating: rate(sequence) }))
    .sort((a, b) => b.rating - a.rating || compare(a.sequence, b.sequence));
  if (best === undefined) return undefined;
  const { steps, holders } = best.sequence;
  return { group, steps, followers: pick(units, holders), weight: weightOf(best.sequence) };
}

/**
 * Number of independent units. Endpoints and tests count each, because a file contains many. Classes and constants
 * count once per name and length, because copies have the same. Other units count once per file.
 */
export function countPieces({ role }: Pick<UnitGroup, "role">, units: readonly LinkedUnit[]): number {
  if (role === "endpoint" || role === "test") return units.length;
  if (role === "catch") return filesOf(units);
  if (role === "class" || role === "value") return new Set(units.map(placeOf)).size;
  return Math.min(filesOf(units), new Set(units.map(signatureOf)).size);
}

function placeOf({ path, name, lines }: LinkedUnit): string {
  return `${baseName(path)} ${name} ${lines}`;
}

/** File name without its endings. Compiled files have the name of their source. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).split(".")[0] ?? "";
}

/** Signature that a unit shares with its copies. */
function signatureOf({ path, name, steps }: LinkedUnit): string {
  return [baseName(path), name, ...steps].join(" ");
}

function pick(units: readonly LinkedUnit[], holders: readonly number[]): readonly LinkedUnit[] {
  return holders.flatMap((i) => units[i] ?? []);
}

interface MiningOptions {
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
function frequentSequences(
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
function compare(a: Sequence, b: Sequence): number {
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

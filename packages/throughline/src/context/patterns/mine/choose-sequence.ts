import { partOf, type Step, wordOf } from "../code-unit.ts";
import { filesOf, type LinkedUnit, stepsOfKind, type UnitGroup } from "./group-units.ts";

/** A sequence of steps, and the units that contain it. */
interface Sequence {
  readonly steps: readonly Step[];
  /** Numbers of the units. */
  readonly holders: readonly number[];
}

/** The sequence of steps that units of a group follow. */
export interface ChosenSequence {
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
export function chooseSequence(group: UnitGroup, weigh: StepWeight): ChosenSequence | undefined {
  if (group.role === "test" || group.name !== group.role) return chooseAmong(group, weigh, true);
  const plain = chooseAmong(group, weigh, false);
  const isEnough = group.role !== "endpoint" || (plain?.steps.length ?? 0) >= MIN_STEPS;
  return isEnough ? plain : (chooseAmong(group, weigh, true) ?? plain);
}

function chooseAmong(group: UnitGroup, weigh: StepWeight, isWide: boolean): ChosenSequence | undefined {
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
const REPEATABLE_PARTS: ReadonlySet<string> = new Set(["call", "method", "mark", "field", "fixture"]);

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
  return steps.some((one) => one === step || (!REPEATABLE_PARTS.has(part) && partOf(one) === part));
}

/** Specificity of a step, from 0 to 1. */
type StepWeight = (step: Step) => number;

/** Weights of known steps or parts. Lower for those that most projects have. */
const KNOWN: Readonly<Record<string, number>> = {
  "error_handling=thrown_error": 0.5,
  "error_handling=try_catch": 0.7,
  "error_handling=try_except": 0.7,
  "error_handling=exception_thrown": 0.7,
  "error_handling=exception_raised": 0.7,
  "response=json_body": 0.8,
  "validation={schema}": 0.8,
  structure: 0.4,
  framework: 0.6,
  assertion: 0.6,
  failure: 0.6,
  fixture: 0.6,
  field: 0.5,
  next: 0.6,
  constructor: 0.2,
  "extends=Error": 0.5,
  "extends=Exception": 0.5,
  "extends=RuntimeException": 0.5,
  "extends=TestCase": 0.5,
  props: 0.4,
  markup: 0.4,
  check: 0.3,
  log: 0.6,
  "throw=rethrown": 0.5,
  "throw=replaced": 0.5,
  "return=wrapped": 1,
  return: 0.3,
};

/** Shorter names weigh less. */
const MIN_NAME_LENGTH = 3;

type StepScales = (group: readonly LinkedUnit[]) => StepWeight;

/**
 * Weighs steps. Calls and methods weigh more if fewer other files have them. Other steps have fixed weights.
 */
export function weighSteps(units: readonly LinkedUnit[]): StepScales {
  const everywhere = filesByStep(units);
  const all = new Set(units.map(({ path }) => path)).size;
  return (group) => {
    const here = filesByStep(group);
    return (step) => {
      const part = partOf(step);
      if (part !== "call" && part !== "method") return KNOWN[step] ?? KNOWN[part] ?? 1;
      const others = (everywhere.get(step)?.size ?? 0) - (here.get(step)?.size ?? 0);
      const rarity = Math.max(0, 1 - Math.log(1 + others) / Math.log(1 + all));
      return wordOf(step).length < MIN_NAME_LENGTH ? rarity / 4 : rarity;
    };
  };
}

function filesByStep(units: readonly LinkedUnit[]): ReadonlyMap<Step, ReadonlySet<string>> {
  const files = new Map<Step, Set<string>>();
  for (const { path, steps } of units) {
    for (const step of steps) files.set(step, (files.get(step) ?? new Set<string>()).add(path));
  }
  return files;
}

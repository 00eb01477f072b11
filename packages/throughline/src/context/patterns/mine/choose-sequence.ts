import type { Step } from "../code-unit.ts";
import { compare, frequentSequences, type Sequence } from "./frequent-sequences.ts";
import { filesOf, stepsOfKind, type UnitGroup } from "./group-units.ts";
import type { LinkedUnit } from "./link-units.ts";
import type { StepWeight } from "./weigh-steps.ts";

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
 * Number of independent units. Endpoints and tests count each, because a file contains many. Classes and constants count
 * once per name and length, because copies have the same. Other units count once per file.
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

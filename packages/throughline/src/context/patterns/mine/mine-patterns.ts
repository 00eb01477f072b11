import { compressPattern } from "../../../memory/levels/compress-steps.ts";
import type { FileFacts, Role } from "../code-unit.ts";
import type { CodePattern, CodePlace } from "../pattern.ts";
import { type ChosenWay, chooseSequence, countPieces } from "./choose-sequence.ts";
import { filesOf, groupUnits } from "./group-units.ts";
import { type LinkedUnit, linkUnits } from "./link-units.ts";
import { familyIn, namePattern } from "./name-pattern.ts";
import { weighSteps } from "./weigh-steps.ts";
import { writeTemplate } from "./write-template.ts";

/** Maximum number of patterns per project. */
const MAX_PATTERNS = 24;
const MAX_EXAMPLES = 5;

/** Minimum steps, weight and number of units of a pattern, by role. */
const LEAST: Readonly<Record<Role, { readonly steps: number; readonly weight: number; readonly pieces: number }>> = {
  endpoint: { steps: 2, weight: 1.5, pieces: 3 },
  test: { steps: 2, weight: 1, pieces: 3 },
  component: { steps: 3, weight: 1.4, pieces: 3 },
  catch: { steps: 1, weight: 0.9, pieces: 3 },
  function: { steps: 3, weight: 2, pieces: 4 },
  class: { steps: 2, weight: 1.3, pieces: 3 },
};

/**
 * Mines the coding patterns of a project, the most characteristic first. Deterministic, independent of the order of
 * files.
 */
export function minePatterns(files: ReadonlyMap<string, FileFacts>): readonly CodePattern[] {
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const units = linkUnits(sorted);
  const scales = weighSteps(units);
  const ways = groupUnits(units).flatMap((group) => chooseSequence(group, scales(group.units)) ?? []);
  const kept = withoutOverlap(ways.filter(isTelling).sort(byScore)).slice(0, MAX_PATTERNS);
  const mounts = [...sorted.values()].flatMap((facts) => facts.mounts);
  return kept.map((way) => toPattern(way, { mounts, isShared: hasNamesake(way, kept) }));
}

function isTelling({ group, steps, weight, followers }: ChosenWay): boolean {
  const least = LEAST[group.role];
  return steps.length >= least.steps && weight >= least.weight && countPieces(group, followers) >= least.pieces;
}

/** Frequency times specificity. */
function scoreOf({ group, followers, weight }: ChosenWay): number {
  const found = countPieces(group, followers);
  return Math.log2(1 + filesOf(followers)) * weight * (found / countPieces(group, group.units));
}

function byScore(a: ChosenWay, b: ChosenWay): number {
  // Of several names for the same units, the longest one.
  const names = b.group.name.length - a.group.name.length;
  return scoreOf(b) - scoreOf(a) || names || (a.group.key < b.group.key ? -1 : 1);
}

/** Drops sequences if most of their units follow a better one. */
function withoutOverlap(ways: readonly ChosenWay[]): readonly ChosenWay[] {
  const covered = new Set<LinkedUnit>();
  return ways.filter(({ followers }) => {
    const known = followers.filter((unit) => covered.has(unit)).length;
    if (known > followers.length / 2) return false;
    for (const unit of followers) covered.add(unit);
    return true;
  });
}

/** True if another language of the project has a pattern of the same kind. */
function hasNamesake({ group }: ChosenWay, ways: readonly ChosenWay[]): boolean {
  const name = ({ role, name }: ChosenWay["group"]) => `${role} ${name}`;
  return ways.some((other) => name(other.group) === name(group) && familyIn(other.group) !== familyIn(group));
}

interface Surroundings {
  readonly mounts: readonly string[];
  readonly isShared: boolean;
}

function toPattern(way: ChosenWay, { mounts, isShared }: Surroundings): CodePattern {
  const { group, followers } = way;
  const template = writeTemplate(way, mounts);
  const { title, trigger } = namePattern(group, template, isShared);
  const [found, all] = [countPieces(group, followers), countPieces(group, group.units)];
  return {
    key: group.key,
    title,
    trigger,
    template,
    hint: compressPattern({ kind: "pattern", text: title, title, template }).compressed,
    examples: examplesOf(followers),
    support: { files: filesOf(followers), of: filesOf(group.units) },
    // Smoothed, so that a few units give less confidence than many.
    confidence: round((found + 1) / (all + 2)),
    score: round(scoreOf(way)),
  };
}

/** One example per file, those with the fewest other steps first. */
function examplesOf(followers: readonly LinkedUnit[]): readonly CodePlace[] {
  const plainest = [...followers].sort(
    (a, b) => a.steps.length - b.steps.length || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  );
  const files = new Map<string, CodePlace>();
  for (const { path, line } of plainest) if (!files.has(path)) files.set(path, { path, line });
  return [...files.values()].slice(0, MAX_EXAMPLES);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

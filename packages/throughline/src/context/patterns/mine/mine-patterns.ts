import { compressPattern } from "../../../memory/text-levels/shorten-text.ts";
import { type CodePattern, type CodePlace, type FileFacts, partOf, type Role, type Step } from "../code-unit.ts";
import { type ChosenSequence, chooseSequence, countPieces, weighSteps } from "./choose-sequence.ts";
import { filesOf, groupUnits, type LinkedUnit, linkUnits } from "./group-units.ts";
import { familyIn, isErrorKind, namePattern } from "./name-pattern.ts";
import { fileTemplate, writeTemplate } from "./write-template.ts";

/** Maximum number of patterns per project. */
const MAX_PATTERNS = 24;
/** Maximum number of patterns of components: a project has many forms of them. */
const MAX_COMPONENTS = 2;

/** Minimum steps, weight and number of units of a pattern, by role. */
const MIN: Readonly<Record<Role, { readonly steps: number; readonly weight: number; readonly pieces: number }>> = {
  endpoint: { steps: 2, weight: 1.5, pieces: 3 },
  middleware: { steps: 1, weight: 0.6, pieces: 3 },
  test: { steps: 2, weight: 1, pieces: 3 },
  component: { steps: 2, weight: 0.8, pieces: 5 },
  catch: { steps: 1, weight: 0.9, pieces: 3 },
  function: { steps: 3, weight: 2, pieces: 4 },
  class: { steps: 2, weight: 1.3, pieces: 3 },
  value: { steps: 3, weight: 1.9, pieces: 4 },
};
/** Minimum number of error and middleware classes, which may have little in common. */
const MIN_ALIKE = 5;
/** Minimum number of units of a kind in fewer than three files. */
const MIN_IN_FEW_FILES = 6;

/**
 * Mines the coding patterns of a project, the most characteristic first. Deterministic, independent of the order of
 * files.
 *
 * @param recent files that changed recently, preferred as examples
 */
export function minePatterns(
  files: ReadonlyMap<string, FileFacts>,
  recent: ReadonlySet<string> = new Set(),
): readonly CodePattern[] {
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const units = linkUnits(sorted);
  const scales = weighSteps(units);
  const ways = groupUnits(units).flatMap((group) => chooseSequence(group, scales(group.units)) ?? []);
  const found = withoutOverlap(ways.filter(isSpecific).sort(byScore));
  const components = found.filter(({ group }) => group.role === "component").slice(MAX_COMPONENTS);
  const kept = found.filter((way) => !components.includes(way)).slice(0, MAX_PATTERNS);
  const mounts = [...sorted.values()].flatMap((facts) => facts.mounts);
  return kept.map((way) => toPattern(way, { mounts, recent, isShared: hasNamesake(way, kept) }));
}

function isSpecific({ group, steps, weight, followers }: ChosenSequence): boolean {
  const least = MIN[group.role];
  const pieces = countPieces(group, followers);
  if (isByName(group) && (!hasCommonPlace(followers) || !hasNames(group, followers))) return false;
  if (filesOf(followers) < 3 && (pieces < MIN_IN_FEW_FILES || filesOf(group.units) > 3)) return false;
  // For all components together, only their calls are specific.
  if (group.key === `component:${familyIn(group)}` && !steps.some((step) => partOf(step) === "call")) return false;
  if (steps.length >= least.steps && weight >= least.weight && pieces >= least.pieces) return true;
  return (isError(group) || group.name === "…Middleware") && pieces >= MIN_ALIKE;
}

const BUILT_IN_ERRORS =
  /^extends (?:Runtime|Value|Type|Key|Range|Syntax|OS|IO|IllegalArgument|IllegalState)(?:Error|Exception)$/;

function isError({ role, name }: ChosenSequence["group"]): boolean {
  return role === "class"
    ? /^extends \w+(?:Error|Exception)$/.test(name) && !BUILT_IN_ERRORS.test(name)
    : role === "value" && isErrorKind(name);
}

/** True for a kind that only the names of its units show. They may have a word in common by coincidence. */
function isByName({ role, name }: ChosenSequence["group"]): boolean {
  return role === "function" || (role === "class" && name.startsWith("…")) || (role === "endpoint" && name !== role);
}

/** True if most units are in files of the same kind. */
function hasCommonPlace(units: readonly LinkedUnit[]): boolean {
  const file = fileTemplate(units.map(({ path }) => path));
  return file !== undefined && filesOf(units) > 1 && !file.includes("**");
}

/** True if units of a kind such as `add…Command` have different names. */
function hasNames({ name }: ChosenSequence["group"], units: readonly LinkedUnit[]): boolean {
  return !name.includes("…") || new Set(units.map((unit) => unit.name)).size > 2;
}

function scoreOf({ group, followers, weight }: ChosenSequence): number {
  const found = countPieces(group, followers);
  return Math.log2(1 + filesOf(followers)) * weight * (found / countPieces(group, group.units));
}

function byScore(a: ChosenSequence, b: ChosenSequence): number {
  // Of several names for the same units, the longest one.
  const names = b.group.name.length - a.group.name.length;
  return scoreOf(b) - scoreOf(a) || names || (a.group.key < b.group.key ? -1 : 1);
}

/** Drops sequences if most of their units follow a better one. */
function withoutOverlap(ways: readonly ChosenSequence[]): readonly ChosenSequence[] {
  const covered = new Set<LinkedUnit>();
  return ways.filter(({ followers }) => {
    const known = followers.filter((unit) => covered.has(unit)).length;
    if (known > followers.length / 2) return false;
    for (const unit of followers) covered.add(unit);
    return true;
  });
}

/** True if another language of the project has a pattern of the same kind. */
function hasNamesake({ group }: ChosenSequence, ways: readonly ChosenSequence[]): boolean {
  const name = ({ role, name }: ChosenSequence["group"]) => `${role} ${name}`;
  return ways.some((other) => name(other.group) === name(group) && familyIn(other.group) !== familyIn(group));
}

interface ProjectUnits {
  readonly mounts: readonly string[];
  readonly recent: ReadonlySet<string>;
  readonly isShared: boolean;
}

function toPattern(way: ChosenSequence, { mounts, recent, isShared }: ProjectUnits): CodePattern {
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
    examples: chooseExamples(way, template, recent),
    support: { files: filesOf(followers), of: filesOf(group.units) },
    // Smoothed, so that a few units give less confidence than many.
    confidence: round((found + 1) / (all + 2)),
    score: round(scoreOf(way)),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const MAX_EXAMPLES = 2;
/** Number of lines that an example has at best: shorter ones show little, longer ones hide the pattern. */
const GOOD_LENGTH = { from: 5, to: 50 };

/**
 * The clearest places that follow a pattern, one per file: in the usual place, of a good length, with the usual steps,
 * recently changed.
 */
function chooseExamples(
  { followers }: ChosenSequence,
  template: Readonly<Record<string, string>>,
  recent: ReadonlySet<string>,
): readonly CodePlace[] {
  const counts = countSteps(followers);
  const isUsualFile = fits(template.file);
  const rated = followers.map((unit) => {
    const isUsual = isUsualFile(unit.path);
    const isShort = unit.lines >= GOOD_LENGTH.from && unit.lines <= GOOD_LENGTH.to;
    const isSame = unit.header !== undefined && unit.header === template.code;
    const good = [isUsual, isUsual, isShort, isShort, isSame, recent.has(unit.path)].filter(Boolean).length;
    return { unit, fit: good + usualness(unit, counts) };
  });
  rated.sort((a, b) => b.fit - a.fit || a.unit.lines - b.unit.lines || comparePlaces(a.unit, b.unit));
  const files = new Map<string, CodePlace>();
  for (const { unit } of rated) if (!files.has(unit.path)) files.set(unit.path, { path: unit.path, line: unit.line });
  // A pattern of one file has its examples there.
  const places = files.size > 1 ? [...files.values()] : rated.map(({ unit: { path, line } }) => ({ path, line }));
  return places.slice(0, MAX_EXAMPLES);
}

function countSteps(units: readonly LinkedUnit[]): ReadonlyMap<Step, number> {
  const counts = new Map<Step, number>();
  for (const step of units.flatMap(({ steps }) => steps)) counts.set(step, (counts.get(step) ?? 0) + 1);
  return new Map([...counts].map(([step, count]) => [step, count / units.length]));
}

/** Mean share of units that have the steps of this one, from 0 to 1. */
function usualness({ steps }: LinkedUnit, counts: ReadonlyMap<Step, number>): number {
  const own = steps.filter((step) => partOf(step) !== "route");
  return own.length === 0 ? 0 : own.reduce((sum, step) => sum + (counts.get(step) ?? 0), 0) / own.length;
}

function fits(template: string | undefined): (path: string) => boolean {
  if (template === undefined) return () => false;
  const source = template
    .split(/(\{\w+\}|\*\*\/)/)
    .map((piece) =>
      /^\{/.test(piece) ? "[^/]+" : piece === "**/" ? "(?:.*/)?" : piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("");
  const pattern = new RegExp(`(?:^|/)${source}$`);
  return (path) => pattern.test(path);
}

function comparePlaces(a: LinkedUnit, b: LinkedUnit): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line;
}

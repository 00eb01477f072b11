import { partOf, type Step } from "../code-unit.ts";
import type { CodePlace } from "../pattern.ts";
import type { ChosenWay } from "./choose-sequence.ts";
import type { LinkedUnit } from "./link-units.ts";

const MAX_EXAMPLES = 2;
/** Number of lines that an example has at best: shorter ones show little, longer ones hide the pattern. */
const GOOD_LENGTH = { from: 5, to: 50 };

/**
 * The clearest places that follow a pattern, one per file: in the usual place, of a good length, with the usual steps,
 * recently changed.
 */
export function chooseExamples(
  { followers }: ChosenWay,
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

/** Tests paths against a file template. */
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

import { partOf, type Role, type Step } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Units of one kind, which may follow a pattern. */
export interface UnitGroup {
  readonly key: string;
  readonly role: Role;
  /** Name of the kind: `endpoint`, `command`, `Service`. */
  readonly name: string;
  readonly units: readonly LinkedUnit[];
  /** Minimum share of its files that follow a pattern. */
  readonly leastShare: number;
}

/** Minimum number of units in a group. */
const MIN_PIECES = 3;

/** Parts that characterize a role. Others are details of a unit. */
const OF_ROLE: Partial<Record<Role, ReadonlySet<string>>> = {
  endpoint: new Set(["route", "auth", "validation", "input", "depends", "error_handling", "response"]),
  test: new Set(["framework", "structure", "cases", "fixture", "request", "render", "mock", "failure", "assertion"]),
};
const SHARES: Readonly<Record<Role, number>> = {
  endpoint: 1 / 3,
  test: 1 / 3,
  component: 1 / 2,
  catch: 1 / 3,
  function: 1 / 2,
  class: 1 / 2,
};

/** Groups units by kind: general kinds, and kinds derived from the project's own names. */
export function groupUnits(units: readonly LinkedUnit[]): readonly UnitGroup[] {
  const groups = Map.groupBy(
    units.flatMap((unit) => kindsOf(unit).map((kind) => ({ unit, kind }))),
    ({ unit, kind }) => `${unit.role}:${unit.family}${kind === "" ? "" : `:${kind}`}`,
  );
  return [...groups].flatMap(([key, members]) => {
    const found = members.map(({ unit }) => unit);
    const [first] = found;
    const name = members[0]?.kind ?? "";
    if (first === undefined || found.length < MIN_PIECES) return [];
    return [
      { key, role: first.role, name: name === "" ? first.role : name, units: found, leastShare: SHARES[first.role] },
    ];
  });
}

/** Number of files that contain the units. */
export function filesOf(units: readonly { readonly path: string }[]): number {
  return new Set(units.map(({ path }) => path)).size;
}

/**
 * Steps of a unit that characterize its kind. Paths of routes are replaced by a placeholder.
 *
 * @param isWide Includes calls, for kinds with few other steps.
 */
export function stepsOfKind({ role, steps }: LinkedUnit, isWide: boolean): readonly Step[] {
  const wanted = OF_ROLE[role];
  const isWanted = (part: string) => wanted === undefined || wanted.has(part) || (isWide && part === "call");
  const own = steps.filter((step) => isWanted(partOf(step)));
  return own.map((step) => (partOf(step) === "route" ? "route={route}" : step));
}

/** Kinds of a function or class by its name: `add…Command`, `…Service`, `extends Error`. */
function kindsOf({ role, name, of }: LinkedUnit): readonly string[] {
  if (role !== "function" && role !== "class") return [""];
  const words = wordsIn(name);
  const [first, last] = [words[0] ?? "", words.at(-1) ?? ""];
  if (role === "class")
    return [...(words.length > 1 ? [`…${last}`] : []), ...(of === undefined ? [] : [`extends ${of}`])];
  // Functions with the same name in many files, such as `save`.
  if (words.length < 2) return [first];
  return [`${first}…`, `…${last}`, ...(words.length > 2 ? [`${first}…${last}`] : [])];
}

/** Words of an identifier: the same for `addImportCommand` and `add_import_command`. */
export function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

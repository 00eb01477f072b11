import { partOf, type Role, type Step } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Pieces of code of one kind, which may be written in one way. */
export interface UnitGroup {
  readonly key: string;
  readonly role: Role;
  /** What the kind is called: `endpoint`, `command`, `Service`. */
  readonly name: string;
  readonly units: readonly LinkedUnit[];
  /** The share of its files that a way has to be followed in. */
  readonly leastShare: number;
}

/** Fewer pieces say nothing of a project. */
const MIN_PIECES = 3;

/** Steps that belong to what a role is for; all others are details of one piece. */
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

/** The kinds of code in a project: those that every project has, and those that its own names tell. */
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

/** How many files pieces stand in. */
export function filesOf(units: readonly { readonly path: string }[]): number {
  return new Set(units.map(({ path }) => path)).size;
}

/**
 * The steps of a piece that its kind is known by. A path is another one each time.
 *
 * @param isWide also what it calls: where a kind is known by little, that may tell more
 */
export function stepsOfKind({ role, steps }: LinkedUnit, isWide: boolean): readonly Step[] {
  const wanted = OF_ROLE[role];
  const isWanted = (part: string) => wanted === undefined || wanted.has(part) || (isWide && part === "call");
  const own = steps.filter((step) => isWanted(partOf(step)));
  return own.map((step) => (partOf(step) === "route" ? "route={route}" : step));
}

/** What a function or a class is called like: `add…Command`, `…Service`, what extends `Error`. */
function kindsOf({ role, name, of }: LinkedUnit): readonly string[] {
  if (role !== "function" && role !== "class") return [""];
  const words = wordsIn(name);
  const [first, last] = [words[0] ?? "", words.at(-1) ?? ""];
  if (role === "class")
    return [...(words.length > 1 ? [`…${last}`] : []), ...(of === undefined ? [] : [`extends ${of}`])];
  // Functions of one name in many files: each file's `save`.
  if (words.length < 2) return [first];
  return [`${first}…`, `…${last}`, ...(words.length > 2 ? [`${first}…${last}`] : [])];
}

/** `addImportCommand` and `add_import_command` are the same words. */
export function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

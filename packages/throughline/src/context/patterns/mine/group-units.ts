import { partOf, type Role, type Step, wordOf } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Units of one kind, which may follow a pattern. */
export interface UnitGroup {
  readonly key: string;
  readonly role: Role;
  /** Name of the kind: `endpoint`, `…Service`, `extends Transport`. */
  readonly name: string;
  readonly units: readonly LinkedUnit[];
  /** Minimum share of its files that follow a pattern. */
  readonly leastShare: number;
}

/** Minimum number of units in a group. */
const MIN_PIECES = 3;

/** Parts that characterize a role. Others are details of a unit. */
const OF_ROLE: Partial<Record<Role, ReadonlySet<string>>> = {
  endpoint: new Set(["route", "auth", "mark", "validation", "input", "depends", "error_handling", "response"]),
  test: new Set("framework extends structure cases fixture request render mock failure assertion".split(" ")),
};
const SHARES: Readonly<Record<Role, number>> = {
  endpoint: 1 / 3,
  middleware: 1 / 2,
  test: 1 / 3,
  component: 1 / 2,
  catch: 1 / 2,
  function: 1 / 2,
  class: 1 / 2,
  value: 1 / 2,
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

/** Kinds of a unit: "" for all of its role, or a kind by its names, such as `add…Command` or `extends Error`. */
function kindsOf(unit: LinkedUnit): readonly string[] {
  const { role, name, of, steps, header } = unit;
  switch (role) {
    case "value":
      return [of ?? ""];
    case "class":
      return classKinds(unit);
    case "function":
      // A method is a part of its class.
      return of === undefined ? functionKinds(name) : [];
    case "test":
      return [steps.find((step) => partOf(step) === "framework")?.slice("framework=".length) ?? ""];
    case "component":
      return header === undefined ? [""] : ["", header];
    case "endpoint":
      // Handlers with the same name in many files are also a kind of their own.
      return /^(?:\w+ \/.*|[A-Z]+|handler)$/.test(name) ? [""] : ["", name];
    default:
      return [""];
  }
}

/** Annotations that generate code of any class. */
const GENERATORS = /^(?:Getter|Setter|Data|Value|Builder|\w+Constructor|ToString|EqualsAndHashCode|dataclass)$/;

function classKinds({ name, of, steps }: LinkedUnit): readonly string[] {
  const words = wordsIn(name);
  const marks = steps.filter((step) => partOf(step) === "mark" && !GENERATORS.test(wordOf(step)));
  const suffix = words.length > 1 ? [`…${words.at(-1) ?? ""}`] : [];
  return [...suffix, ...(of === undefined ? [] : [`extends ${of}`]), ...marks.map((step) => `@${wordOf(step)}`)];
}

function functionKinds(name: string): readonly string[] {
  const words = wordsIn(name);
  const [first, last] = [words[0] ?? "", words.at(-1) ?? ""];
  if (words.length < 2) return [name];
  return [name, `…${last}`, ...(words.length > 2 ? [`${first}…${last}`] : [])];
}

/** Words of an identifier: the same for `addImportCommand` and `add_import_command`. */
export function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

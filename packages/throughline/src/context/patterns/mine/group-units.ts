import { type CodeUnit, type FileFacts, partOf, type Role, type Step, wordOf } from "../code-unit.ts";
import { UNKNOWN_LIBRARY, validationLibrary } from "../read/endpoint-steps.ts";
import { isScript, SCRIPTS } from "../read/read-events.ts";
import { inOrder } from "../read/read-units.ts";
import { mainFramework } from "../read/test-steps.ts";

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

/** A unit of the project, with the steps of its helpers. */
export interface LinkedUnit extends CodeUnit {
  readonly path: string;
  /** Language family. Similar languages share one: `script`. */
  readonly family: string;
}

function familyOf(language: string): string {
  return SCRIPTS.includes(language) ? "script" : language;
}

/** End-to-end tests often have another framework than the other tests. */
const E2E = /(?:^|\/)e2e\//;

/** All units of a project. Endpoints are joined with their handlers and include the steps of their helpers. */
export function linkUnits(files: ReadonlyMap<string, FileFacts>): readonly LinkedUnit[] {
  const units = [...files].flatMap(([path, { language, units }]) =>
    units.map((unit): LinkedUnit => ({ ...unit, path, family: familyOf(language) })),
  );
  const helpers = learnHelpers(units);
  const library = onlyLibrary(files);
  const nameCalls = callNames(units);
  const framework = mainFramework([...files.values()].filter(isScript).map(({ packages }) => packages));
  const nameFramework = (unit: LinkedUnit): readonly Step[] => {
    const isOpen = unit.role === "test" && unit.family === "script" && framework !== undefined && !E2E.test(unit.path);
    const isKnown = !isOpen || unit.steps.some((step) => partOf(step) === "framework");
    return isKnown ? unit.steps : [`framework=${framework}`, ...unit.steps];
  };
  return joinHandlers(units.map((unit) => ({ ...unit, steps: nameFramework(unit) }))).map((unit) => ({
    ...unit,
    steps: nameLibrary(linked(unit, helpers), library).map(nameCalls),
  }));
}

function linked(unit: LinkedUnit, helpers: Helpers): readonly Step[] {
  return unit.role === "endpoint" ? withHelpers(unit.steps, helpers) : unit.steps;
}

function nameLibrary(steps: readonly Step[], library: string | undefined): readonly Step[] {
  const named: Step = library === undefined ? "validation={schema}" : `validation=${library}_schema`;
  return inOrder(steps.map((step) => (step === UNKNOWN_LIBRARY ? named : step)));
}

/** Minimum share of a function's calls that name the same module. */
const SAME_MODULE = 0.8;

/** Names each called function in one way: with its module if most calls have the same one. */
function callNames(units: readonly LinkedUnit[]): (step: Step) => Step {
  const calls = units.flatMap(({ steps }) => steps.filter((step) => partOf(step) === "call").map(wordOf));
  const names = new Map(
    [...Map.groupBy(calls, lastName)].map(([name, all]) => {
      const forms = [...Map.groupBy(all, (one) => one)].sort((a, b) => b[1].length - a[1].length);
      const [form = name, found = []] = forms[0] ?? [];
      return [name, found.length >= all.length * SAME_MODULE ? form : name] as const;
    }),
  );
  return (step) => (partOf(step) === "call" ? `call=${names.get(lastName(wordOf(step))) ?? wordOf(step)}` : step);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** The project's validation library, if it has exactly one. */
function onlyLibrary(files: ReadonlyMap<string, FileFacts>): string | undefined {
  const found = new Set([...files.values()].flatMap(({ packages }) => validationLibrary(packages) ?? []));
  return found.size === 1 ? [...found][0] : undefined;
}

/** Joins endpoints with handlers that are defined elsewhere, at the place of the handler. */
function joinHandlers(units: readonly LinkedUnit[]): readonly LinkedUnit[] {
  const byName = Map.groupBy(
    units.filter(({ role }) => role === "function" || role === "endpoint"),
    ({ name }) => name,
  );
  const taken = new Set<LinkedUnit>();
  const joined = units.flatMap((unit): LinkedUnit[] => {
    const handler = unit.steps.find((step) => partOf(step) === "handler");
    if (handler === undefined) return [unit];
    const named = wordOf(handler);
    const candidates = (byName.get(named.split(".").at(-1) ?? "") ?? []).filter(
      (one) => one !== unit && !taken.has(one),
    );
    const found = nearest(candidates, `${unit.path} ${unit.steps[0] ?? ""} ${named}`);
    taken.add(unit);
    if (found === undefined) return [];
    taken.add(found);
    const before = unit.steps.filter((step) => partOf(step) !== "handler");
    const own = found.steps.filter((step) => partOf(step) !== "route");
    return [{ ...found, role: "endpoint", steps: inOrder([...before, ...own]) }];
  });
  return joined.filter((unit) => !taken.has(unit));
}

/** Candidate whose file and class share the most words with the place of registration. */
function nearest(candidates: readonly LinkedUnit[], place: string): LinkedUnit | undefined {
  const wanted = wordsOf(place);
  const shared = (unit: LinkedUnit) =>
    [...wordsOf(`${unit.path} ${unit.of ?? ""}`)].filter((word) => wanted.has(word)).length;
  return candidates.map((unit) => ({ unit, shared: shared(unit) })).sort((a, b) => b.shared - a.shared)[0]?.unit;
}

function wordsOf(text: string): Set<string> {
  const words =
    text
      .replace(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]{2,}/g) ?? [];
  return new Set(words.map((word) => word.replace(/s$/, "")));
}

/** Steps that the project's functions do for their callers, by function name. */
type Helpers = ReadonlyMap<string, readonly Step[]>;

/** Parts that count for the caller of a helper. */
const INHERITED: ReadonlySet<string> = new Set(["validation", "response"]);
const TYPED: Step = "error_handling=typed_result";
/** Depth of nested helpers. */
const DEPTH = 2;

/** Finds helpers. Functions with the same name count only if they all have the same steps. */
function learnHelpers(units: readonly CodeUnit[]): Helpers {
  const functions = Map.groupBy(
    units.filter(({ role }) => role === "function"),
    ({ name }) => name,
  );
  let helpers: Helpers = new Map();
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const known = helpers;
    helpers = new Map(
      [...functions].flatMap(([name, all]) => {
        const done = all.map(({ steps }) => withHelpers(steps, known).filter(isInherited));
        const [first = [], ...others] = done;
        const common = first.filter((step) => others.every((steps) => steps.includes(step)));
        return common.length > 0 ? [[name, common] as const] : [];
      }),
    );
  }
  return helpers;
}

function withHelpers(steps: readonly Step[], helpers: Helpers): readonly Step[] {
  return steps.flatMap((step) =>
    partOf(step) === "call" ? (helpers.get(wordOf(step).split(".").at(-1) ?? "") ?? [step]) : [step],
  );
}

function isInherited(step: Step): boolean {
  return INHERITED.has(partOf(step)) || step === TYPED;
}

import { type CodeUnit, type FileFacts, partOf, type Step, wordOf } from "../code-unit.ts";
import { isScript, SCRIPTS } from "../concepts/scope.ts";
import { mainFramework } from "../concepts/testing.ts";
import { UNKNOWN_LIBRARY, validationLibrary } from "../concepts/validation.ts";
import { inOrder } from "../read/steps-of.ts";

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

/** Steps of a unit; for an endpoint, with those of its helpers. */
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
const HANDED_ON: ReadonlySet<string> = new Set(["validation", "response"]);
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
        const done = all.map(({ steps }) => withHelpers(steps, known).filter(isHandedOn));
        const [first = [], ...others] = done;
        const common = first.filter((step) => others.every((steps) => steps.includes(step)));
        return common.length > 0 ? [[name, common] as const] : [];
      }),
    );
  }
  return helpers;
}

/** Replaces calls of helpers by the steps of the helpers. */
function withHelpers(steps: readonly Step[], helpers: Helpers): readonly Step[] {
  return steps.flatMap((step) =>
    partOf(step) === "call" ? (helpers.get(wordOf(step).split(".").at(-1) ?? "") ?? [step]) : [step],
  );
}

function isHandedOn(step: Step): boolean {
  return HANDED_ON.has(partOf(step)) || step === TYPED;
}

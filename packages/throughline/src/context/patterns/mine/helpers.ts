import { type CodeUnit, partOf, type Step, wordOf } from "../code-unit.ts";

/** What the functions of a project do for those that call them, by name. */
export type Helpers = ReadonlyMap<string, readonly Step[]>;

/** What a function does for its caller, as if that did it itself. */
const HANDED_ON: ReadonlySet<string> = new Set(["validation", "response"]);
const TYPED: Step = "error_handling=typed_result";
/** A helper of a helper is looked through as well. */
const DEPTH = 2;

/** Functions of one name count where they all do the same. */
export function learnHelpers(units: readonly CodeUnit[]): Helpers {
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

/** Steps with what called helpers do in the place of the call. */
export function withHelpers(steps: readonly Step[], helpers: Helpers): readonly Step[] {
  return steps.flatMap((step) => (partOf(step) === "call" ? (helpers.get(wordOf(step)) ?? [step]) : [step]));
}

function isHandedOn(step: Step): boolean {
  return HANDED_ON.has(partOf(step)) || step === TYPED;
}

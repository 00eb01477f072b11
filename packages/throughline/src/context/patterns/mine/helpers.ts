import { type CodeUnit, partOf, type Step, wordOf } from "../code-unit.ts";

/** Steps that the project's functions do for their callers, by function name. */
export type Helpers = ReadonlyMap<string, readonly Step[]>;

/** Parts that count for the caller of a helper. */
const HANDED_ON: ReadonlySet<string> = new Set(["validation", "response"]);
const TYPED: Step = "error_handling=typed_result";
/** Depth of nested helpers. */
const DEPTH = 2;

/** Finds helpers. Functions with the same name count only if they all have the same steps. */
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

/** Replaces calls of helpers by the steps of the helpers. */
export function withHelpers(steps: readonly Step[], helpers: Helpers): readonly Step[] {
  return steps.flatMap((step) =>
    partOf(step) === "call" ? (helpers.get(wordOf(step).split(".").at(-1) ?? "") ?? [step]) : [step],
  );
}

function isHandedOn(step: Step): boolean {
  return HANDED_ON.has(partOf(step)) || step === TYPED;
}

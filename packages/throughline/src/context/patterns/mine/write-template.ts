import { partOf, type Step, wordOf } from "../code-unit.ts";
import type { ChosenWay } from "./choose-sequence.ts";
import { wordsIn } from "./group-units.ts";
import type { LinkedUnit } from "./link-units.ts";
import { routeTemplate } from "./route-template.ts";
import { testFileTemplate } from "./test-file-template.ts";

/** Parts of a pattern in order, with placeholders for the parts that vary. */
export function writeTemplate(
  { group, steps, followers }: ChosenWay,
  mounts: readonly string[],
): Readonly<Record<string, string>> {
  const frame: readonly (readonly [string, string])[] =
    group.role === "test"
      ? [["file", testFileTemplate(followers)]]
      : group.role === "catch"
        ? [group.key.endsWith(":go") ? ["check", "err != nil"] : ["catch", "{error}"]]
        : [];
  return Object.fromEntries([...frame, ...steps.map((step) => partOfTemplate(step, followers, mounts))]);
}

function partOfTemplate(
  step: Step,
  followers: readonly LinkedUnit[],
  mounts: readonly string[],
): readonly [string, string] {
  const [part, word] = [partOf(step), wordOf(step)];
  switch (part) {
    case "route":
      return ["route", routeTemplate(followers, mounts)];
    case "call":
    case "method":
      return [snake(word), `${word}({args})`];
    case "mark":
      return [snake(word), `@${word}({args})`];
    case "extends":
      return [snake(word), `{Name} extends ${word}`];
    case "constructor":
      return ["constructor", "super({args})"];
    case "throw":
      return ["throw", THROWN[word] ?? "{error}"];
    case "return":
      return ["return", RETURNED[word] ?? "{fallback}"];
    default:
      return [part, word];
  }
}

const THROWN: Readonly<Record<string, string>> = {
  wrapped: "{Error}({message}, {cause})",
  replaced: "{Error}({message})",
  rethrown: "{error}",
};
const RETURNED: Readonly<Record<string, string>> = {
  wrapped: "fmt.Errorf({context}: %w, err)",
  as_it_is: "{err}",
  told: "{answer}({error})",
};

/** `findUser` as a word of a template: `find_user`. */
function snake(name: string): string {
  return wordsIn(name).join("_").toLowerCase() || name;
}

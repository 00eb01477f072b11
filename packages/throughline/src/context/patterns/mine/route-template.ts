import { partOf, wordOf } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** The paths of endpoints as one: what all of them begin with, and a placeholder for what is different. */
export function routeTemplate(units: readonly LinkedUnit[], mounts: readonly string[]): string {
  const routes = units.flatMap(({ steps }) => steps.filter((step) => partOf(step) === "route").map(wordOf));
  const paths = routes.map((route) => route.slice(route.indexOf(" ") + 1)).filter((path) => path !== "");
  const own = commonBeginning(paths);
  // Where endpoints are registered below a path of another file, that one says where they are.
  const prefix = own.length > 0 ? own : commonBeginning(mounts);
  return `{method} /${[...prefix, "{resource}"].join("/")}`;
}

/** Steps that all paths begin with. What comes last in one of them is what it is about. */
function commonBeginning(paths: readonly string[]): readonly string[] {
  const [first = [], ...others] = paths.map((path) => path.split("/").filter((step) => step !== ""));
  const isSame = (step: string, i: number) => others.every((other) => other[i] === step) && !/[:{[<*]/.test(step);
  const end = first.findIndex((step, i) => !isSame(step, i));
  const common = end === -1 ? first : first.slice(0, end);
  const shortest = Math.min(...[first, ...others].map(({ length }) => length));
  return common.slice(0, Math.max(0, shortest - 1));
}

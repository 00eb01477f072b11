import { partOf, wordOf } from "../code-unit.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Template of endpoint paths: their common prefix, and a placeholder for the rest. */
export function routeTemplate(units: readonly LinkedUnit[], mounts: readonly string[]): string {
  const routes = units.flatMap(({ steps }) => steps.filter((step) => partOf(step) === "route").map(wordOf));
  const paths = routes.map((route) => route.slice(route.indexOf(" ") + 1)).filter((path) => path !== "");
  const own = commonBeginning(paths);
  // Without a common prefix, the paths at which routers are mounted give it.
  const prefix = own.length > 0 ? own : commonBeginning(mounts);
  return `{method} /${[...prefix, "{resource}"].join("/")}`;
}

/** Common leading segments of all paths. The last segment of a path is its resource and is not included. */
function commonBeginning(paths: readonly string[]): readonly string[] {
  const [first = [], ...others] = paths.map((path) => path.split("/").filter((step) => step !== ""));
  const isSame = (step: string, i: number) => others.every((other) => other[i] === step) && !/[:{[<*]/.test(step);
  const end = first.findIndex((step, i) => !isSame(step, i));
  const common = end === -1 ? first : first.slice(0, end);
  const shortest = Math.min(...[first, ...others].map(({ length }) => length));
  return common.slice(0, Math.max(0, shortest - 1));
}

import { partOf, type Step, wordOf } from "../code-unit.ts";
import type { ChosenWay } from "./choose-sequence.ts";
import { fileTemplate } from "./file-template.ts";
import type { LinkedUnit } from "./link-units.ts";

/** Parts of a pattern in order, with placeholders for the parts that vary. */
export function writeTemplate(
  { group, steps, followers }: ChosenWay,
  mounts: readonly string[],
): Readonly<Record<string, string>> {
  const parts = new Map<string, string>(frameOf(group, followers));
  const hasFields = steps.some((step) => partOf(step) === "field");
  // The first line names the constructor.
  for (const step of steps.filter((one) => !hasFields || partOf(one) !== "value")) {
    const list = LISTS.get(partOf(step));
    if (list === undefined) {
      const value = partValue(step, followers, mounts);
      if (value !== undefined) parts.set(partOf(step), value);
    } else {
      const known = parts.get(list);
      const name = partOf(step) === "mark" ? decorator(wordOf(step), group.key) : wordOf(step);
      parts.set(list, known === undefined ? name : `${known} → ${name}`);
    }
  }
  return Object.fromEntries(parts);
}

function decorator(name: string, key: string): string {
  return key.split(":")[1] === "rust" ? `#[${name}]` : `@${name}`;
}

/** Parts with several values, and the names of their lists. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["call", "calls"],
  ["method", "methods"],
  ["mark", "decorators"],
  ["field", "fields"],
  ["fixture", "fixtures"],
]);

/** Place and first line of the code. An endpoint shows its route instead. */
function frameOf(
  { role, name, key }: ChosenWay["group"],
  followers: readonly LinkedUnit[],
): readonly [string, string][] {
  if (role === "test") return [["file", testFileTemplate(followers)]];
  if (role === "catch") return [key.endsWith(":go") ? ["check", "err != nil"] : ["catch", "{error}"]];
  if (role === "endpoint" && name === role) return [];
  const file = fileTemplate(followers.map(({ path }) => path));
  // Units of the same name, such as `Run`, show it.
  const isOneName = (role === "function" || role === "endpoint") && !name.includes("…");
  const header = commonHeader(followers)?.replace(/\{name\}/i, (placeholder) => (isOneName ? name : placeholder));
  return [
    ...(file === undefined ? [] : ([["file", file]] as const)),
    ...(header === undefined ? [] : ([["code", header]] as const)),
  ].map(([part, value]): [string, string] => [part, value]);
}

/** Minimum share of units with the same first line. */
const HEADER_SHARE = 0.25;

/** Most frequent first line. Undefined if most units have their own. */
function commonHeader(units: readonly LinkedUnit[]): string | undefined {
  const headers = units.flatMap(({ header }) => header ?? []);
  const least = Math.max(2, units.length * HEADER_SHARE);
  return mostFrequent(headers, least) ?? mostFrequent(headers.map(withoutParameters), least);
}

function mostFrequent(texts: readonly string[], least: number): string | undefined {
  const groups = [...Map.groupBy(texts, (text) => text)];
  const [best] = groups.sort(([a, x], [b, y]) => y.length - x.length || a.length - b.length || (a < b ? -1 : 1));
  return best !== undefined && best[1].length >= least ? best[0] : undefined;
}

/** `func {Name}(ctx Context) error` as `func {Name}(…) error`. */
function withoutParameters(header: string): string {
  return header.replace(/(\{name\} ?(?:= (?:async )?)?)\([^()]+\)/i, "$1(…)");
}

/** Undefined for a part that other parts show. */
function partValue(step: Step, followers: readonly LinkedUnit[], mounts: readonly string[]): string | undefined {
  const [part, word] = [partOf(step), wordOf(step)];
  switch (part) {
    case "route":
      return routeTemplate(followers, mounts);
    case "next":
    case "markup":
    case "props":
      return undefined;
    case "constructor":
      return "super(…)";
    case "throw":
      return THROWN[word] ?? "{error}";
    case "return":
      return RETURNED[word] ?? "{fallback}";
    default:
      return word;
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

/** Template of endpoint paths: their common prefix, and a placeholder for the rest. */
function routeTemplate(units: readonly LinkedUnit[], mounts: readonly string[]): string {
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

const FORMS: readonly (readonly [name: RegExp, template: string])[] = [
  [/([._-])(test|spec)(\.[a-z]+)$/, "{module}$1$2$3"],
  [/_test\.go$/, "{module}_test.go"],
  [/^test_.*(\.py)$/, "test_{module}.py"],
  [/(Tests?|IT)\.java$/, "{Class}$1.java"],
];
const FOLDER = /(?:^|\/)(tests?|__tests__|specs?|e2e)\//;

/** Most frequent form of test file paths: `tests/{module}.test.ts`. */
function testFileTemplate(units: readonly LinkedUnit[]): string {
  const forms = [...new Set(units.map(({ path }) => path))].map(formOf);
  const counts = Map.groupBy(forms, (form) => form);
  return [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0] ?? "{module}";
}

function formOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const folder = FOLDER.exec(path)?.[1];
  const found = FORMS.find(([pattern]) => pattern.test(file));
  const match = found?.[0].exec(file);
  const name =
    found === undefined || match === null || match === undefined
      ? `{module}${/\.[a-z]+$/.exec(file)?.[0] ?? ""}`
      : found[1].replace(/\$(\d)/g, (_, i: string) => match[Number(i)] ?? "");
  if (folder === undefined && file.endsWith(".rs")) return `${name} (mod tests)`;
  // In Java, folders are packages, so only the name is used.
  return folder === undefined || file.endsWith(".java") ? name : `${folder}/${name}`;
}

import { partOf, type Step, wordOf } from "../code-unit.ts";
import type { ChosenSequence } from "./choose-sequence.ts";
import type { LinkedUnit } from "./group-units.ts";

/** Parts with several values, and the names of their lists. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["call", "calls"],
  ["method", "methods"],
  ["mark", "decorators"],
  ["field", "fields"],
  ["fixture", "fixtures"],
]);

/** Parts of a pattern in order, with placeholders for the parts that vary. */
export function writeTemplate(
  { group, steps, followers }: ChosenSequence,
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

/** Place and first line of the code. An endpoint shows its route instead. */
function frameOf(
  { role, name, key }: ChosenSequence["group"],
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

/** Minimum share of the files that a template fits; all, if they are few. */
const MIN_SHARE = 0.6;
const FEW_FILES = 4;
/** Minimum share of file names with a common beginning or end. */
const AFFIX_SHARE = 0.8;
const NAME = "{name}";

/**
 * Place of files as a template: `src/commands/{name}-command.ts`, `{name}/command.go`, or one path if all are in one
 * file. Undefined if most of them have no common place.
 */
export function fileTemplate(paths: readonly string[]): string | undefined {
  const files = [...new Set(paths)].map(splitPath);
  const [first] = files;
  if (first === undefined) return undefined;
  if (files.length === 1) return first.path;
  const least = files.length < FEW_FILES ? files.length : files.length * MIN_SHARE;
  const [beside, below] = [largest(files, ({ folder, end }) => `${folder}*.${end}`), largest(files, placeInFolders)];
  if (below.length >= least && below.length >= beside.length) return placeInFolders(below[0] ?? first);
  if (beside.length >= least) return besideTemplate(beside);
  return deepTemplate(files, least);
}

interface FilePath {
  readonly path: string;
  /** With a slash at the end. "" for the root. */
  readonly folder: string;
  readonly stem: string;
  readonly end: string;
}

function splitPath(path: string): FilePath {
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  return { path, folder: path.slice(0, slash), stem: path.slice(slash, dot), end: path.slice(dot + 1) };
}

function largest(files: readonly FilePath[], keyOf: (file: FilePath) => string): readonly FilePath[] {
  const groups = [...Map.groupBy(files, keyOf)].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return groups[0]?.[1] ?? [];
}

function placeInFolders({ folder, stem, end }: FilePath): string {
  const parent = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder === "" ? `${stem}.${end}` : `${parent}${NAME}/${stem}.${end}`;
}

function besideTemplate(files: readonly FilePath[]): string {
  const [{ folder = "", end = "" } = {}] = files;
  return `${folder}${nameTemplate(files)}.${end}`;
}

/** A placeholder with the common beginning and end of file names: `{name}-command`, `{name}Controller`. */
function nameTemplate(files: readonly FilePath[]): string {
  const stems = files.map(({ stem }) => stem);
  const before = commonAffix(stems, (stem) => /^[^-_.]+[-_.]/.exec(stem)?.[0]);
  const after = commonAffix(stems, (stem) => /(?:[-_.][^-_.]+|(?<=[a-z\d])[A-Z][a-z]+)$/.exec(stem)?.[0]);
  return before + NAME + after;
}

function commonAffix(stems: readonly string[], affixOf: (stem: string) => string | undefined): string {
  const groups = [...Map.groupBy(stems, (stem) => affixOf(stem) ?? "")].sort((a, b) => b[1].length - a[1].length);
  const [affix = "", found = []] = groups[0] ?? [];
  return found.length >= stems.length * AFFIX_SHARE ? affix : "";
}

/** Files at any depth of a folder. Undefined for a folder such as `src`, which is not specific. */
function deepTemplate(files: readonly FilePath[], least: number): string | undefined {
  const counts = new Map<string, number>();
  for (const { folder } of files) {
    for (let at = folder.indexOf("/"); at !== -1; at = folder.indexOf("/", at + 1)) {
      const above = folder.slice(0, at + 1);
      counts.set(above, (counts.get(above) ?? 0) + 1);
    }
  }
  const [deepest] = [...counts]
    .filter(([folder, count]) => count >= least && /\/.+\/$/.test(folder))
    .sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1));
  if (deepest === undefined) return undefined;
  const found = largest(
    files.filter(({ folder }) => folder.startsWith(deepest[0])),
    ({ end }) => end,
  );
  return `${deepest[0]}**/${nameTemplate(found)}.${found[0]?.end ?? ""}`;
}

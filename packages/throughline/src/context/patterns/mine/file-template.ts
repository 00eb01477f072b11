/** Minimum share of the files that a template fits; all, if they are few. */
const MIN_SHARE = 0.6;
const FEW = 4;
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
  const least = files.length < FEW ? files.length : files.length * MIN_SHARE;
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
  /** Extension. */
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

/** The same file name in sibling folders. */
function placeInFolders({ folder, stem, end }: FilePath): string {
  const parent = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  return folder === "" ? `${stem}.${end}` : `${parent}${NAME}/${stem}.${end}`;
}

/** Files in one folder. */
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

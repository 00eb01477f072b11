/** Folder names that do not describe their content. */
const GENERIC =
  /^(?:src|lib|libs|app|apps|packages?|pkg|cmd|internal|source|sources|main|core|common|shared|utils?|helpers?|test|tests|__tests__|spec|specs|dist|build|index|mod|init|types?|server|client|components?|modules?|services?)$/i;

/** Normalizes a path: `/` as separator, without leading `./` and without line numbers. */
export function cleanPath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/{2,}/g, "/")
    .replace(/:\d+(?::\d+)?$/, "");
}

/** Makes a path relative to the project root, if the project id is an absolute path and the path is below it. */
export function fromRoot(path: string, root: string | undefined): string {
  const folder = root?.replaceAll("\\", "/").replace(/(?<!\/)\/+$/, "") ?? "";
  const plain = path.trim().replaceAll("\\", "/");
  const isOfDisk = /^(?:\/|[A-Za-z]:\/)/.test(folder);
  // Windows ignores case, and programs write drive letters in either case.
  const isOfWindows = /^(?:[A-Za-z]:|\/)\//.test(folder);
  const [start, above] = [plain.slice(0, folder.length + 1), `${folder}/`];
  const isBelow = isOfWindows ? start.toLowerCase() === above.toLowerCase() : start === above;
  return isOfDisk && isBelow ? plain.slice(folder.length + 1) : path;
}

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder of a file; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/**
 * Paths on one line, with those of a folder together.
 *
 * @example
 * groupPaths(["src/a.ts", "README.md", "src/b.ts"]); // "src/{a.ts, b.ts}, README.md"
 */
export function groupPaths(paths: readonly string[]): string {
  return [...Map.groupBy(paths, folderOf)]
    .map(([folder, own]) => {
      if (own.length === 1 || folder === "") return own.join(", ");
      return `${folder}/{${own.map(fileName).join(", ")}}`;
    })
    .join(", ");
}

/** True if two paths may be the same file: one is a suffix of the other, by whole segments. */
export function isSameFile(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  const before = longer.length - shorter.length;
  return before === 0 ? a === b : longer[before - 1] === "/" && longer.endsWith(shorter);
}

/** Last folder and name of a file. Paths of the same file share it, unless one has no folder. */
export function pathEnd(path: string): string {
  return path.slice(path.lastIndexOf("/", path.lastIndexOf("/") - 1) + 1);
}

/** Descriptive words in the path of a file: names of its last two folders, and parts of its own name. */
export function placeNames(path: string): { readonly folders: readonly string[]; readonly file: readonly string[] } {
  const folders = folderOf(path)
    .split("/")
    .filter((name) => name.length > 1 && !GENERIC.test(name))
    .slice(-2);
  const stem = fileName(path).replace(/(?:\.(?:test|spec|d|stories))?\.\w+$/, "");
  const file = stem
    .split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u)
    .filter((name) => name.length > 2 && !GENERIC.test(name));
  return { folders, file };
}

/** Folders that say nothing of what is in them. */
const GENERIC =
  /^(?:src|lib|libs|app|apps|packages?|pkg|cmd|internal|source|sources|main|core|common|shared|utils?|helpers?|test|tests|__tests__|spec|specs|dist|build|index|mod|init|types?|server|client|components?|modules?|services?)$/i;

/** A path with `/` between its names and nothing before the first. */
export function cleanPath(path: string): string {
  return path
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/{2,}/g, "/")
    .replace(/:\d+(?::\d+)?$/, "");
}

/** A path from a project's root, where the project is named for its folder and the path begins with that. */
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

/** The name of a file without its folders. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The folder of a file; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Whether two paths may mean one file: one is the end of the other, as when one begins at another folder. */
export function isSameFile(a: string, b: string): boolean {
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  const before = longer.length - shorter.length;
  return before === 0 ? a === b : longer[before - 1] === "/" && longer.endsWith(shorter);
}

/** The name of a file with its folder before it, where it has one. Paths that mean one file share it, or one has no folder. */
export function pathEnd(path: string): string {
  return path.slice(path.lastIndexOf("/", path.lastIndexOf("/") - 1) + 1);
}

/** Words by which people speak of where a file is: the names of its folders and its own, those that say something. */
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

/**
 * The directory that paths are relative to: the one to which relative paths were added, else the one that most have in
 * common, by the characters that it saves; "" if it saves none.
 *
 * @example
 * findRoot(["/app/src/a.ts", "/app/src/b.ts", "/etc/hosts"], []); // "/app/src"
 * findRoot(["/app/src/a.ts", "/app/src/b.ts"], ["src/a.ts", "src/b.ts"]); // "/app"
 */
export function findRoot(paths: readonly string[], names: readonly string[]): string {
  const own = workingDirectory(paths, names);
  // If some paths are already relative, another root would be wrong for them.
  return own ?? (paths.every(isAbsolute) ? commonDirectory(paths) : "");
}

/** The directory of most pairs, at least two, of the absolute and the relative path of a file. */
function workingDirectory(paths: readonly string[], names: readonly string[]): string | undefined {
  const relative = new Set(
    names.map((name) => name.replace(/^\.\//, "")).filter((name) => name.includes("/") && !isAbsolute(name)),
  );
  const votes = new Map<string, number>();
  for (const path of paths) {
    if (!isAbsolute(path)) continue;
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) {
      if (!relative.has(path.slice(at + 1))) continue;
      const directory = path.slice(0, at);
      votes.set(directory, (votes.get(directory) ?? 0) + 1);
      break;
    }
  }
  let [root, most]: [string | undefined, number] = [undefined, 1];
  for (const [directory, count] of votes)
    if (count > most && IS_ROOT.test(directory)) [root, most] = [directory, count];
  return root;
}

function commonDirectory(paths: readonly string[]): string {
  const saved = new Map<string, number>();
  for (const path of new Set(paths)) {
    if (!isAbsolute(path)) continue;
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const directory = path.slice(0, end);
      saved.set(directory, (saved.get(directory) ?? -directory.length) + directory.length);
    }
  }
  let [root, most] = ["", 0];
  for (const [directory, characters] of saved) {
    if (characters > most && IS_ROOT.test(directory)) [root, most] = [directory, characters];
  }
  return root;
}

/** A root is written into a heading, so it has no spaces or punctuation that would end it there. */
const IS_ROOT = /^[^\s`,)]+$/;

/** A path without the root that the heading of the note declares. */
export function withoutRoot(path: string, root: string): string {
  return root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

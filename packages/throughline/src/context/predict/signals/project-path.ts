const LONGEST = 400;

/**
 * Normalizes a path relative to the project root: `/` as separator, without `.` and `..`. Undefined for an absolute
 * path, a path outside of the project, a file of git itself, or an invalid one.
 */
export function projectPath(path: string): string | undefined {
  const plain = path.replaceAll("\\", "/");
  if (plain.includes("\0") || /^(?:\/|~\/|[A-Za-z]:)/.test(plain)) return undefined;
  const names: string[] = [];
  for (const name of plain.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  if (names.includes(".git")) return undefined;
  const clean = names.join("/");
  return clean === "" || clean.length > LONGEST ? undefined : clean;
}

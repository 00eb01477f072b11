const LONGEST = 400;

/**
 * A path from the project's root in its one form: `/` between the names, without `.` and `..`. Nothing for a path that
 * leads out of the project, an absolute one, or one that is none.
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
  const clean = names.join("/");
  return clean === "" || clean.length > LONGEST ? undefined : clean;
}

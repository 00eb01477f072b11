import path from "node:path";
import { type Project, projectOf } from "./project.ts";
import { UsageError } from "./usage-error.ts";

/** Where a command runs. */
interface Place {
  readonly cwd: string;
  readonly home: string;
}

/** `.`, `..`, `./sub`, `../sub`, `~`, `~/sub`: with either slash. */
const RELATIVE = /^\.{1,2}(?:[/\\]|$)/;
const HOME = /^~(?=[/\\]|$)/;

/**
 * The project that `--project` names: a path stands for the repository it lies in, anything else is a name.
 *
 * @throws UsageError if the name is empty
 */
export function resolveProject(named: string, { cwd, home }: Place): Project {
  if (named.trim() === "")
    throw new UsageError("--project is empty.", "Give a folder such as . or the name of a project.");
  const expanded = named.replace(HOME, () => home);
  const isPath = RELATIVE.test(expanded) || path.isAbsolute(expanded);
  return isPath ? projectOf(path.resolve(cwd, expanded)) : { id: named, root: named };
}

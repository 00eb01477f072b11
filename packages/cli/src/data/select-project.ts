import path from "node:path";
import process from "node:process";
import type { ProjectSummary } from "throughline/memory";
import type { Project } from "../config/project.ts";
import { count, printableLine } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The id of a project that is given by name: the name itself, or a path that ends in it.
 *
 * @returns `undefined` if there is none
 * @throws UsageError if several paths end in the name
 */
export function findProject(named: string, projects: readonly ProjectSummary[]): string | undefined {
  if (projects.some(({ id }) => id === named)) return named;
  const alike = projects.filter(({ id }) => lastFolder(id) === named);
  if (alike.length > 1) {
    const ids = alike.map(({ id }) => printableLine(id)).join(", ");
    throw new UsageError(`The project name ${named} is ambiguous: ${ids}.`, "Pass the full path with --project.");
  }
  return alike[0]?.id;
}

/** The last folder of a path of any platform. */
function lastFolder(id: string): string {
  return path.win32.basename(id);
}

/**
 * The project of the current folder, and a note on stderr about the projects that are left out. Outside of a
 * repository, a folder counts only if something is stored for it.
 *
 * @returns `undefined` for all projects
 */
export function selectCurrentProject(
  { id, isRepository }: Project,
  projects: readonly ProjectSummary[],
): string | undefined {
  const others = projects.filter((project) => project.id !== id);
  if (!isRepository && others.length === projects.length) return undefined;
  if (others.length > 0) {
    process.stderr.write(`Project ${printableLine(id)} and personal memories; ${describeOthers(others)}\n`);
  }
  return id;
}

function describeOthers(others: readonly ProjectSummary[]): string {
  const memories = others.reduce((sum, project) => sum + project.memories, 0);
  const what = `${count(memories, "memory", "memories")} of ${count(others.length, "other project")}`;
  return `--all-projects adds ${what}.`;
}

import { homedir } from "node:os";
import process from "node:process";
import type { Command } from "commander";
import { withStoredData } from "../data/open-data.ts";
import { findProject } from "../data/select-project.ts";
import { UsageError } from "../usage-error.ts";
import { isProjectPath, projectOf, resolveProject } from "./project.ts";
import { readSettings } from "./read-settings.ts";

/** In options that take several projects. */
const EVERY_PROJECT = "*";

/**
 * Resolves `--project`: from the flag, the settings, or the current folder. A path becomes the id of its project, and a
 * name that of a known project. An option that takes several projects has no default. Every command with a project
 * passes through here.
 */
export async function resolveProjectOption(command: Command): Promise<void> {
  if (!command.options.some(({ long }) => long === "--project")) return;
  const given: unknown = command.getOptionValue("project");
  if (Array.isArray(given)) {
    const ids = given.map((one: string) => (one === EVERY_PROJECT ? one : resolveProject(one, folders()).id));
    command.setOptionValueWithSource("project", ids, command.getOptionValueSource("project") ?? "cli");
    return;
  }
  if (command.getOptionValue("allProjects") === true) refuseBoth(given);
  else await resolveOne(command);
}

function folders(): { readonly cwd: string; readonly home: string } {
  return { cwd: process.cwd(), home: homedir() };
}

function refuseBoth(project: unknown): void {
  if (project === undefined) return;
  throw new UsageError("--project and --all-projects cannot be combined.", "Remove one of the two options.");
}

async function resolveOne(command: Command): Promise<void> {
  const source = command.getOptionValueSource("project");
  const named: string | undefined = source === undefined ? readSettings().project : command.getOptionValue("project");
  if (named === undefined) {
    if (takesAllProjects(command)) command.setOptionValue("currentProject", projectOf(process.cwd()));
    return;
  }
  const { id, root } = resolveProject(named, folders());
  const isNew = source === undefined || !takesAllProjects(command);
  const project = isProjectPath(named) ? id : await findByName(id, { command, isNew });
  command.setOptionValueWithSource("project", project, source ?? "config");
  command.setOptionValue("projectRoot", project === id ? root : project);
}

/** Commands on stored data. Others, and the settings, may name a project that does not exist yet. */
function takesAllProjects(command: Command): boolean {
  return command.options.some(({ long }) => long === "--all-projects");
}

async function findByName(
  name: string,
  { command, isNew }: { readonly command: Command; readonly isNew: boolean },
): Promise<string> {
  const { data } = command.optsWithGlobals<{ readonly data?: string }>();
  const options = data === undefined ? {} : { data };
  const known = await withStoredData(options, ({ throughline }) => throughline.memory.projects());
  const found = findProject(name, known?.projects ?? []);
  if (found !== undefined || isNew) return found ?? name;
  throw new UsageError(`Unknown project: ${name}.`, "Pass a path, or a name that `throughline projects` lists.");
}

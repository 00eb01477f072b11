import { homedir } from "node:os";
import process from "node:process";
import type { Command } from "commander";
import { resolveProject } from "../project.ts";
import { readSettings } from "./read-settings.ts";

/** In options that take several projects. */
const ALL_PROJECTS = "*";

/**
 * Fills in `--project` from the settings if a command takes it and it is not given, and converts a path to the id of
 * its project. An option that takes several projects has no default. Every command with a project passes through here.
 */
export function resolveProjectOption(command: Command): void {
  if (!command.options.some(({ long }) => long === "--project")) return;
  const source = command.getOptionValueSource("project");
  const around = { cwd: process.cwd(), home: homedir() };
  const given: unknown = command.getOptionValue("project");
  if (Array.isArray(given)) {
    const ids = given.map((one: string) => (one === ALL_PROJECTS ? one : resolveProject(one, around).id));
    command.setOptionValueWithSource("project", ids, source ?? "cli");
    return;
  }
  const named: string | undefined = source === undefined ? readSettings().project : command.getOptionValue("project");
  if (named === undefined) return;
  const { id, root } = resolveProject(named, around);
  command.setOptionValueWithSource("project", id, source ?? "config");
  command.setOptionValue("projectRoot", root);
}

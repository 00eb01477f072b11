import { homedir } from "node:os";
import process from "node:process";
import type { Command } from "commander";
import { resolveProject } from "../project.ts";
import { readSettings } from "./read-settings.ts";

/**
 * Fills in `--project` from the settings if a command takes it and it is not given, and converts a path to the id of
 * its project. Every command with a project passes through here.
 */
export function resolveProjectOption(command: Command): void {
  if (!command.options.some(({ long }) => long === "--project")) return;
  const source = command.getOptionValueSource("project");
  const named: string | undefined = source === undefined ? readSettings().project : command.getOptionValue("project");
  if (named === undefined) return;
  const { id, root } = resolveProject(named, { cwd: process.cwd(), home: homedir() });
  command.setOptionValueWithSource("project", id, source ?? "config");
  command.setOptionValue("projectRoot", root);
}
